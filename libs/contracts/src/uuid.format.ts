const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A well-formed id that no row has. It sorts before all others. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Whether a text has the canonical 8-4-4-4-12 form of a UUID, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id, or one that no row has when the text is no UUID. So a malformed id answers like an unknown one. */
export function idOrNothing(text: string): string {
  return isUuid(text) ? text : NIL_ID;
}

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
