import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An agent says itself what its requests to the model have beside the dialog. */
export class ModelOptions1764077100000 implements MigrationInterface {
  name = 'ModelOptions1764077100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants ADD COLUMN model_options jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants DROP COLUMN model_options');
  }
}
