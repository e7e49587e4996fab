import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SettingsSearch } from './settings-search.hook';

/** By their place in the address, in the order of the list. */
export const PAGES = [
  'assistants',
  'stages',
  'scenarios',
  'bots',
  'templates',
  'keys',
  'users',
  'webhooks',
  'audit',
  'work',
] as const;

export type SettingsPageName = (typeof PAGES)[number];

/** What operators may open, to read. The rest is for admins. */
export const READABLE: ReadonlySet<SettingsPageName> = new Set(['stages', 'scenarios', 'templates']);

export const isSettingsPage = (name: string): name is SettingsPageName => PAGES.some((page) => page === name);

interface Props {
  page: SettingsPageName;
  search: SettingsSearch;
  children: ReactNode;
}

/** Leads to another page of the settings. */
export function PageLink({ page, search, children }: Props) {
  return (
    <Anchor
      size="sm"
      lh="24px"
      renderRoot={(props) => <Link to="/settings/$page" params={{ page }} search={search} {...props} />}
    >
      {children}
    </Anchor>
  );
}
