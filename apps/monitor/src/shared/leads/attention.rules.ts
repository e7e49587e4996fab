/** Reasons whose notes are the messenger's own words, in its language. The message that it refused shows them. */
const OF_MESSENGER: ReadonlySet<unknown> = new Set(['messenger', 'not_delivered']);

export const isOfMessenger = (reason: unknown): boolean => OF_MESSENGER.has(reason);
