import { findTableFault, type TableFaultKind } from '@app/contracts/transfer.words';
import { readPhone } from '@app/contracts/values/phone-reader';
import type { PhoneFault } from '@app/contracts/values/phone.words';
import {
  ENCODING_CHOICES,
  findEncoding,
  isWorkbook,
  namedEncoding,
  type EncodingChoice,
} from '@app/contracts/values/text-encoding';
import Papa from 'papaparse';
import { UsageError } from '../cli.errors';

/** What goes to one phone. */
export interface Recipient {
  phone: string;
  params?: string[];
}

const PHONE = 'phone';

const FAULTS: Readonly<Record<TableFaultKind, string>> = {
  quotes: 'has misplaced quotes',
  tooManyCells: 'has more cells than the header',
  unreadable: 'has bytes that are no text: the file is damaged there, or in several encodings',
};

const PHONE_FAULTS: Readonly<Record<PhoneFault, string>> = {
  empty: 'is missing',
  letters: 'has letters',
  too_short: 'has too few digits',
  too_long: 'has too many digits',
  not_valid: 'is no phone number that anybody can have, or has an extension',
  no_country:
    'does not say its country: begin it with + and the country code, or set the country of the account',
  ambiguous: 'could be a number of two countries: begin it with + and the country code',
};

/** A phone can be read only in a country. */
export class CountryNeededError extends UsageError {}

/** `{name}` is the column of that name. @throws UsageError: there is none */
const filledIn = (param: string, cells: ReadonlyMap<string, string>): string =>
  param.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const cell = cells.get(name.trim().toLowerCase());
    if (cell === undefined) throw new UsageError(`The file has no column ${name}`);
    return cell;
  });

/**
 * The recipients of a CSV: the column `phone`, and the values of the text by `params` or, without, the other columns that
 * have a name, in their order.
 * @param country in which phones are read that do not say theirs; null: they are refused
 * @param choice how the file is written; null: it is found
 * @throws UsageError with the row or the column: nothing is sent of a file that may be read wrong
 */
export function recipientsOf(
  bytes: Buffer,
  params: readonly string[],
  country: string | null = null,
  choice: EncodingChoice | null = null,
): Recipient[] {
  if (isWorkbook(bytes)) throw new UsageError('The file is a workbook: save it as CSV');
  const encoding = choice === null ? findEncoding(bytes) : namedEncoding(choice, bytes);
  if (encoding === null)
    throw new UsageError(
      `The encoding of the file cannot be told by its words: give --encoding ${ENCODING_CHOICES.join(' or ')}`,
    );
  const text = new TextDecoder(encoding).decode(bytes);
  // A line end behind the last row would count as a row of one cell, and hide the separator of a short list.
  const { data, errors } = Papa.parse<string[]>(text.trimEnd(), { delimitersToGuess: [',', ';', '\t', '|'] });
  const fault = findTableFault(data, errors);
  if (fault) throw new UsageError(`Row ${fault.row} of the file ${FAULTS[fault.kind]}`);
  const [header = [], ...rows] = data;
  const names = header.map((name) => name.trim().toLowerCase());
  const twice = names.find((name, column) => name !== '' && names.indexOf(name) !== column);
  if (twice !== undefined) throw new UsageError(`The file has the column ${twice} twice`);
  if (!names.includes(PHONE)) throw new UsageError('The first row of the file must name a column phone');
  return rows.flatMap((row, index) => {
    const cells = new Map(names.map((name, column) => [name, (row[column] ?? '').trim()]));
    if (row.every((cell) => cell.trim() === '')) return [];
    const { phone, fault } = readPhone(cells.get(PHONE) ?? '', country);
    if (phone === null) throw faultyPhone(index + 2, fault);
    const values =
      params.length > 0
        ? params.map((param) => filledIn(param, cells))
        : names.filter((name) => name !== PHONE && name !== '').map((name) => cells.get(name) ?? '');
    return [{ phone, ...(values.length > 0 && { params: values }) }];
  });
}

function faultyPhone(row: number, fault: PhoneFault): UsageError {
  const Fault = fault === 'no_country' ? CountryNeededError : UsageError;
  return new Fault(`Row ${row} of the file: its phone ${PHONE_FAULTS[fault]}`);
}
