import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A batch stores the range of its messages' ids, so that they are found by the primary key. The former index by batch
 * was written three times for each message, once for each of its states (some 35 µs of PostgreSQL a message). A batch
 * that an older process stores meanwhile has no range, and is found slowly.
 */
export class BatchRange1763888400000 implements MigrationInterface {
  name = 'BatchRange1763888400000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE batches ADD first_message_id uuid, ADD last_message_id uuid;
      UPDATE batches b SET first_message_id = m.ids[1], last_message_id = m.ids[cardinality(m.ids)]
        FROM (SELECT account_id, batch_id, array_agg(id ORDER BY id) AS ids FROM messages
               WHERE batch_id IS NOT NULL GROUP BY account_id, batch_id) m
       WHERE m.account_id = b.account_id AND m.batch_id = b.id;
      DROP INDEX messages_batch;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE UNIQUE INDEX messages_batch ON messages (account_id, batch_id, batch_index) WHERE batch_id IS NOT NULL;
      ALTER TABLE batches DROP first_message_id, DROP last_message_id;
    `);
  }
}
