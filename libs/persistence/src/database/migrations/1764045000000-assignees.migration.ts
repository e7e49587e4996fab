import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dialogs are assigned to people. Dialogs of nobody are not in the index. */
export class Assignees1764045000000 implements MigrationInterface {
  name = 'Assignees1764045000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD assignee_id uuid');
    await db.query(`
      CREATE INDEX IF NOT EXISTS threads_assignee
        ON threads (account_id, assignee_id, assistant_id, id)
     WHERE assignee_id IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX threads_assignee');
    await db.query('ALTER TABLE threads DROP assignee_id');
  }
}
