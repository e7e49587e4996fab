import { contactOf } from '@app/contracts/values/phone.words';
import { undefused } from '@app/contracts/values/free-text';
import { isRounded, readPhone } from '@app/contracts/values/phone-reader';
import { UNREADABLE } from '@app/contracts/values/text-encoding';
import {
  TRANSFER_LIMITS,
  type ImportFault,
  type LeadColumn,
  LEAD_COLUMNS,
} from '@app/contracts/transfer.words';
import type { ImportRow } from '@app/persistence/transfer/import.entity';
import { isPersonName, asPersonName } from '../accounts/people/person.rules';
import { roundedPhone, rowFault } from './fault-texts';
import { UnusableLeadsError, type FileRow } from './lead-file.port';

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
interface LeadColumns {
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

type Fault = Omit<ImportFault, 'row'>;

/** Longer than any name of a stage or a person, and any address. */
const REFERENCE_LENGTH_MAX = 1_020;
const CONTROL = /\p{Cc}/u;

/** Reads the rows of one file in their order. Of a phone that stands twice the first row counts. */
export class LeadRowsReader {
  /** In which row each address stands first. */
  private readonly firstOf = new Map<string, number>();
  private readonly places: LeadColumns['places'];
  private readonly width: number;

  /** @param country in which a phone is read that does not say its own; null: it is a fault */
  constructor(
    { places, width }: Pick<LeadColumns, 'places' | 'width'>,
    private readonly country: string | null,
  ) {
    this.places = places;
    this.width = width;
  }

  /** What does not depend on the account is checked here: whether a stage or a person exists is not known yet. */
  read({ row, cells, isMalformed }: FileRow): ImportRow {
    if (isMalformed) return { row, faults: [rowFault(null, 'malformed_quotes')] };
    if (cells.slice(this.width).some((cell) => cell !== ''))
      return { row, faults: [rowFault(null, 'too_many_cells')] };
    if (cells.some((cell) => cell.includes(UNREADABLE)))
      return { row, faults: [rowFault(null, 'unreadable')] };
    const [name, status, assignee] = [
      this.textIn(cells, 'name'),
      this.textIn(cells, 'status'),
      this.textIn(cells, 'assignee'),
    ];
    const phone = this.phoneIn(row, cells);
    const faults = [
      ...('phone' in phone ? [] : [phone]),
      ...(name === undefined || isPersonName(name, TRANSFER_LIMITS.nameLengthMax)
        ? []
        : [rowFault('name', 'bad_name')]),
      ...referenceFaults('status', status),
      ...referenceFaults('assignee', assignee),
    ];
    return faults.length > 0 || !('phone' in phone)
      ? { row, faults }
      : { row, ...phone, name, status, assignee };
  }

  private phoneIn(row: number, cells: readonly string[]): { phone: string; contact: string } | Fault {
    const text = cells[this.places.phone ?? -1] ?? '';
    if (isRounded(text)) return roundedPhone();
    const { phone, fault } = readPhone(text, this.country);
    if (phone === null) return rowFault('phone', fault);
    const contact = contactOf(phone);
    const first = this.firstOf.get(contact);
    if (first !== undefined) return rowFault('phone', 'duplicate', { row: first });
    this.firstOf.set(contact, row);
    return { phone, contact };
  }

  private textIn(cells: readonly string[], column: LeadColumn): string | undefined {
    const text = undefused(cells[this.places[column] ?? -1] ?? '');
    return text === '' ? undefined : text;
  }
}

const referenceFaults = (column: LeadColumn, text = ''): Fault[] =>
  text.length > REFERENCE_LENGTH_MAX || CONTROL.test(text) ? [rowFault(column, 'bad_reference')] : [];
