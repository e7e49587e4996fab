import { Badge, Text, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CustomerText } from '../../../../shared/ui/customer-text.view';
import { IconPlus } from '../../../../shared/ui/icons.view';
import markClasses from '../mark.module.css';
import type { SettingsSearch } from '../settings-search.hook';
import classes from './entry-list.module.css';

/** Beside the title of a list: opens the form of a new entry. */
export function NewButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" flex="none" leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

export type Tone = 'plain' | 'good' | 'waiting' | 'bad' | 'info';

/** A word for the state of an entry. */
export function Mark({ tone = 'plain', text }: { tone?: Tone; text: string }) {
  return (
    <span className={markClasses.mark} data-tone={tone}>
      {text}
    </span>
  );
}

interface Entry {
  id: string;
  name: string;
  /** Beside the name, by which entries of one name are told apart. */
  tag?: string;
  detail?: ReactNode;
  /** On what is not as usual, such as "paused": a word, or several marks. */
  mark?: ReactNode;
}

interface Props {
  label: string;
  entries: readonly Entry[];
  openId?: string;
  /** What the address names when an entry is opened. */
  search: (id: string) => SettingsSearch;
}

/** The entries of a page, each a link. */
export function EntryList({ label, entries, openId, search }: Props) {
  return (
    <ul className={classes.entries} aria-label={label}>
      {entries.map(({ id, name, tag, detail, mark }) => (
        <li key={id}>
          <Link
            to="."
            search={search(id)}
            className={classes.entry}
            data-entry-id={id}
            aria-current={id === openId ? 'true' : undefined}
          >
            <span className={classes.words}>
              <span className={classes.name}>
                <CustomerText text={name} />
                {tag !== undefined && (
                  <>
                    {' '}
                    <Badge component="span" variant="light" color="blue" size="sm">
                      {tag}
                    </Badge>
                  </>
                )}
              </span>
              {detail !== undefined && (
                <Text component="span" size="xs" c="dimmed" className={classes.line}>
                  {typeof detail === 'string' ? <CustomerText text={detail} /> : detail}
                </Text>
              )}
            </span>
            {mark !== undefined && (
              <span className={classes.marks}>
                {typeof mark === 'string' ? (
                  <Badge variant="default" size="sm">
                    {mark}
                  </Badge>
                ) : (
                  mark
                )}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
