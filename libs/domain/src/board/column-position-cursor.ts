import {
  readTimedPosition,
  writeTimedPosition,
  type TimedPosition,
  readThreadPosition,
  writeThreadPosition,
  type ThreadPosition,
} from '@app/contracts/values/list-position.format';

interface ColumnCursor<Position> {
  /** Opaque to callers. */
  encode: (position: Position) => string;
  /** The position, or null for anything that `encode` did not produce. Each position has exactly one cursor. */
  decode: (cursor: string) => Position | null;
}

function cursorOf<Position>(
  write: (position: Position) => string,
  read: (text: string) => Position | null,
): ColumnCursor<Position> {
  const encode = (position: Position): string => Buffer.from(write(position)).toString('base64url');
  return {
    encode,
    decode: (cursor) => {
      const position = read(Buffer.from(cursor, 'base64url').toString('utf8'));
      return position && encode(position) === cursor ? position : null;
    },
  };
}

/** A position in a column of all leads, the last active first. */
export const ACTIVITY_CURSOR = cursorOf<TimedPosition>(writeTimedPosition, readTimedPosition);

/** A position in any other column. */
export const COLUMN_CURSOR = cursorOf<ThreadPosition>(writeThreadPosition, readThreadPosition);
