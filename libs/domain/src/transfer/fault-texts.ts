import {
  LEAD_COLUMNS,
  TRANSFER_LIMITS,
  type FaultValues,
  type FileFault,
  type ImportFault,
  type LeadColumn,
  type RowFault,
} from '@app/contracts/transfer.words';

export type FoundFault = Exclude<RowFault, 'erased'>;

/** Names in braces stand for the values of the fault. */
const FILE_TEXTS: Readonly<Record<FileFault, string>> = {
  empty: 'is empty',
  workbook: 'is a workbook: save the sheet as CSV, and import that',
  open_quote: 'row {row} has a quote that is not closed, or is longer than {most} characters',
  no_phone_column: `has no column phone: a file of leads has the columns ${LEAD_COLUMNS.join(', ')}, of which only phone is needed; this one has {found}`,
  column_twice: 'has the column {column} twice',
  too_many_rows: 'has more than {most} rows: import it in parts',
};

/** What erasing leaves of a row is written by its statement. */
const ROW_TEXTS: Readonly<Record<FoundFault, string>> = {
  malformed_quotes: 'its quotes are not well formed',
  too_many_cells: 'has more cells than the header',
  unreadable: 'has bytes that are no text: the file is damaged there, or in several encodings',
  empty: 'is missing',
  letters: 'has letters',
  too_short: 'has too few digits for a phone number',
  too_long: 'has too many digits for a phone number',
  not_valid: 'is no phone number that anybody can have, or has an extension',
  no_country:
    'does not say its country: begin it with + and the country code, or set the country of the account',
  ambiguous: 'could be a number of two countries: begin it with + and the country code',
  duplicate: 'is the phone of row {row}, which counts',
  bad_name: `must be at most ${TRANSFER_LIMITS.nameLengthMax} characters, not of blanks alone, without line breaks and characters that control or turn the text`,
  bad_reference: 'is no name and no id',
  no_stage: 'is no stage of the agent',
  several_stages: 'is the name of several stages: give the id',
  nobody: "is nobody who sees the agent's dialogs",
  several_people: 'is the name of several people: give the e-mail address or the id',
  disabled_person: 'is disabled: name a person who works here',
  other_agent: 'is of a customer whose dialog with this bot another agent has',
};

const told = (text: string, values: FaultValues): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Why a file cannot be taken in, in a sentence without its subject. */
export const fileFaultText = (reason: FileFault, values: FaultValues): string =>
  told(FILE_TEXTS[reason], values);

/** What is wrong with a row, or with one of its cells. */
export const rowFault = (
  column: LeadColumn | null,
  reason: FoundFault,
  values: FaultValues = {},
): Omit<ImportFault, 'row'> => ({ column, reason, values, message: told(ROW_TEXTS[reason], values) });

/** Digits of a phone were lost, or come from nowhere. */
export const roundedPhone = (): Omit<ImportFault, 'row'> => ({
  ...{ column: 'phone', reason: 'not_valid', values: { rounded: 1 } },
  message: 'was rounded by a spreadsheet: format the column as text, and give the whole number',
});
