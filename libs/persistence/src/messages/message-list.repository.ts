import type { TimedPosition } from '@app/contracts/timed-position.format';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { preciseTime, preciseTimeOf } from '../database/precise.time';
import { statement } from '../database/sql.statement';
import type { Visibility } from '../accounts/visibility.scope';
import { MESSAGE_COLUMNS, type MessageRow } from './message.columns';

export interface PositionedMessageRow extends MessageRow {
  /** `created_at` with its microseconds, for the cursor. */
  position_at: string;
}

/**
 * Messages in the order of their arrival, by the database's clock alone. A customer's message is stored when it arrives,
 * ours before its request leaves, so that a quick answer never precedes what it answers. The providers' own times are
 * whole seconds. A thread without messages is one row of nulls.
 */
const PAGE = statement('message-page').takes(
  'accountId',
  'threadId',
  'assistantIds',
  'afterAt',
  'afterId',
  'limit',
).returns<PositionedMessageRow>(`
  SELECT m.*
    FROM threads t
    LEFT JOIN LATERAL (
      SELECT ${MESSAGE_COLUMNS}, ${preciseTime('m.created_at')} AS position_at
        FROM messages m WHERE m.account_id = :accountId AND m.thread_id = :threadId
         AND (m.created_at, m.id) < (coalesce(${preciseTimeOf(':afterAt')}, 'infinity'),
                                     coalesce(:afterId::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       ORDER BY m.created_at DESC, m.id DESC LIMIT :limit) m ON true
   WHERE t.account_id = :accountId AND t.id = :threadId AND t.assistant_id = ANY (:assistantIds::uuid[])
   ORDER BY m.created_at DESC, m.id DESC`);

@Injectable()
export class MessageListRepository {
  constructor(private readonly database: Database) {}

  /**
   * Messages of one thread, newest first.
   * @param after the position of the message that the page follows; null for the newest.
   * @returns null when the caller sees no such thread.
   */
  async page(
    { accountId, assistantIds }: Visibility,
    threadId: string,
    after: TimedPosition | null,
    limit: number,
  ): Promise<PositionedMessageRow[] | null> {
    const position = { afterAt: after?.at ?? null, afterId: after?.id ?? null };
    const values = { accountId, threadId, assistantIds, ...position, limit };
    const rows = await this.database.runFor(accountId, PAGE, values);
    if (rows.length === 0) return null;
    return rows.filter((row) => row.id !== null);
  }
}
