import { LEAD_COLUMNS, type LeadColumn } from '@app/contracts/transfer.words';
import { UnusableLeadsError } from './transfer.errors';

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

/** Where the columns of a file stand; absent ones are undefined. */
export type ColumnPlaces = Readonly<Partial<Record<LeadColumn, number>>>;

/** The column that a cell of the header names, letter case aside. */
export const columnOf = (name: string): LeadColumn | undefined => COLUMN_OF.get(name.trim().toLowerCase());

const told = (names: readonly string[]): string =>
  names.map((name) => (name === '' ? '(without a name)' : `"${name.slice(0, 50)}"`)).join(', ');

/**
 * Finds the columns by a file's header. What stands to the right of the last name is no column.
 * @throws UnusableLeadsError for one without phones, with a column twice, or with one that is not known
 */
export function placesOf(header: readonly string[]): ColumnPlaces {
  const names = header.slice(0, header.findLastIndex((name) => name !== '') + 1);
  const unknown = names.filter((name) => columnOf(name) === undefined);
  const takes = `a file of leads has the columns ${LEAD_COLUMNS.join(', ')}, of which only phone is needed; this one has ${told(names.slice(0, 20))}`;
  if (unknown.length > 0)
    throw new UnusableLeadsError(`has unknown columns, ${told(unknown.slice(0, 20))}: ${takes}`);
  const places: Partial<Record<LeadColumn, number>> = {};
  for (const [place, name] of names.entries()) {
    const column = columnOf(name) as LeadColumn;
    if (places[column] !== undefined) throw new UnusableLeadsError(`has the column ${column} twice`);
    places[column] = place;
  }
  if (places.phone === undefined) throw new UnusableLeadsError(`has no column phone: ${takes}`);
  return places;
}
