import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { leaseFor } from '../../work/work.statements';

/** A file that is due so soon is not deleted meanwhile. Writes nothing of one that was sent before. */
const HOLD = statement('media-hold').takes('accountId', 'id', 'milliseconds').returns(`
  UPDATE media SET due_at = ${leaseFor(':milliseconds')}
   WHERE account_id = :accountId AND id = :id AND state = 'stored' AND due_at < ${leaseFor(':milliseconds')}`);

/**
 * Deletes rows that are due. A process of a former version may have sent a file and left it due: it stays. A send that
 * begins meanwhile waits for the lock, or is skipped.
 */
const PURGE = statement('media-purge-unsent').takes('limit').returns<{ looked_at: number }>(`
  WITH due AS MATERIALIZED (
    SELECT account_id, id FROM media WHERE state = 'stored' AND due_at <= now()
     ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED),
  sent AS MATERIALIZED (
    SELECT d.* FROM due d WHERE EXISTS (
      SELECT 1 FROM messages m WHERE m.account_id = d.account_id AND m.media_id = d.id)),
  kept AS (
    UPDATE media x SET due_at = NULL FROM sent s WHERE x.account_id = s.account_id AND x.id = s.id),
  gone AS (
    DELETE FROM media x USING due d
     WHERE x.account_id = d.account_id AND x.id = d.id AND (d.account_id, d.id) NOT IN (SELECT account_id, id FROM sent))
  SELECT count(*)::int AS looked_at FROM due`);

/** Files that were uploaded and never sent. */
@Injectable()
export class UnsentUploadsRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** A file that is being sent is not deleted for so long, whenever it is due. */
  async hold(accountId: string, id: string, milliseconds: number): Promise<void> {
    await this.database.runFor(accountId, HOLD, { accountId, id, milliseconds });
  }

  /**
   * Forgets uploads that are due. Their bytes are deleted as those that nothing names. How many are looked at is not known
   * when it is planned, so it is read by indexes alone: else all messages would be read for each some.
   * @returns of how many at most it is decided
   */
  async purge(limit: number): Promise<number> {
    return (await this.work.run(PURGE, { limit }))[0]?.looked_at ?? 0;
  }
}
