import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People may give a customer another name than the messenger's. */
export class NameOverride1764025200000 implements MigrationInterface {
  name = 'NameOverride1764025200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD name_override text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP name_override');
  }
}
