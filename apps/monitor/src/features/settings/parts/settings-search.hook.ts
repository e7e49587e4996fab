import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

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
