import type { TimedPosition } from '@app/contracts/timed-position.format';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { preciseTime, preciseTimeOf } from '../database/precise.time';
import type { Visibility } from '../accounts/visibility.scope';
import { MESSAGE_COLUMNS, type MessageRow } from './message.columns';

export interface PositionedMessageRow extends MessageRow {
  /** `created_at` with its microseconds, for the cursor. */
  position_at: string;
}

/**
 * Messages in the order of their arrival, by the database's clock only. A customer's message is stored when it comes
 * in, ours before its request leaves, so a quick answer never comes before what it answers. The providers' times are
 * whole seconds. $1 account $2 thread $3 agents $4 after: time $5 and id, or null $6 limit. One row with nulls: a
 * dialog without messages.
 */
const PAGE: PreparedStatement = {
  name: 'message-page',
  text: `
  SELECT m.*
    FROM threads t
    LEFT JOIN LATERAL (
      SELECT ${MESSAGE_COLUMNS}, ${preciseTime('m.created_at')} AS position_at
        FROM messages m WHERE m.account_id = $1 AND m.thread_id = $2
         AND (m.created_at, m.id) < (coalesce(${preciseTimeOf('$4')}, 'infinity'),
                                     coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       ORDER BY m.created_at DESC, m.id DESC LIMIT $6) m ON true
   WHERE t.account_id = $1 AND t.id = $2 AND t.assistant_id = ANY ($3::uuid[])
   ORDER BY m.created_at DESC, m.id DESC`,
};

@Injectable()
export class MessageListRepository {
  constructor(private readonly database: Database) {}

  /**
   * Messages of one dialog, newest first.
   * @param after the position of the message that the page follows; null for the newest
   * @returns null when the caller sees no such dialog.
   */
  async page(
    of: Visibility,
    threadId: string,
    after: TimedPosition | null,
    limit: number,
  ): Promise<PositionedMessageRow[] | null> {
    const values = [of.accountId, threadId, of.assistantIds, after?.at ?? null, after?.id ?? null, limit];
    const rows = await this.database.runFor<PositionedMessageRow>(of.accountId, PAGE, values);
    if (rows.length === 0) return null;
    return rows.filter((row) => row.id !== null);
  }
}
