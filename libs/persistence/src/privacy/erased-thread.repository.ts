import { Injectable } from '@nestjs/common';
import type { Visibility } from '../accounts/reach-scope';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';

const FIND = statement('erased-thread-find').takes('accountId', 'threadId', 'assistantIds').returns<{
  is_erased: boolean;
}>(`
  SELECT true AS is_erased FROM threads
   WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[]) AND erased_at IS NOT NULL`);

/** Threads that nobody changes any more. */
@Injectable()
export class ErasedThreadRepository {
  constructor(private readonly database: Database) {}

  /** Whether a thread that a call found not to be there is one that was erased. */
  async isErased({ accountId, assistantIds }: Visibility, threadId: string): Promise<boolean> {
    return (await this.database.runFor(accountId, FIND, { accountId, threadId, assistantIds })).length > 0;
  }
}
