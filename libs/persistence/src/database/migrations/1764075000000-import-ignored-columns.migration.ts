import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which columns of its file an import has not read. */
export class ImportIgnoredColumns1764075000000 implements MigrationInterface {
  name = 'ImportIgnoredColumns1764075000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE imports ADD COLUMN ignored_columns text[] NOT NULL DEFAULT '{}'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE imports DROP COLUMN ignored_columns');
  }
}
