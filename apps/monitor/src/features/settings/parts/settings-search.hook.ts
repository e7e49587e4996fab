import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { lastBoard } from '../../../shared/session/last-board.store';
import { useSignedIn } from '../../../shared/session/session.store';

export type SettingsSearch = Record<string, string | undefined>;

interface Options {
  /** Though there are unsaved changes: they have just been saved, or their entry removed. */
  anyway?: boolean;
}

/**
 * What is open on a page of the settings, kept in its address, such as `?id=…`.
 * @returns it, and a function that changes what it names; undefined takes a part away.
 */
export function useSettingsSearch(): [SettingsSearch, (change: SettingsSearch, options?: Options) => void] {
  const search: SettingsSearch = useSearch({ from: '/inside/settings/$page' });
  const navigate = useNavigate();
  const change = useCallback(
    (next: SettingsSearch, { anyway = false }: Options = {}) =>
      void navigate({
        to: '.',
        search: (present: SettingsSearch) => ({ ...present, ...next }),
        ignoreBlocker: anyway,
      }),
    [navigate],
  );
  return [search, change];
}

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

/** The agent whose things are shown: of the address, or of the last board, or the first. Null: there is none. */
export function useAgent(): string | null {
  const [{ agent }] = useSettingsSearch();
  const { assistants } = useSignedIn();
  const wanted = agent ?? lastBoard.read();
  return (assistants.find(({ id }) => id === wanted) ?? assistants[0])?.id ?? null;
}

/** The agent that the address of a page of the settings names. */
export function agentOf(page: string, { agent, id }: SettingsSearch): string | undefined {
  if (page !== 'assistants') return agent;
  return id === NEW ? undefined : id;
}
