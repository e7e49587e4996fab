import { Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import type { SettingsSearch } from './settings-search.hook';
import classes from './entry-list.module.css';

export interface Entry {
  id: string;
  name: string;
  detail?: string;
  /** A word on what is not as usual, such as "paused". */
  mark?: string;
}

interface Props {
  label: string;
  entries: Entry[];
  openId?: string;
  /** What the address names when an entry is opened. */
  search: (id: string) => SettingsSearch;
}

/** The entries of a page, each a link. */
export function EntryList({ label, entries, openId, search }: Props) {
  return (
    <ul className={classes.entries} aria-label={label}>
      {entries.map(({ id, name, detail, mark }) => (
        <li key={id}>
          <Link
            to="."
            search={search(id)}
            className={classes.entry}
            aria-current={id === openId ? 'true' : undefined}
          >
            <span className={classes.words}>
              <CustomerText text={name} className={classes.name} />
              {detail !== undefined && (
                <Text component="span" size="xs" c="dimmed" className={classes.line}>
                  <CustomerText text={detail} />
                </Text>
              )}
            </span>
            {mark !== undefined && (
              <Badge variant="default" size="sm">
                {mark}
              </Badge>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
