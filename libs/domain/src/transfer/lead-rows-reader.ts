import { contactOf } from '@app/contracts/values/phone.words';
import { undefused } from '@app/contracts/values/free-text';
import { isRounded, readPhone } from '@app/contracts/values/phone-reader';
import { UNREADABLE } from '@app/contracts/values/text-encoding';
import { TRANSFER_LIMITS, type ImportFault, type LeadColumn } from '@app/contracts/transfer.words';
import type { ImportRow } from '@app/persistence/transfer/import-chunk.entity';
import { isPersonName } from '../accounts/people/person.rules';
import { roundedPhone, rowFault } from './fault-texts';
import type { LeadColumns } from './lead-columns.rules';
import type { FileRow } from './lead-file.port';

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
