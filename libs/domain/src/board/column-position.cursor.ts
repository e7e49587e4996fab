import {
  readTimedPosition,
  writeTimedPosition,
  type TimedPosition,
} from '@app/contracts/timed-position.format';

/** A position in a column, opaque to callers. */
export function encodePosition(position: TimedPosition): string {
  return Buffer.from(writeTimedPosition(position)).toString('base64url');
}

/**
 * The position, or null for anything that {@link encodePosition} did not produce. Each position has exactly one
 * cursor.
 */
export function decodePosition(cursor: string): TimedPosition | null {
  const position = readTimedPosition(Buffer.from(cursor, 'base64url').toString('utf8'));
  return position && encodePosition(position) === cursor ? position : null;
}
