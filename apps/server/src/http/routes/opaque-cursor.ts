import {
  readFunnelPosition,
  writeFunnelPosition,
  type FunnelPosition,
  readScenarioPosition,
  writeScenarioPosition,
  type ScenarioPosition,
  readTimedPosition,
  readTwoWayPosition,
  writeTimedPosition,
  writeTwoWayPosition,
  type TimedPosition,
  type TwoWayPosition,
  readThreadPosition,
  writeThreadPosition,
  type ThreadPosition,
} from '@app/contracts/values/list-position.format';
import { isUuid } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/coded.errors';

interface CursorFormat<Position> {
  write(position: Position): string;
  /** Null for a text that is no position. A text that `write` would not have written is refused. */
  read(text: string): Position | null;
}

/** A position in a list, opaque to callers: each position has exactly one cursor. */
export class OpaqueCursor<Position> {
  constructor(private readonly format: CursorFormat<Position>) {}

  encode(position: Position): string {
    return Buffer.from(this.format.write(position)).toString('base64url');
  }

  /**
   * @throws ValidationError for anything that {@link encode} did not produce.
   */
  decode(cursor: unknown): Position {
    const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('latin1') : '';
    const position = this.format.read(text);
    if (position === null || this.encode(position) !== cursor) {
      throw new ValidationError([
        { path: 'cursor', message: 'is not a cursor of this list: take next_cursor as it came' },
      ]);
    }
    return position;
  }
}

/** Of a list that is ordered by id. */
export const ID_CURSOR = new OpaqueCursor<string>({
  write: (id) => id,
  read: (text) => (isUuid(text) ? text : null),
});

/** Of a list that is ordered by one number. */
export const NUMBER_CURSOR = new OpaqueCursor<number>({
  write: (position) => `n${position}`,
  read: (text) => {
    const position = /^n[1-9]\d{0,15}$/.test(text) ? Number(text.slice(1)) : NaN;
    return Number.isSafeInteger(position) ? position : null;
  },
});

/** Of a list that is ordered by time. */
export const TIME_CURSOR = new OpaqueCursor<TimedPosition>({
  write: writeTimedPosition,
  read: readTimedPosition,
});

/** Of a list that is ordered by time, and read in both directions. */
export const TWO_WAY_CURSOR = new OpaqueCursor<TwoWayPosition>({
  write: writeTwoWayPosition,
  read: readTwoWayPosition,
});

/** Of a list of dialogs, in each of its orders. */
export const THREAD_CURSOR = new OpaqueCursor<ThreadPosition>({
  write: writeThreadPosition,
  read: readThreadPosition,
});

/** Of a list of stages. */
export const FUNNEL_CURSOR = new OpaqueCursor<FunnelPosition>({
  write: writeFunnelPosition,
  read: readFunnelPosition,
});

/** Of a list of scenarios. */
export const SCENARIO_CURSOR = new OpaqueCursor<ScenarioPosition>({
  write: writeScenarioPosition,
  read: readScenarioPosition,
});

interface Page<T> {
  page: T[];
  next_cursor: string | null;
}

/** The first `limit` rows, and the cursor after them when there are more. */
export const pageOf = <T extends { id: string }>(rows: T[], limit: number): Page<T> =>
  pageBy((row) => ID_CURSOR.encode(row.id), rows, limit);

/** Likewise, of a list with another order. */
export function pageBy<T>(cursorOf: (row: T) => string, rows: T[], limit: number): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? cursorOf(last) : null };
}
