import type { ThreadSort } from './list.words';
import { readTimedPosition, writeTimedPosition, type TimedPosition } from './timed-position.format';
import { isUuid } from './uuid.format';

/** The dialog that a page follows, by the order of its list. */
export type ThreadPosition =
  | { sort: Extract<ThreadSort, 'opened'>; id: string }
  | ActivityPosition
  /** A time of null: in the second part, of those in which nobody waits. */
  | { sort: Extract<ThreadSort, 'waiting'>; at: string | null; id: string };

/** What the first page has seen is part of the position, because later pages go on in its order. */
export interface ActivityPosition extends TimedPosition {
  sort: Extract<ThreadSort, 'activity'>;
  /** As PostgreSQL prints it: `xmin:xmax:running,…`. */
  snapshot: string;
  seenAt: string;
}

const SEPARATOR = '|';
const NOBODY_WAITS = 'opened';
/** PostgreSQL takes no larger transaction ids. */
const TRANSACTION_ID_MAX = 2n ** 63n;

export function writeThreadPosition(position: ThreadPosition): string {
  if (position.sort === 'opened') return position.id;
  const { at, id } = position;
  const place = at === null ? `${NOBODY_WAITS} ${id}` : writeTimedPosition({ at, id });
  const further = position.sort === 'activity' ? [position.seenAt, position.snapshot] : [];
  return [position.sort, place, ...further].join(SEPARATOR);
}

/** The position that {@link writeThreadPosition} wrote; null for any other text. */
export function readThreadPosition(text: string): ThreadPosition | null {
  if (isUuid(text)) return { sort: 'opened', id: text };
  const [sort, place = '', ...further] = text.split(SEPARATOR);
  if (sort === 'waiting' && further.length === 0) return waitingPosition(place);
  const timed = readTimedPosition(place);
  const [seenAt = '', snapshot = ''] = further;
  if (sort !== 'activity' || further.length !== 2 || !timed || !isSnapshot(snapshot)) return null;
  return readTimedPosition(`${seenAt} ${timed.id}`) && { sort, ...timed, seenAt, snapshot };
}

function waitingPosition(place: string): ThreadPosition | null {
  const [word, id = ''] = place.split(' ');
  if (word === NOBODY_WAITS) return isUuid(id) ? { sort: 'waiting', at: null, id } : null;
  const timed = readTimedPosition(place);
  return timed && { sort: 'waiting', ...timed };
}

/** Whether PostgreSQL takes it: running transactions are in order, and between the two ends. */
function isSnapshot(text: string): boolean {
  const [, low, high, running] = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19},?)*)$/.exec(text) ?? [];
  if (low === undefined || high === undefined || running === undefined || running.endsWith(',')) return false;
  const ids = running === '' ? [] : running.split(',').map(BigInt);
  const [first, end] = [BigInt(low), BigInt(high)];
  const isInOrder = ids.every((id, n) => id >= first && id < end && (n === 0 || id > (ids[n - 1] ?? 0n)));
  return first > 0n && first <= end && end < TRANSACTION_ID_MAX && isInOrder;
}
