import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a lead's stage was cleared. For leads without a stage the newest entry of the log says it; one that never had a
 * stage has no such entry.
 */
export class StatusClearedAt1764085000000 implements MigrationInterface {
  name = 'StatusClearedAt1764085000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD COLUMN status_cleared_at timestamptz');
    await db.query(`
      UPDATE threads t SET status_cleared_at = e.at
        FROM threads bare CROSS JOIN LATERAL (
          SELECT h.at FROM events h
           WHERE h.account_id = bare.account_id AND h.thread_id = bare.id AND h.type = 'status'
           ORDER BY h.seq DESC LIMIT 1) e
       WHERE bare.status_id IS NULL AND bare.version > 1 AND t.account_id = bare.account_id AND t.id = bare.id`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP COLUMN status_cleared_at');
  }
}
