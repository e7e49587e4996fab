import type { TimedPosition } from '@app/contracts/values/list-position.format';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { preciseTime, preciseTimeOf, statement } from '../database/sql.statements';
import { CARD_COLUMNS, type CardRow } from '../threads/card-columns';

export interface BoardCardRow extends CardRow {
  /** `last_activity_at` with its microseconds, for the cursor. A JavaScript date would cut them off. */
  position_at: string;
}

export interface CountRow extends Pick<CardRow, 'status_id'> {
  /** Null in the only row of an agent without leads. */
  total: number | null;
  /** Events above the given number that changed the counts and are included in them: moves and new threads. */
  counted: number[];
}

const COLUMNS = `${CARD_COLUMNS}, ${preciseTime('t.last_activity_at')} AS position_at`;

/** The stage is in the order because the index has that order. For the planner, IS NULL alone does not fix its place. */
const cards = (where: string): string => `
  SELECT * FROM threads WHERE account_id = :accountId AND assistant_id = :assistantId AND ${where}
   ORDER BY status_id, last_activity_at DESC, id DESC LIMIT :limit`;

/** The newest cards of every column; each column is a range of one index. */
const SNAPSHOT = statement('board-snapshot').takes('accountId', 'assistantId', 'limit')
  .returns<BoardCardRow>(`
  SELECT ${COLUMNS}
    FROM statuses s CROSS JOIN LATERAL (${cards('status_id = s.id')}) t
   WHERE s.account_id = :accountId AND s.assistant_id = :assistantId AND s.archived_at IS NULL
  UNION ALL
  SELECT ${COLUMNS}
    FROM (${cards('status_id IS NULL')}) t LEFT JOIN statuses s ON false
   ORDER BY position_at DESC, id DESC`);

const AFTER = `(last_activity_at, id) < (${preciseTimeOf(':afterAt')}, :afterId::uuid)`;
const PAGE = ['accountId', 'assistantId', 'limit', 'afterAt', 'afterId'] as const;

const MORE = statement('board-more').takes(...PAGE, 'statusId').returns<BoardCardRow>(`
  SELECT ${COLUMNS}
    FROM (${cards(`status_id = :statusId::uuid AND ${AFTER}`)}) t
    JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   ORDER BY t.last_activity_at DESC, t.id DESC`);

const MORE_WITHOUT_STAGE = statement('board-more-none').takes(...PAGE).returns<BoardCardRow>(`
  SELECT ${COLUMNS}
    FROM (${cards(`status_id IS NULL AND ${AFTER}`)}) t LEFT JOIN statuses s ON false
   ORDER BY t.last_activity_at DESC, t.id DESC`);

/** One statement, so that the counts and the events that they include are of one snapshot. */
const COUNTS = statement('board-counts').takes('accountId', 'assistantId', 'above').returns<CountRow>(`
  SELECT c.status_id, c.total, e.counted
    FROM (SELECT array(SELECT seq::float8 FROM events
                        WHERE account_id = :accountId AND assistant_id = :assistantId AND seq > :above::bigint
                          AND type IN ('status', 'opened')) AS counted) e
    LEFT JOIN (SELECT status_id, count(*)::int AS total FROM threads
                WHERE account_id = :accountId AND assistant_id = :assistantId GROUP BY status_id) c ON true`);

/** What a board shows when it is opened. */
@Injectable()
export class BoardRepository {
  constructor(private readonly database: Database) {}

  /** The newest cards of every column, newest first. */
  async newestCards(accountId: string, assistantId: string, limitPerColumn: number): Promise<BoardCardRow[]> {
    return this.database.runFor(accountId, SNAPSHOT, { accountId, assistantId, limit: limitPerColumn });
  }

  /** The cards of one column after a position, newest first. */
  async cardsAfter(
    accountId: string,
    assistantId: string,
    statusId: string | null,
    after: TimedPosition,
    limit: number,
  ): Promise<BoardCardRow[]> {
    const values = { accountId, assistantId, limit, afterAt: after.at, afterId: after.id };
    return statusId === null
      ? this.database.runFor(accountId, MORE_WITHOUT_STAGE, values)
      : this.database.runFor(accountId, MORE, { ...values, statusId });
  }

  /** Leads per stage, counted, with the moves and new threads above a number of the log that the counts include. */
  async countByStatus(accountId: string, assistantId: string, above: number): Promise<CountRow[]> {
    return this.database.runFor(accountId, COUNTS, { accountId, assistantId, above });
  }
}
