import { isUuid, NIL_ID } from './uuid.format';

const PREFIX = 'thread_';

/** The dialog identifier of the outside, `thread_<uuid>`, for the uuid that the database keeps. */
export function formatThreadId(uuid: string): string {
  return PREFIX + uuid;
}

/** The uuid inside a dialog identifier, in lower case, or one that names nothing when the text is not of that form. */
export function threadIdOrNothing(threadId: string): string {
  const uuid = threadId.slice(PREFIX.length);
  return threadId.startsWith(PREFIX) && isUuid(uuid) ? uuid.toLowerCase() : NIL_ID;
}
