const PREFIX = 'leadline.draft.';

/**
 * What is typed and not sent, dialog by dialog, over reloads and in all tabs of the browser. It is the only thing of a
 * customer that the browser keeps.
 */
export const drafts = {
  read: (threadId: string): string => localStorage.getItem(PREFIX + threadId) ?? '',

  /** At once, so that a sent text cannot come back as a draft. @param text empty: there is none any more */
  keep(threadId: string, text: string): void {
    if (text === '') localStorage.removeItem(PREFIX + threadId);
    else localStorage.setItem(PREFIX + threadId, text);
  },

  /** Tells what another tab has typed. */
  onForeign(threadId: string, tell: (text: string) => void): () => void {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === PREFIX + threadId) tell(event.newValue ?? '');
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  },

  /** At sign-out. */
  deleteAll(): void {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  },
};
