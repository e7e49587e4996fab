import { isUuid, NIL_ID } from './uuid.format';

const PREFIX = 'thread_';

/** The public identifier of a dialog, `thread_<uuid>`, made from the uuid that the database keeps. */
export function formatThreadId(uuid: string): string {
  return PREFIX + uuid;
}

/** The uuid inside a dialog identifier, in lower case. Text of any other form gives a uuid that no dialog has. */
export function threadIdOrNothing(threadId: string): string {
  const uuid = threadId.slice(PREFIX.length);
  return threadId.startsWith(PREFIX) && isUuid(uuid) ? uuid.toLowerCase() : NIL_ID;
}

/** The uuid inside a dialog identifier; any other text as it is. */
export function bareIdOf(id: string): string {
  const uuid = threadIdOrNothing(id);
  return uuid === NIL_ID ? id : uuid;
}
