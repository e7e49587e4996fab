import type { Card } from '@app/contracts/board.events';
import { defused } from '@app/contracts/defused.text';
import { UNREADABLE } from '@app/contracts/text.encoding';
import { LEAD_COLUMNS, TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { asPersonName } from '../accounts/person-name.rules';
import type { LeadNames } from './lead.names';

const LINE_END = '\r\n';
/** What would be read otherwise than it was written. Blanks at an end are kept by quotes in spreadsheets. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

const cell = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const lineOf = (cells: readonly string[]): string => cells.map(cell).join(',') + LINE_END;

/** The beginning of a file. Its mark has spreadsheets read it as UTF-8. */
export const CSV_HEAD = `\uFEFF${lineOf(LEAD_COLUMNS)}`;

/**
 * A lead as a line that an import takes. A phone is no formula, and stays as it is. A name that a messenger gave may need to
 * be cleaned and cut.
 */
export const csvLine = (
  { phone, customer_name: name, lead_status: status, assignee }: Card,
  names: LeadNames,
): string =>
  lineOf([
    phone ?? '',
    defused(asPersonName((name ?? '').replaceAll(UNREADABLE, ' '), TRANSFER_LIMITS.nameLengthMax)),
    defused(status ? names.labelOfStage(status) : ''),
    defused(assignee ? names.labelOfPerson(assignee) : ''),
  ]);
