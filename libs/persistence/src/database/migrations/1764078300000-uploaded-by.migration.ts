import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An upload that was not sent is for whoever uploaded it, and for admins. Of those from before nobody knows. */
export class UploadedBy1764078300000 implements MigrationInterface {
  name = 'UploadedBy1764078300000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE media ADD COLUMN uploaded_by uuid');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE media DROP COLUMN uploaded_by');
  }
}
