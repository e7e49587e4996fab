import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether another AI conducts a dialog at the messenger, and when that was last reported. */
export class ConductedElsewhere1764082300000 implements MigrationInterface {
  name = 'ConductedElsewhere1764082300000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE threads ADD COLUMN conducted_elsewhere boolean NOT NULL DEFAULT false, ADD COLUMN control_reported_at timestamptz',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP COLUMN conducted_elsewhere, DROP COLUMN control_reported_at');
  }
}
