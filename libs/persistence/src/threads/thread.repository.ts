import { Injectable } from '@nestjs/common';
import type { Visibility } from '../accounts/reach-scope';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';
import type { ThreadEntity } from './thread.entity';

const FIND_AGENT = statement('thread-agent').takes('accountId', 'threadId', 'assistantIds').returns<
  Pick<ThreadEntity, 'assistant_id'>
>(`
  SELECT assistant_id FROM threads
   WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[])`);

const FIND_ERASED = statement('erased-thread-find').takes('accountId', 'threadId', 'assistantIds').returns<{
  is_erased: boolean;
}>(`
  SELECT true AS is_erased FROM threads
   WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[]) AND erased_at IS NOT NULL`);

/** What is asked of one thread. */
@Injectable()
export class ThreadRepository {
  constructor(private readonly database: Database) {}

  /** The agent of a thread; null when the caller sees no such thread. */
  async agentOf({ accountId, assistantIds }: Visibility, threadId: string): Promise<string | null> {
    const [row] = await this.database.runFor(accountId, FIND_AGENT, { accountId, threadId, assistantIds });
    return row?.assistant_id ?? null;
  }

  /** Whether a thread that a call found not to be there is one that was erased, which nobody changes any more. */
  async isErased({ accountId, assistantIds }: Visibility, threadId: string): Promise<boolean> {
    const values = { accountId, threadId, assistantIds };
    return (await this.database.runFor(accountId, FIND_ERASED, values)).length > 0;
  }
}
