import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An archived stage knows where its leads go, and until when some may still come to stand there. */
export class ArchivedStages1764014400000 implements MigrationInterface {
  name = 'ArchivedStages1764014400000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE statuses ADD moved_to uuid, ADD archived_by jsonb, ADD emptying_until timestamptz',
    );
    await db.query(
      'CREATE INDEX IF NOT EXISTS statuses_emptying ON statuses (account_id, id) WHERE emptying_until IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX statuses_emptying');
    await db.query('ALTER TABLE statuses DROP moved_to, DROP archived_by, DROP emptying_until');
  }
}
