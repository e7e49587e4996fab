import { refusalOf, refusedAt } from '../../../../test/support/clients/refused.fields';
import { BoardOpenRequest } from '../board/board.request';
import { GetMessagesRequest, GetThreadsRequest } from './thread.request';

/** What narrows a list, and a board too. */
const WRONG_FILTERS: [string, unknown][] = [
  ['waiting', 'true'],
  ['waiting', 'yes'],
  ['unread', 1],
  ['opted_out', null],
  ['attention', 'true'],
  ['attention', 'off'],
  ['attention', 'nonsense'],
  ['attention', null],
  ['message_handler', 'ai'],
  ['channel', 'telegram'],
  ['channel', 'WABA'],
  ['bot_id', 'x'],
  ['bot_id', null],
  ['assignee_id', ''],
  ['status_id', 5],
  ['status_id', ''],
  ['status_ids', 'x'],
  ['status_ids', Array.from({ length: 101 }, () => null)],
  ['status_kind', 'won'],
  ['status_kind', 'paid'],
  ['scenario_id', {}],
  ['run_state', 'finished'],
  ['search', ''],
  ['search', 'x'.repeat(101)],
  ['created_after', '2026-11-20'],
  ['created_after', '2026-02-30T10:00:00Z'],
  ['created_before', '2026-02-30T00:00:00Z'],
  ['active_after', 1],
  ['active_after', 'now()'],
];

it.each(WRONG_FILTERS)(
  'get-threads refuses the filter %s %j, and a board as get-threads does',
  (field, value) => {
    const wrong = refusalOf(GetThreadsRequest, { [field]: value })?.details;
    expect(wrong?.map(({ path }) => path)).toEqual([field]);
    expect(refusalOf(BoardOpenRequest, { assistant_id: 'x', filter: { [field]: value } })?.details).toEqual(
      wrong?.map(({ path, message }) => ({ path: `filter.${path}`, message })),
    );
  },
);

it.each([
  ['assistant_id', { assistant_id: '' }],
  ['phones', { phones: '+77010000001' }],
  ['phones', { phones: [''] }],
  ['phones', { phones: Array<string>(501).fill('+77010000001') }],
  ['messages_limit', { messages_limit: 501 }],
  ['messages_limit', { messages_limit: -1 }],
  ['limit', { limit: 0 }],
  ['limit', { limit: 201 }],
  ['cursor', { cursor: '' }],
])('get-threads refuses a wrong %s: %j', (path, body) => {
  expect(refusedAt(GetThreadsRequest, body)).toEqual([path]);
});

it.each([
  ['limit', { limit: 0 }],
  ['limit', { limit: 201 }],
  ['limit', { limit: '5' }],
  ['limit', { limit: null }],
  ['around', { around: '' }],
  ['around', { around: null }],
  ['cursor', { cursor: '' }],
  ['thread_id', { thread_id: '' }],
  ['thread_id', { thread_id: 5 }],
])('get-messages refuses a wrong %s: %j', (path, body) => {
  expect(refusedAt(GetMessagesRequest, { thread_id: 'x', ...body })).toEqual([path]);
});
