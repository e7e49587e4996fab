/** What the database knows a dialog by, of the identifier that the outside has. */
export const uuidOf = (threadId: string): string => threadId.slice('thread_'.length);
