import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statement';

/** Twice as long as providers repeat a webhook. */
const PURGE = statement('webhook-mark-purge').takes('limit').returns(`
  DELETE FROM webhook_marks WHERE (account_id, mark) IN (
    SELECT account_id, mark FROM webhook_marks WHERE created_at < now() - interval '14 days'
     ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED)
  RETURNING 1`);

/** Marks by which a repeated report is recognised. The statement that applies the report writes its mark. */
@Injectable()
export class WebhookMarkRepository {
  constructor(private readonly database: Database) {}

  /** Deletes marks of reports that cannot come again, of all accounts, up to a number; returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
