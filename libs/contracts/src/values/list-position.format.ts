import type { ThreadSort } from '../lead.words';
import { isUuid } from '../uuid.format';

/** A position in a list that is ordered by time and, within one instant, by id. */
export interface TimedPosition {
  /** In microseconds, as PostgreSQL prints it in UTC. A JavaScript date would cut it to milliseconds. */
  at: string;
  id: string;
}

const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/;

export const writeTimedPosition = ({ at, id }: TimedPosition): string => `${at} ${id}`;

/** The position that {@link writeTimedPosition} wrote; null for any other text. */
export function readTimedPosition(text: string): TimedPosition | null {
  const split = text.lastIndexOf(' ');
  const position = { at: text.slice(0, split), id: text.slice(split + 1) };
  return isRealTime(position.at) && isUuid(position.id) ? position : null;
}

/** Whether PostgreSQL accepts the date too. JavaScript reads 30 February as 2 March, and has a year 0. */
function isRealTime(at: string): boolean {
  if (!TIME.test(at) || at.startsWith('0000')) return false;
  const time = new Date(`${at.replace(' ', 'T')}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(at.slice(0, 10));
}

/** Which page of a list is wanted that is shown newest first: what is older than a position, or what is newer. */
export interface TwoWayPosition extends TimedPosition {
  newer: boolean;
}

const NEWER = 'newer ';

export const writeTwoWayPosition = ({ newer, ...position }: TwoWayPosition): string =>
  `${newer ? NEWER : ''}${writeTimedPosition(position)}`;

/** The position that {@link writeTwoWayPosition} wrote; null for any other text. */
export function readTwoWayPosition(text: string): TwoWayPosition | null {
  const newer = text.startsWith(NEWER);
  const position = readTimedPosition(newer ? text.slice(NEWER.length) : text);
  return position && { ...position, newer };
}

/** A position in a list of stages. The list is ordered by agent, then by `order`, then by id. */
export interface FunnelPosition {
  assistantId: string;
  order: number;
  id: string;
}

/** The range of PostgreSQL's integer. A larger number would fail in the database. */
const ORDER_MAX = 2_147_483_647;

export const writeFunnelPosition = ({ assistantId, order, id }: FunnelPosition): string =>
  `${assistantId} ${order} ${id}`;

/** The position that {@link writeFunnelPosition} wrote; null for any other text. */
export function readFunnelPosition(text: string): FunnelPosition | null {
  const [assistantId = '', position = '', id = ''] = text.split(' ');
  const order = Number(position);
  const isPosition =
    isUuid(assistantId) && Number.isInteger(order) && Math.abs(order) <= ORDER_MAX && isUuid(id);
  return isPosition ? { assistantId, order, id } : null;
}

/** A position in a list of scenarios. The list is ordered by agent, by stage, by `order`, then by id. */
export interface ScenarioPosition {
  assistantId: string;
  statusId: string;
  order: number;
  id: string;
}

export const writeScenarioPosition = ({ assistantId, statusId, order, id }: ScenarioPosition): string =>
  `${assistantId} ${statusId} ${order} ${id}`;

/** The position that {@link writeScenarioPosition} wrote; null for any other text. */
export function readScenarioPosition(text: string): ScenarioPosition | null {
  const [assistantId = '', statusId = '', position = '', id = ''] = text.split(' ');
  const order = Number(position);
  const isPosition =
    [assistantId, statusId, id].every(isUuid) && Number.isInteger(order) && Math.abs(order) <= ORDER_MAX;
  return isPosition ? { assistantId, statusId, order, id } : null;
}

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

interface WaitingPosition extends SeenFirst {
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
