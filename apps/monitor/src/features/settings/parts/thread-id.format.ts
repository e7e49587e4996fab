const THREAD = /thread_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The dialogs that a text names, each once: by their ids, or by the addresses of their pages. */
export const threadIdsIn = (text: string): string[] => [
  ...new Set((text.match(THREAD) ?? []).map((id) => id.toLowerCase())),
];
