import { Client } from 'pg';
import { EVENT_NOTICE } from '../database/event.notice';
import { uuidOf } from '../database/thread.uuid';

/**
 * A move of a lead in a transaction held open by hand, written as the product writes it: the thread first, then the
 * event. It has its number; when it becomes visible is up to the test.
 */
export class OpenMove {
  private constructor(
    private readonly client: Client,
    readonly seq: number,
    readonly version: number,
  ) {}

  static async begin(
    databaseUrl: string,
    threadId: string,
    statusId: string | null = null,
  ): Promise<OpenMove> {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'leadline test: open move',
    });
    // A failed test drops its database under what it left open.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ seq: number; version: number }>(
      `WITH cur AS MATERIALIZED (SELECT account_id, id, status_id FROM threads WHERE id = $1 FOR NO KEY UPDATE),
       moved AS (
         UPDATE threads t SET status_id = $2::uuid, version = t.version + 1, last_activity_at = clock_timestamp(),
           status_set_at = CASE WHEN $2::uuid IS NULL THEN NULL ELSE clock_timestamp() END,
           status_set_by = CASE WHEN $2::uuid IS NULL THEN NULL ELSE 'OPERATOR_MANUAL' END,
           status_cleared_at = CASE WHEN $2::uuid IS NULL THEN clock_timestamp() END
           FROM cur WHERE t.account_id = cur.account_id AND t.id = cur.id
         RETURNING t.account_id, t.id, t.assistant_id, t.version, cur.status_id AS came_from)
       INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       SELECT account_id, id, assistant_id, version, 'status', clock_timestamp(),
              jsonb_build_object('from', came_from, 'to', $2::uuid, 'by', 'OPERATOR_MANUAL', 'actor', NULL) FROM moved
       RETURNING seq::float8 AS seq, version::float8 AS version`,
      [uuidOf(threadId), statusId],
    );
    const [row] = rows;
    if (!row) throw new Error(`there is no ${threadId}`);
    return new OpenMove(client, row.seq, row.version);
  }

  /** And notifies, as the product does after a commit. */
  async commit(): Promise<void> {
    await this.end('COMMIT', EVENT_NOTICE);
  }

  async rollback(): Promise<void> {
    await this.end('ROLLBACK');
  }

  private async end(...statements: string[]): Promise<void> {
    try {
      for (const statement of statements) await this.client.query(statement);
    } finally {
      await this.client.end();
    }
  }
}
