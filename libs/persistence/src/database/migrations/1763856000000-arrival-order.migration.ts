import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The times that order messages and opt requests, in whatever order webhooks are processed. `asked_at`: when the
 * customer's newest message arrived here. `answered_at`: when our newest message that went out was stored, or arrived
 * from the phone's app. `wished_at` and `wish_arrived_at`: when the customer's last opt request was written, and when
 * it arrived here. Null: never, as far as is known.
 */
export class ArrivalOrder1763856000000 implements MigrationInterface {
  name = 'ArrivalOrder1763856000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE threads
        ADD asked_at timestamptz,
        ADD answered_at timestamptz,
        ADD wished_at timestamptz,
        ADD wish_arrived_at timestamptz,
        ADD CHECK ((wished_at IS NULL) = (wish_arrived_at IS NULL));
      UPDATE threads t SET asked_at = m.created_at
        FROM messages m WHERE m.account_id = t.account_id AND m.id = t.waiting_message_id;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE threads DROP asked_at, DROP answered_at, DROP wished_at, DROP wish_arrived_at',
    );
  }
}
