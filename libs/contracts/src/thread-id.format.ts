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

/** The uuid inside a dialog identifier, in lower case, or null when the text is not of the form `thread_<uuid>`. */
export function parseThreadId(threadId: string): string | null {
  const uuid = threadId.slice(PREFIX.length);
  return threadId.startsWith(PREFIX) && isUuid(uuid) ? uuid.toLowerCase() : null;
}
