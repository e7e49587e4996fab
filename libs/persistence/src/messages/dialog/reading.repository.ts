import { Injectable } from '@nestjs/common';
import type { Visibility } from '../../accounts/reach-scope';
import { RowBusyError } from '../../database/database.errors';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { EDITING, editingValues, editThread, type ThreadCall } from '../../threads/thread-edit.statements';
import type { ThreadEntity } from '../../threads/thread.entity';
import { ThreadLockQueues } from '../../threads/thread-lock-queues';
import { ENTRIES } from '../../threads/thread-log.statements';
import type { MessageEntity } from './message.entity';
import { isToBeRead } from '../../threads/message-kinds';

/** What became of a mark. */
export interface MarkedRead extends Pick<ThreadEntity, 'bot_id' | 'channel' | 'unread_count'> {
  changed: boolean;
  /** The provider's id of the customer's newest message up to the mark; null: there is none. */
  newest_read: MessageEntity['provider_id'];
}

/** `found`: the thread has such a message; `again`: the thread changed while its lock was awaited. */
type Outcome = MarkedRead & { found: boolean; again: boolean };

/** Each try looks anew. The thread changes between a statement's beginning and its lock only where others write at that moment. */
const TRIES = 10;

/**
 * Messages up to one of them are read: what is unread is what the customer wrote after it, and no more than before. The
 * count is as old as the statement. Where the thread changed while its lock was awaited, nothing is done, because the count
 * may lack a message. When the thread was last active stays as it is.
 */
const MARK_READ = statement('thread-mark-read').takes(...EDITING, 'upTo', 'tells').returns<Outcome>(`
  WITH mark AS MATERIALIZED (
    SELECT created_at, id FROM messages
     WHERE account_id = :accountId AND id = :upTo AND thread_id = :threadId),
  ${editThread({
    reads: ['unread_count', 'bot_id', 'channel'],
    facts: {
      is_fresh: `c.version = (SELECT s.version FROM threads s WHERE s.account_id = :accountId AND s.id = c.id)`,
      unread_after: `(SELECT count(*)::int FROM (
             SELECT 1 FROM mark k JOIN messages m ON m.account_id = :accountId AND m.thread_id = :threadId
                AND (m.created_at, m.id) > (k.created_at, k.id) AND ${isToBeRead('m')}
              LIMIT (SELECT unread_count FROM cur)) n)`,
    },
    differs: 'd.is_fresh AND d.unread_after < d.unread_count AND EXISTS (SELECT 1 FROM mark)',
    changes: { unread_count: 'd.unread_after' },
    entry: ENTRIES.card,
  })}
  SELECT EXISTS (SELECT 1 FROM mark) AS found, NOT d.is_fresh AS again, EXISTS (SELECT 1 FROM edited) AS changed,
         least(d.unread_count, d.unread_after) AS unread_count, d.bot_id, d.channel,
         CASE WHEN :tells::boolean THEN (
           SELECT m.provider_id FROM messages m JOIN mark k ON (m.created_at, m.id) <= (k.created_at, k.id)
            WHERE m.account_id = :accountId AND m.thread_id = :threadId AND m.inbound AND m.type <> 'call'
            ORDER BY m.created_at DESC, m.id DESC LIMIT 1) END AS newest_read
    FROM decided d`);

/** What people have read of a thread. */
@Injectable()
export class ReadingRepository {
  constructor(
    private readonly database: Database,
    private readonly lockQueues: ThreadLockQueues,
  ) {}

  /**
   * Marks a thread's messages as read up to one of them, which counts too.
   * @param tells whether the customer's newest message up to there is wanted
   * @returns `no_thread`, `no_message` when the caller sees no such thread, or it has no such message
   */
  async markRead(
    of: Visibility,
    call: ThreadCall,
    upTo: string,
    tells: boolean,
  ): Promise<MarkedRead | 'no_thread' | 'no_message'> {
    const values = { ...editingValues(of, call), upTo, tells };
    for (let tried = 1; tried <= TRIES; tried++) {
      const [outcome] = await this.lockQueues.run(of.accountId, call.threadId, () =>
        this.database.runFor(of.accountId, MARK_READ, values),
      );
      if (!outcome) return 'no_thread';
      if (!outcome.found) return 'no_message';
      if (!outcome.again) return outcome;
    }
    throw new RowBusyError(new Error('the thread changes at every try to mark it as read'));
  }
}
