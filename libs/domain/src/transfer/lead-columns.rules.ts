import { LEAD_COLUMNS, type LeadColumn } from '@app/contracts/transfer.words';
import { asPersonName } from '../accounts/people/person.rules';
import { UnusableLeadsError } from './lead-file.port';

/** What people call the columns besides. */
const OTHER_NAMES: Readonly<Record<LeadColumn, readonly string[]>> = {
  phone: ['телефон'],
  name: ['имя'],
  status: ['статус', 'этап', 'stage'],
  assignee: ['ответственный'],
};

const COLUMN_OF: ReadonlyMap<string, LeadColumn> = new Map(
  LEAD_COLUMNS.flatMap((column) => [column, ...OTHER_NAMES[column]].map((name) => [name, column] as const)),
);

/** What a file's header says. */
export interface LeadColumns {
  /** Where each column stands; absent ones are undefined. */
  places: Readonly<Partial<Record<LeadColumn, number>>>;
  /** Up to its last name. */
  width: number;
  /** Names of columns that are not known, as they can be shown within a line. */
  ignored: readonly string[];
}

const IGNORED_MAX = 100;
const SHOWN_LENGTH = 100;
/** Of the header of a file that is refused. */
const FOUND_MAX = 20;

/** The column that a cell of the header names, letter case aside. */
export const columnOf = (name: string): LeadColumn | undefined => COLUMN_OF.get(name.trim().toLowerCase());

const shown = (name: string): string => asPersonName(name, SHOWN_LENGTH);

const listed = (names: readonly string[]): string => names.map((name) => `"${shown(name)}"`).join(', ');

/**
 * Finds the columns by a file's header. Those that are not known are ignored. What stands to the right of the last name is no
 * column.
 * @throws UnusableLeadsError for one without phones, or with a column twice
 */
export function columnsOf(header: readonly string[]): LeadColumns {
  const names = header.slice(0, header.findLastIndex((name) => name !== '') + 1);
  const places: Partial<Record<LeadColumn, number>> = {};
  const ignored: string[] = [];
  for (const [place, name] of names.entries()) {
    const column = columnOf(name);
    if (column === undefined) ignored.push(shown(name));
    else if (places[column] === undefined) places[column] = place;
    else throw new UnusableLeadsError('column_twice', { column });
  }
  if (places.phone === undefined)
    throw new UnusableLeadsError('no_phone_column', { found: listed(names.slice(0, FOUND_MAX)) });
  return { places, width: names.length, ignored: ignored.filter(Boolean).slice(0, IGNORED_MAX) };
}
