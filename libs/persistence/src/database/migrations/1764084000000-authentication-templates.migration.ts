import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What WhatsApp is asked to write into an authentication template. */
export class AuthenticationTemplates1764084000000 implements MigrationInterface {
  name = 'AuthenticationTemplates1764084000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE templates ADD COLUMN add_security_recommendation boolean NOT NULL DEFAULT false',
    );
    await db.query('ALTER TABLE templates ADD COLUMN code_expiration_minutes integer');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE templates DROP COLUMN code_expiration_minutes');
    await db.query('ALTER TABLE templates DROP COLUMN add_security_recommendation');
  }
}
