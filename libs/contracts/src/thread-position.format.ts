import type { ThreadSort } from './list.words';
import { readTimedPosition, writeTimedPosition, type TimedPosition } from './timed-position.format';
import { isUuid } from './uuid.format';

/** The dialog that a page follows, by the order of its list. */
export type ThreadPosition =
  | { sort: Extract<ThreadSort, 'opened'>; id: string }
  | ActivityPosition
  | WaitingPosition;

/** What the first page has seen of the database. It is part of a position, because later pages go on in its order. */
export interface SeenFirst {
  /** As PostgreSQL prints it: `xmin:xmax:running,…`. */
  snapshot: string;
  seenAt: string;
}

export interface ActivityPosition extends TimedPosition, SeenFirst {
  sort: Extract<ThreadSort, 'activity'>;
}

export interface WaitingPosition extends SeenFirst {
  sort: Extract<ThreadSort, 'waiting'>;
  /** Null: in the second part, of those in which nobody waited. */
  at: string | null;
  id: string;
}

const SEPARATOR = '|';
const NOBODY_WAITS = 'opened';
/** Statements compute with transaction ids as 64-bit numbers. There are never so many. */
const TRANSACTION_ID_MAX = 2n ** 62n;
/** Of a transaction id the lower half, which PostgreSQL takes for none if it is 0. */
const HALF = 2n ** 32n;

export function writeThreadPosition(position: ThreadPosition): string {
  if (position.sort === 'opened') return position.id;
  const { sort, at, id, seenAt, snapshot } = position;
  const place = at === null ? `${NOBODY_WAITS} ${id}` : writeTimedPosition({ at, id });
  return [sort, place, seenAt, snapshot].join(SEPARATOR);
}

/** The position that {@link writeThreadPosition} wrote; null for any other text. */
export function readThreadPosition(text: string): ThreadPosition | null {
  if (isUuid(text)) return { sort: 'opened', id: text };
  const [sort, place = '', seenAt = '', snapshot = '', ...further] = text.split(SEPARATOR);
  const timed = readTimedPosition(place);
  const id = timed?.id ?? (sort === 'waiting' ? idOfNotWaiting(place) : null);
  if (id === null || further.length > 0 || !isSnapshot(snapshot)) return null;
  if (readTimedPosition(`${seenAt} ${id}`) === null) return null;
  const seen = { seenAt, snapshot };
  if (sort === 'waiting') return { sort, at: timed?.at ?? null, id, ...seen };
  return sort === 'activity' && timed ? { sort, ...timed, ...seen } : null;
}

function idOfNotWaiting(place: string): string | null {
  const [word, id = ''] = place.split(' ');
  return word === NOBODY_WAITS && isUuid(id) ? id : null;
}

/** Whether PostgreSQL takes it: running transactions are in order, and between the two ends. */
function isSnapshot(text: string): boolean {
  const [, low, high, running] = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19},?)*)$/.exec(text) ?? [];
  if (low === undefined || high === undefined || running === undefined || running.endsWith(',')) return false;
  const ids = running === '' ? [] : running.split(',').map(BigInt);
  const [first, end] = [BigInt(low), BigInt(high)];
  const isInOrder = ids.every((id, n) => id >= first && id < end && (n === 0 || id > (ids[n - 1] ?? 0n)));
  return first <= end && end <= TRANSACTION_ID_MAX && [first, end, ...ids].every(isId) && isInOrder;
}

const isId = (id: bigint): boolean => id % HALF !== 0n;
