import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How customers have taken a template, as the provider judges. */
export class TemplateQuality1764082600000 implements MigrationInterface {
  name = 'TemplateQuality1764082600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE templates ADD COLUMN quality text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE templates DROP COLUMN quality');
  }
}
