import type { TimedPosition } from '@app/contracts/timed-position.format';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { preciseTime, preciseTimeOf } from '../database/precise.time';
import { CARD_COLUMNS, type CardRow } from '../threads/card.columns';

export interface BoardCardRow extends CardRow {
  /** `last_activity_at` with its microseconds, for the cursor. A JavaScript date would cut them off. */
  position_at: string;
}

export interface CountRow {
  status_id: string | null;
  /** Null in the one row of an agent without leads. */
  total: number | null;
  /** Events above the given number that changed the agent's counts and are included in them: moves and openings. */
  counted: number[];
}

const COLUMNS = `${CARD_COLUMNS}, ${preciseTime('t.last_activity_at')} AS position_at`;

const cards = (where: string): string => `
  SELECT * FROM threads WHERE account_id = $1 AND assistant_id = $2 AND ${where}
   ORDER BY last_activity_at DESC, id DESC LIMIT $3`;

/** $1 account $2 agent $3 limit: the newest cards of every column, each column read from its range of one index. */
const SNAPSHOT: PreparedStatement = {
  name: 'board-snapshot',
  text: `
  SELECT ${COLUMNS}
    FROM statuses s CROSS JOIN LATERAL (${cards('status_id = s.id')}) t
   WHERE s.account_id = $1 AND s.assistant_id = $2 AND s.archived_at IS NULL
  UNION ALL
  SELECT ${COLUMNS}
    FROM (${cards('status_id IS NULL')}) t LEFT JOIN statuses s ON false
   ORDER BY position_at DESC, id DESC`,
};

const AFTER = `(last_activity_at, id) < (${preciseTimeOf('$4')}, $5::uuid)`;

const MORE: PreparedStatement = {
  name: 'board-more',
  text: `
  SELECT ${COLUMNS}
    FROM (${cards(`status_id = $6::uuid AND ${AFTER}`)}) t
    JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   ORDER BY t.last_activity_at DESC, t.id DESC`,
};

const MORE_WITHOUT_STAGE: PreparedStatement = {
  name: 'board-more-none',
  text: `
  SELECT ${COLUMNS}
    FROM (${cards(`status_id IS NULL AND ${AFTER}`)}) t LEFT JOIN statuses s ON false
   ORDER BY t.last_activity_at DESC, t.id DESC`,
};

/** One statement, so that the counts and the list of included events are from one snapshot. */
const COUNTS: PreparedStatement = {
  name: 'board-counts',
  text: `
  SELECT c.status_id, c.total, e.counted
    FROM (SELECT array(SELECT seq::float8 FROM events
                        WHERE account_id = $1 AND assistant_id = $2 AND seq > $3::bigint AND type IN ('status', 'opened')) AS counted) e
    LEFT JOIN (SELECT status_id, count(*)::int AS total FROM threads
                WHERE account_id = $1 AND assistant_id = $2 GROUP BY status_id) c ON true`,
};

@Injectable()
export class BoardRepository {
  constructor(private readonly database: Database) {}

  /** The newest cards of every column, newest first. */
  async newestCards(accountId: string, assistantId: string, limitPerColumn: number): Promise<BoardCardRow[]> {
    return this.database.runFor<BoardCardRow>(accountId, SNAPSHOT, [accountId, assistantId, limitPerColumn]);
  }

  /** The cards of one column after a position, newest first. */
  async cardsAfter(
    accountId: string,
    assistantId: string,
    statusId: string | null,
    after: TimedPosition,
    limit: number,
  ): Promise<BoardCardRow[]> {
    const values = [accountId, assistantId, limit, after.at, after.id];
    return statusId === null
      ? this.database.runFor<BoardCardRow>(accountId, MORE_WITHOUT_STAGE, values)
      : this.database.runFor<BoardCardRow>(accountId, MORE, [...values, statusId]);
  }

  /**
   * Leads per stage, counted, with the moves and openings above a number of the event log that the counts include.
   */
  async countByStatus(accountId: string, assistantId: string, above: number): Promise<CountRow[]> {
    return this.database.runFor<CountRow>(accountId, COUNTS, [accountId, assistantId, above]);
  }
}
