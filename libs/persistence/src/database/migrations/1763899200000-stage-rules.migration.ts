import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What happens to a dialog when its lead enters a stage: it is handed to its agent or to an operator, or neither. */
export class StageRules1763899200000 implements MigrationInterface {
  name = 'StageRules1763899200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE statuses ADD on_enter text CHECK (on_enter IN ('ai', 'operator'))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE statuses DROP on_enter');
  }
}
