import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement, purgeOf } from '../database/sql.statements';

/** Twice as long as providers repeat a webhook. */
const PURGE = statement('webhook-mark-purge')
  .takes('limit')
  .returns(
    purgeOf('webhook_marks', { where: `o.created_at < now() - interval '14 days'`, by: 'created_at' }),
  );

/** Marks by which a repeated report is recognised. The statement that applies the report writes its mark. */
@Injectable()
export class WebhookMarkRepository {
  constructor(private readonly database: Database) {}

  /** Deletes marks of reports that cannot come again, of all accounts, up to a number; returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
