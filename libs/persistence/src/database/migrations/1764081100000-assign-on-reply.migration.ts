import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account says whether a person who answers a dialog of nobody becomes its assignee. */
export class AssignOnReply1764081100000 implements MigrationInterface {
  name = 'AssignOnReply1764081100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts ADD COLUMN assign_on_reply boolean NOT NULL DEFAULT true');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts DROP COLUMN assign_on_reply');
  }
}
