import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What could not be taken in of webhooks is kept once, as it first came: providers send the same for days. It is the
 * same where provider, bot of the address and bytes are, in whichever webhook and place of it.
 */
export class RejectsOnce1763881200000 implements MigrationInterface {
  name = 'RejectsOnce1763881200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      DELETE FROM webhook_rejects r
       USING (SELECT id, row_number() OVER (PARTITION BY provider, bot_id, sha256(item) ORDER BY received_at, id) AS time
                FROM webhook_rejects) o
       WHERE r.id = o.id AND o.time > 1;
      DROP INDEX webhook_rejects_once;
      CREATE UNIQUE INDEX webhook_rejects_once ON webhook_rejects (provider, bot_id, sha256(item)) NULLS NOT DISTINCT;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX webhook_rejects_once;
      CREATE UNIQUE INDEX webhook_rejects_once ON webhook_rejects (delivery_id, path);
    `);
  }
}
