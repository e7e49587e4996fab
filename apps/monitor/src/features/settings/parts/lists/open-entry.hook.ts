import { useCallback } from 'react';
import { useSettingsSearch } from '../settings-search.hook';

/** In the place of an id: the form of an entry that is not there yet. */
export const NEW = 'new';

interface OpenEntry {
  /** Of the entry that is open, or {@link NEW}. */
  id: string | undefined;
  open: (id: string) => void;
  /** After its form was saved: whatever is unsaved in it is of no account. */
  reopen: (id: string | undefined) => void;
  /** The focus goes back to the entry in the list. */
  close: () => void;
}

/** Which entry of the page's list is open. */
export function useOpenEntry(): OpenEntry {
  const [{ id }, change] = useSettingsSearch();
  const open = useCallback((next: string) => change({ id: next }), [change]);
  const reopen = useCallback((next: string | undefined) => change({ id: next }, { anyway: true }), [change]);
  const close = useCallback(() => {
    change({ id: undefined });
    requestAnimationFrame(() =>
      setTimeout(() =>
        document.querySelector<HTMLElement>(`[data-entry-id="${CSS.escape(id ?? '')}"]`)?.focus(),
      ),
    );
  }, [change, id]);
  return { id, open, reopen, close };
}
