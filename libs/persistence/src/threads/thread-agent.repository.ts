import { Injectable } from '@nestjs/common';
import type { Visibility } from '../accounts/reach-scope';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';
import type { ThreadEntity } from './thread.entity';

const FIND = statement('thread-agent').takes('accountId', 'threadId', 'assistantIds').returns<
  Pick<ThreadEntity, 'assistant_id'>
>(`
  SELECT assistant_id FROM threads
   WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[])`);

/** Whose dialogs they are, among the agents. */
@Injectable()
export class ThreadAgentRepository {
  constructor(private readonly database: Database) {}

  /** The agent of a thread; null when the caller sees no such thread. */
  async agentOf({ accountId, assistantIds }: Visibility, threadId: string): Promise<string | null> {
    const [row] = await this.database.runFor(accountId, FIND, { accountId, threadId, assistantIds });
    return row?.assistant_id ?? null;
  }
}
