import { NOTE } from '@app/contracts/message.words';
import type { Sending } from '../composer/sending.store';
import type { TimelineRow } from './timeline-rows';

/** A line of the log: of the dialog itself, of what is on its way, or that the agent writes. */
export type LogRow =
  | TimelineRow
  | { key: string; kind: 'sending'; sending: Sending }
  | { key: string; kind: 'typing' };

/** Says more than who wrote it, so its head always stands. */
const HEADED: ReadonlySet<string> = new Set([NOTE, 'template', 'reaction']);

/** Whether a line goes on with what its writer said in the line above. */
export function continues(row: LogRow, above: LogRow | undefined): boolean {
  const writer = writerOf(row);
  return writer !== null && above !== undefined && writerOf(above) === writer;
}

/** Null: the line is no plain message. */
function writerOf(row: LogRow): string | null {
  if (row.kind === 'message')
    return HEADED.has(row.message.type) ? null : (row.message.author?.id ?? row.message.role);
  if (row.kind === 'sending') return row.sending.kind === 'note' ? null : (row.sending.by ?? 'OPERATOR');
  return null;
}
