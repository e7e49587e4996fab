import { threadIdOrNothing } from '@app/contracts/uuid.format';
import type { ThreadCall } from '@app/persistence/threads/thread-edit.statements';
import { callOf, setterOf, type Principal } from '../accounts/principal.rules';

/** A principal's call for a dialog, as statements take it. */
export const threadCallOf = (by: Principal, threadId: string): ThreadCall => ({
  threadId: threadIdOrNothing(threadId),
  by: setterOf(by),
  ...callOf(by),
});
