import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether what acts on the outside is held, as it is after a restore: there is a row as long as it is. */
export class SendingHolds1764072000000 implements MigrationInterface {
  name = 'SendingHolds1764072000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE sending_holds (
        id integer NOT NULL,
        held_since timestamptz NOT NULL DEFAULT clock_timestamp(),
        backup_at timestamptz NOT NULL,
        CONSTRAINT sending_holds_pkey PRIMARY KEY (id),
        CONSTRAINT sending_holds_one CHECK (id = 1)
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE sending_holds');
  }
}
