const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PREFIX = 'thread_';

/** Whether a text has the canonical 8-4-4-4-12 form of a UUID, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The dialog identifier of the outside, `thread_<uuid>`, for the uuid that the database keeps. */
export function formatThreadId(uuid: string): string {
  return PREFIX + uuid;
}

/** A well-formed id that no row has: a malformed id goes the way of an unknown one, and answers like it. */
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** The id, or one that names nothing when the text is no UUID. */
export function idOrNothing(text: string): string {
  return isUuid(text) ? text : NOTHING;
}

/** The uuid inside a dialog identifier, in lower case, or one that names nothing when the text is not of that form. */
export function threadIdOrNothing(threadId: string): string {
  const uuid = threadId.slice(PREFIX.length);
  return threadId.startsWith(PREFIX) && isUuid(uuid) ? uuid.toLowerCase() : NOTHING;
}
