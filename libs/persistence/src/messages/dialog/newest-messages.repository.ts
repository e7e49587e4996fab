import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { mediaOf } from '../../media/media.entity';
import type { MessageRow } from './message-columns';
import { isSaid } from '../../threads/message-kinds';
import type { MessageEntity } from './message.entity';

/** A message in a list of threads. */
export type ListedMessageRow = Pick<MessageEntity, 'id' | 'thread_id' | 'role' | 'text' | 'created_at'> &
  Pick<MessageRow, 'media'>;

const NEWEST = statement('messages-newest').takes('accountId', 'threadIds', 'each', 'most')
  .returns<ListedMessageRow>(`
  SELECT m.id, m.thread_id, m.role, m.text, m.created_at, CASE WHEN m.deleted_at IS NULL THEN ${mediaOf('m')} END AS media
    FROM unnest(:threadIds::uuid[]) WITH ORDINALITY d (id, place)
    CROSS JOIN LATERAL (
      SELECT m.id, m.account_id, m.thread_id, m.role, m.text, m.created_at, m.deleted_at, m.media_id FROM messages m
       WHERE m.account_id = :accountId AND m.thread_id = d.id AND m.status <> 'dropped' AND ${isSaid('m')}
       ORDER BY m.created_at DESC, m.id DESC LIMIT :each) m
   ORDER BY d.place, m.created_at DESC, m.id DESC LIMIT :most`);

/** The messages that are shown in a list of threads. */
@Injectable()
export class NewestMessagesRepository {
  constructor(private readonly database: Database) {}

  /**
   * The newest messages of each thread, newest first, thread after thread in the order given, at most `most`. Notes
   * and parts of replies that were never sent are left out, because a list could not tell them from what was said.
   */
  async of(
    accountId: string,
    threadIds: readonly string[],
    each: number,
    most: number,
  ): Promise<ListedMessageRow[]> {
    return this.database.runFor(accountId, NEWEST, { accountId, threadIds, each, most });
  }
}
