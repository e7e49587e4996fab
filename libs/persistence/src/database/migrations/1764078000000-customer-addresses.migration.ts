import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each address of a customer leads to one dialog. Dialogs are not read for it: those that exist are found by their own
 * columns, and their addresses come as they are told.
 */
export class CustomerAddresses1764078000000 implements MigrationInterface {
  name = 'CustomerAddresses1764078000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE threads
        ADD COLUMN username text,
        ADD COLUMN phone_proven boolean NOT NULL DEFAULT false,
        ADD COLUMN same_customer uuid[]`);
    await db.query(`CREATE TABLE thread_addresses (
        account_id uuid NOT NULL,
        address text NOT NULL,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        thread_id uuid NOT NULL,
        PRIMARY KEY (account_id, address, bot_id, channel))`);
    await db.query('CREATE INDEX thread_addresses_thread ON thread_addresses (account_id, thread_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE thread_addresses');
    await db.query(
      'ALTER TABLE threads DROP COLUMN same_customer, DROP COLUMN phone_proven, DROP COLUMN username',
    );
  }
}
