import { isUuid } from '@app/contracts/uuid.format';
import type { ColumnPosition } from '@app/persistence/board/board.repository';

const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/;

/** A place in a column, opaque to the outside. */
export function encodePosition({ at, id }: ColumnPosition): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** The place, or null for anything that {@link encodePosition} did not make: there is one cursor for each place. */
export function decodePosition(cursor: string): ColumnPosition | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const split = text.lastIndexOf(' ');
  const position = { at: text.slice(0, split), id: text.slice(split + 1) };
  const isPlace = isRealTime(position.at) && isUuid(position.id);
  return isPlace && encodePosition(position) === cursor ? position : null;
}

/** Whether PostgreSQL takes it too: JavaScript reads the 30th of February as the 2nd of March, and has a year 0. */
function isRealTime(at: string): boolean {
  if (!TIME.test(at) || at.startsWith('0000')) return false;
  const time = new Date(`${at.replace(' ', 'T')}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(at.slice(0, 10));
}
