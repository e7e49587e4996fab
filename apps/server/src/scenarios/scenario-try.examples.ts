import { EXAMPLE_THREAD_ID } from '../http/example.ids';

export const START_SCENARIO_EXAMPLES = {
  'how many a whole stage would be': { value: { whole_stage: true, dry_run: true } },
  'one dialog': { value: { thread_ids: [EXAMPLE_THREAD_ID] } },
};

export const TRY_SCENARIO_EXAMPLES = {
  'a customer who says nothing': { value: {} },
  'this dialog, and a reply after a minute and a half': {
    value: { thread_id: EXAMPLE_THREAD_ID, starts_at: '2026-11-20T09:30:00.000Z', replies: [90] },
  },
};
