import { contactOf } from '@app/contracts/contact.address';
import { isRounded, readPhone } from '@app/contracts/phone.reader';
import { TRANSFER_LIMITS, type ImportFault, type LeadColumn } from '@app/contracts/transfer.words';
import type { ImportRow } from '@app/persistence/transfer/import-chunk.entity';
import { isPersonName } from '../accounts/person-name.rules';
import { undefused } from './defused.text';
import type { ColumnPlaces } from './lead-columns.rules';
import type { FileRow } from './lead-file.port';

type Fault = Omit<ImportFault, 'row'>;

/** Longer than any name of a stage or a person, and any address. */
const REFERENCE_LENGTH_MAX = 1_020;
const CONTROL = /\p{Cc}/u;

const FAULTS = {
  malformed: 'its quotes are not well formed',
  tooMany: 'has more cells than the header',
  noPhone: 'is missing',
  rounded: 'was rounded by a spreadsheet: format the column as text, and give the whole number',
  phone: 'is no phone number with its country code, such as +77011234567',
  name: `must be at most ${TRANSFER_LIMITS.nameLengthMax} characters, not of blanks alone, without line breaks and characters that control or turn the text`,
  reference: 'is no name and no id',
} as const;

/** Reads the rows of one file in their order. Of a phone that stands twice the first row counts. */
export class LeadRowsReader {
  /** In which row each address stands first. */
  private readonly firstOf = new Map<string, number>();
  private readonly width: number;

  constructor(private readonly places: ColumnPlaces) {
    this.width = Math.max(...Object.values(places)) + 1;
  }

  /** What does not depend on the account is checked here: whether a stage or a person exists is not known yet. */
  read({ row, cells, isMalformed }: FileRow): ImportRow {
    if (isMalformed) return { row, faults: [{ column: null, message: FAULTS.malformed }] };
    if (cells.slice(this.width).some((cell) => cell !== ''))
      return { row, faults: [{ column: null, message: FAULTS.tooMany }] };
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
        : [fault('name', FAULTS.name)]),
      ...referenceFaults('status', status),
      ...referenceFaults('assignee', assignee),
    ];
    return faults.length > 0 || !('phone' in phone)
      ? { row, faults }
      : { row, ...phone, name, status, assignee };
  }

  private phoneIn(row: number, cells: readonly string[]): { phone: string; contact: string } | Fault {
    const text = cells[this.places.phone ?? -1] ?? '';
    if (text === '') return fault('phone', FAULTS.noPhone);
    if (isRounded(text)) return fault('phone', FAULTS.rounded);
    const phone = readPhone(text);
    if (phone === null) return fault('phone', FAULTS.phone);
    const contact = contactOf(phone);
    const first = this.firstOf.get(contact);
    if (first !== undefined) return fault('phone', `is the phone of row ${first}, which counts`);
    this.firstOf.set(contact, row);
    return { phone, contact };
  }

  private textIn(cells: readonly string[], column: LeadColumn): string | undefined {
    const text = undefused(cells[this.places[column] ?? -1] ?? '');
    return text === '' ? undefined : text;
  }
}

const fault = (column: LeadColumn, message: string): Fault => ({ column, message });

const referenceFaults = (column: LeadColumn, text = ''): Fault[] =>
  text.length > REFERENCE_LENGTH_MAX || CONTROL.test(text) ? [fault(column, FAULTS.reference)] : [];
