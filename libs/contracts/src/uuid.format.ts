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
