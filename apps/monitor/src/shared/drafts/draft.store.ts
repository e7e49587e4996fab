const PREFIX = 'leadline.draft.';
/** Whose drafts the browser keeps. While it says nobody, none are kept. */
const OWNER = 'leadline.drafts-of';

/** Who is at work in this tab. */
let person: string | null = null;

/** Not after a sign-out in another tab, or once somebody else has signed in there. */
const isOwner = (): boolean => person !== null && localStorage.getItem(OWNER) === person;

/**
 * What is typed and not sent, dialog by dialog, over reloads and in all tabs of the browser. It is the only thing of a
 * customer that the browser keeps.
 */
export const drafts = {
  /** Somebody is at work here. What another person has typed is not for them. */
  begin(userId: string): void {
    if (localStorage.getItem(OWNER) !== userId) deleteEverybodys();
    localStorage.setItem(OWNER, userId);
    person = userId;
  },

  read: (threadId: string): string => (isOwner() ? (localStorage.getItem(PREFIX + threadId) ?? '') : ''),

  /** At once, so that a sent text cannot come back as a draft. @param text empty: there is none any more */
  keep(threadId: string, text: string): void {
    if (!isOwner()) return;
    if (text === '') return localStorage.removeItem(PREFIX + threadId);
    try {
      localStorage.setItem(PREFIX + threadId, text);
    } catch {
      // The browser has no room left: it stays in its field, and is there as long as the page.
    }
  },

  /** Tells what another tab has typed. */
  onForeign(threadId: string, tell: (text: string) => void): () => void {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === PREFIX + threadId) tell(event.newValue ?? '');
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  },

  /** At sign-out. Those of a person who has signed in in another tab since are left alone. */
  deleteAll(): void {
    if (isOwner()) deleteEverybodys();
  },
};

function deleteEverybodys(): void {
  localStorage.removeItem(OWNER);
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
