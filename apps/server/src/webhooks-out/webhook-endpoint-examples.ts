import { demoId } from '@app/contracts/demo-ids';

export const CREATE_ENDPOINT_EXAMPLES = {
  'moves and messages': {
    value: {
      account_id: demoId('account', 1),
      url: 'https://shop.example.com/leadline',
      events: ['lead.status_changed', 'message.received', 'message.sent'],
      description: 'Accounting system',
    },
  },
  'everything of one agent, at a pace': {
    value: {
      account_id: demoId('account', 1),
      url: 'https://shop.example.com/leadline/sales',
      events: ['*'],
      assistant_ids: [demoId('assistant', 1)],
      max_per_second: 20,
    },
  },
};

/** Each changes one field: filled in as a whole, the body would also change the agents and enable it. */
export const CHANGE_ENDPOINT_EXAMPLES = {
  'other events': { value: { events: ['template.status_changed', 'quota.low'] } },
  'at a slower pace': { value: { max_per_second: 20 } },
};

export const ROTATE_ENDPOINT_EXAMPLES = {
  'a day for the change': { value: {} },
  'at once, for the former one is known to others': { value: { overlap_hours: 0 } },
};

/** A document that is always the same can name no time of the last days: this one sends nothing. */
export const REPLAY_EXAMPLES = {
  'from your time on': { value: { since: '2030-01-31T12:00:00Z' } },
};
