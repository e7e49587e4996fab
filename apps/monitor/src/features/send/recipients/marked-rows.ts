import type { Card } from '@app/contracts/board-events';
import { contactOf } from '@app/contracts/values/phone.words';
import { channelOf } from '../../../shared/leads/lead-names.format';
import { wordsOfFault } from '../../../shared/template/slot.rules';
import type { OptedOut } from './opted-out.hook';
import { sendWords } from '../send.words';
import type { CheckedRow, Fault, Sender } from '../send-types';

/** A row with all that speaks against sending to it. */
export interface MarkedRow extends CheckedRow {
  /** The earlier row for the same customer, as far as the page knows who a dialog is with. */
  duplicateOf: number | null;
  isOptedOut: boolean;
}

/** What the person leaves out. */
interface LeftOut {
  duplicates: boolean;
  optedOut: boolean;
}

/** What of a dialog the service would refuse, and the whole part of the list with it. */
function faultOfDialog(dialog: Card | null, sender: Sender): Fault[] {
  if (dialog === null) return [{ kind: 'no_dialog' }];
  if (dialog.erased_at !== null) return [{ kind: 'erased' }];
  if (dialog.bot_id !== sender.botId || channelOf(dialog) !== sender.channel)
    return [{ kind: 'other_number' }];
  // Gupshup's.
  return dialog.phone === null && sender.channel === 'waba' ? [{ kind: 'phoneless' }] : [];
}

/** @param sender null: none is chosen yet, and so nothing is known */
export function markRows(
  rows: readonly CheckedRow[],
  { contacts, dialogs }: Pick<OptedOut, 'contacts' | 'dialogs'>,
  sender: Sender | null,
): MarkedRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    if (row.to === null) return { ...row, duplicateOf: null, isOptedOut: false };
    const dialog = dialogs.get(row.to);
    const ofDialog = dialog === undefined || sender === null ? [] : faultOfDialog(dialog, sender);
    const faults = [...ofDialog, ...row.faults];
    const contact = contactOf(dialog?.phone ?? row.to);
    const duplicateOf = seen.get(contact) ?? null;
    // A row that cannot be sent keeps none that can from being sent.
    if (duplicateOf === null && faults.length === 0) seen.set(contact, row.row);
    return { ...row, faults, duplicateOf, isOptedOut: dialog?.opted_out ?? contacts.has(contact) };
  });
}

export const isMarked = ({ faults, duplicateOf, isOptedOut }: MarkedRow): boolean =>
  faults.length > 0 || duplicateOf !== null || isOptedOut;

/** A recipient who is sent to. */
export type ReadyRow = MarkedRow & { to: string };

export const readyOf = (rows: readonly MarkedRow[], leftOut: LeftOut): ReadyRow[] =>
  rows.filter(
    (row): row is ReadyRow =>
      row.to !== null &&
      row.faults.length === 0 &&
      !(leftOut.duplicates && row.duplicateOf !== null) &&
      !(leftOut.optedOut && row.isOptedOut),
  );

const faultWords = (fault: Fault): string =>
  'slot' in fault ? `${fault.slot}: ${wordsOfFault(fault.kind)}` : sendWords.say(`fault_${fault.kind}`);

/** All marks of a row in words. */
export const marksOf = ({ faults, duplicateOf, isOptedOut }: MarkedRow, isFile: boolean): string[] => [
  ...faults.map(faultWords),
  ...(duplicateOf === null
    ? []
    : [sendWords.say(isFile ? 'duplicateOf' : 'duplicateOfLine', { row: duplicateOf })]),
  ...(isOptedOut ? [sendWords.say('optedOut')] : []),
];

/** Why a row that is not sent is left out; of several reasons the one by which there is least to do. */
type LeftOutKind = 'duplicates' | 'faults' | 'optedOut';

const kindOf = ({ faults, duplicateOf }: MarkedRow, leftOut: LeftOut): LeftOutKind => {
  if (leftOut.duplicates && duplicateOf !== null) return 'duplicates';
  return faults.length > 0 ? 'faults' : 'optedOut';
};

/** The rows that are not sent, each once, by why. */
export function leftOutOf(rows: readonly MarkedRow[], leftOut: LeftOut): Record<LeftOutKind, MarkedRow[]> {
  const ready = new Set<MarkedRow>(readyOf(rows, leftOut));
  const found: Record<LeftOutKind, MarkedRow[]> = { faults: [], duplicates: [], optedOut: [] };
  for (const row of rows) if (!ready.has(row)) found[kindOf(row, leftOut)].push(row);
  return found;
}

/** How many are left out, in words, such as "2 with faults". */
export const leftOutWords = ({
  faults,
  duplicates,
  optedOut,
}: Record<LeftOutKind, MarkedRow[]>): string[] => [
  ...(faults.length > 0 ? [sendWords.say('faultCount', { count: faults.length })] : []),
  ...(duplicates.length > 0 ? [sendWords.say('duplicateCount', { count: duplicates.length })] : []),
  ...(optedOut.length > 0 ? [sendWords.say('optedOutCount', { count: optedOut.length })] : []),
];
