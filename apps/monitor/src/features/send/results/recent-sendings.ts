import type { ListedBatchAnswer } from '@app/client/api-types';
import { RECIPIENTS_LEAST } from './parts-split';

/** The longest that two parts of one list are apart: the next is handed over when nothing of the one before is in line. */
const APART_MS = 2 * 60_000;

type Counts = Pick<ListedBatchAnswer, 'total' | 'sent' | 'failed' | 'queued' | 'unknown'>;

/** A list as a person sent it, in one part or several. */
export interface RecentSending extends Counts, Pick<ListedBatchAnswer, 'template' | 'author'> {
  /** Of its parts, in the order in which they were sent. */
  batchIds: readonly string[];
  /** When its first part was sent. */
  at: string;
}

const sumOf = (parts: readonly ListedBatchAnswer[], of: keyof Counts): number =>
  parts.reduce((sum, part) => sum + part[of], 0);

/** The service knows parts alone: those of one list follow each other, by one person, with one template, from one number. */
function belongTogether(later: ListedBatchAnswer, earlier: ListedBatchAnswer): boolean {
  const source = ({ author, bot_id, channel, template }: ListedBatchAnswer): string =>
    [author?.id, bot_id, channel, template?.name, template?.language].join(' ');
  return (
    later.author !== null &&
    source(later) === source(earlier) &&
    // Only the last part is smaller than the others: what was sent to oneself first is a list of its own.
    earlier.total >= RECIPIENTS_LEAST &&
    earlier.total >= later.total &&
    Date.parse(later.created_at) - Date.parse(earlier.created_at) <= APART_MS
  );
}

/** Lists, newest first, of parts that are newest first. */
export function recentSendings(batches: readonly ListedBatchAnswer[]): RecentSending[] {
  const groups: ListedBatchAnswer[][] = [];
  for (const batch of batches) {
    const last = groups.at(-1)?.[0];
    if (last && belongTogether(last, batch)) groups.at(-1)?.unshift(batch);
    else groups.push([batch]);
  }
  return groups.flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    return {
      ...{ batchIds: parts.map(({ batch_id: id }) => id), at: first.created_at },
      ...{ template: first.template, author: first.author, total: sumOf(parts, 'total') },
      ...{ sent: sumOf(parts, 'sent'), failed: sumOf(parts, 'failed') },
      ...{ queued: sumOf(parts, 'queued'), unknown: sumOf(parts, 'unknown') },
    };
  });
}
