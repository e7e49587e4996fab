import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The history of a dialog says who cancelled its runs with all others of their scenario. */
export class StoppedScenarios1764018000000 implements MigrationInterface {
  name = 'StoppedScenarios1764018000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE scenarios ADD stopped_by jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE scenarios DROP stopped_by');
  }
}
