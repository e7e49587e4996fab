import { demoId } from '@app/contracts/demo.ids';
import { EXAMPLE_ASSISTANT_ID, EXAMPLE_STATUS_ID, EXAMPLE_THREAD_ID } from '../http/example.ids';

/** Bodies that work in the demo as they are. */
export const GET_THREADS_EXAMPLES = {
  newest: { value: { limit: 50 } },
  'by phone': { value: { phones: ['+77015551001', '+77015551002'] } },
  'one column of a funnel': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, status_id: EXAMPLE_STATUS_ID } },
  'where a person is asked for': { value: { attention: true } },
  'where the model failed': { value: { attention: 'model' } },
  'with their last messages': { value: { waiting: true, messages_limit: 3 } },
};

export const GET_MESSAGES_EXAMPLES = {
  'newest messages': { value: { thread_id: EXAMPLE_THREAD_ID, limit: 50 } },
  'around a message': {
    value: { thread_id: EXAMPLE_THREAD_ID, around: demoId('message', 2), limit: 50 },
  },
};
