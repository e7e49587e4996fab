import { EXAMPLE_STATUS_ID, EXAMPLE_THREAD_ID } from '../http/example.ids';

/** Bodies that work in the demo as they are. */
export const SET_STATUS_EXAMPLES = {
  'by id': { value: { thread_id: EXAMPLE_THREAD_ID, status_id: EXAMPLE_STATUS_ID } },
  'by name': { value: { thread_id: EXAMPLE_THREAD_ID, status_name: 'оплачено' } },
  clear: { value: { thread_id: EXAMPLE_THREAD_ID, status_id: null } },
  'answer what waits': {
    value: { thread_id: EXAMPLE_THREAD_ID, status_id: EXAMPLE_STATUS_ID, answer_pending_message: true },
  },
};

export const SET_STATUS_BULK_EXAMPLES = {
  'dry run': {
    value: { items: [{ thread_id: EXAMPLE_THREAD_ID, status_id: EXAMPLE_STATUS_ID }], dry_run: true },
  },
};

export const GET_HISTORY_EXAMPLES = {
  'newest entries': { value: { thread_id: EXAMPLE_THREAD_ID, limit: 50 } },
};
