import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { NotNull } from '../database/row.types';
import { statement } from '../database/sql.statement';
import type { Visibility } from '../accounts/visibility.scope';
import type { ThreadEntity } from '../threads/thread.entity';
import type { MessageEntity } from './message.entity';

/**
 * By which number a thread's messages go, which never changes, and to whom: the customer's phone, or else what the
 * provider knows them by.
 */
export type ThreadChannel = Pick<ThreadEntity, 'bot_id' | 'channel' | 'erased_at'> &
  NotNull<Pick<MessageEntity, 'recipient'>>;

const FIND = statement('thread-channel-find').takes('accountId', 'threadId', 'assistantIds')
  .returns<ThreadChannel>(`
  SELECT bot_id, channel, erased_at, coalesce(phone, user_id, contact) AS recipient FROM threads
   WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[])`);

@Injectable()
export class ThreadChannelRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when the caller sees no such thread. */
  async find({ accountId, assistantIds }: Visibility, threadId: string): Promise<ThreadChannel | null> {
    const [row] = await this.database.runFor(accountId, FIND, { accountId, threadId, assistantIds });
    return row ?? null;
  }
}
