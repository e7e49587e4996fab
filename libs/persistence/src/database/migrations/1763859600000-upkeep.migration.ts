import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that keep late and repeated reports from undoing newer ones, and by which retention finds its rows: the
 * provider's time of the last report about a number, the end of a stop, when a waiting report is checked again, and
 * the age of rejects.
 */
export class Upkeep1763859600000 implements MigrationInterface {
  name = 'Upkeep1763859600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE bot_channels
        ADD reported_at timestamptz,
        ADD stopped_until timestamptz,
        ADD CHECK ((stopped_until IS NOT NULL) <= (stopped_at IS NOT NULL));

      ALTER TABLE parked_states ADD look_at timestamptz DEFAULT clock_timestamp() + interval '1 s';
      CREATE INDEX parked_states_look ON parked_states (look_at) WHERE look_at IS NOT NULL;

      CREATE INDEX webhook_rejects_age ON webhook_rejects (created_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX webhook_rejects_age, parked_states_look;
      ALTER TABLE parked_states DROP look_at;
      ALTER TABLE bot_channels DROP reported_at, DROP stopped_until;
    `);
  }
}
