import { isUuid } from '@app/contracts/thread-id.format';
import type { ColumnPosition } from '@app/persistence/board/board.repository';

const TIME = /^\d{4,6}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/;

/** A place in a column, opaque to the outside. */
export function encodePosition({ at, id }: ColumnPosition): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** The place, or null for anything that {@link encodePosition} did not make. */
export function decodePosition(cursor: string): ColumnPosition | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const split = text.lastIndexOf(' ');
  const position = { at: text.slice(0, split), id: text.slice(split + 1) };
  const isReal = TIME.test(position.at) && !Number.isNaN(Date.parse(`${position.at.replace(' ', 'T')}Z`));
  return isReal && isUuid(position.id) ? position : null;
}
