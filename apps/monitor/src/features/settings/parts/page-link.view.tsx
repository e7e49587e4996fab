import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SettingsPageName } from '../settings.words';
import type { SettingsSearch } from './settings-search.hook';

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
