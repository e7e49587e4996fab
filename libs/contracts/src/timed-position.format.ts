import { isUuid } from './uuid.format';

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
