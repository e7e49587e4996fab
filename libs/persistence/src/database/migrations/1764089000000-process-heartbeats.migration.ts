import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each process renews every second, by which it notices that the database went back; and why sending is held. */
export class ProcessHeartbeats1764089000000 implements MigrationInterface {
  name = 'ProcessHeartbeats1764089000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE process_heartbeats (
        id uuid NOT NULL,
        beats integer NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT process_heartbeats_pkey PRIMARY KEY (id)
      )`);
    await db.query(`ALTER TABLE sending_holds ADD COLUMN reason text NOT NULL DEFAULT 'database_restored'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE sending_holds DROP COLUMN reason');
    await db.query('DROP TABLE process_heartbeats');
  }
}
