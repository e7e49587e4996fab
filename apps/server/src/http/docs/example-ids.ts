import { demoId } from '@app/contracts/demo-ids';
import { formatThreadId } from '@app/contracts/uuid.format';

/** The ids in the documentation's examples. They exist in the demo. */
export const EXAMPLE_THREAD_ID = formatThreadId(demoId('thread', 1));
/** No page and no other example names it, so that they still work after it was erased. */
export const EXAMPLE_ERASED_THREAD_ID = formatThreadId(demoId('thread', 29));
export const EXAMPLE_ASSISTANT_ID = demoId('assistant', 1);
export const EXAMPLE_STATUS_ID = demoId('status', 2);

/** Of a call. */
export const EXAMPLE_REQUEST_ID = '01930000-0000-7000-8000-00000000abcd';
