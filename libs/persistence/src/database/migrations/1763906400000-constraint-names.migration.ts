import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each check over several columns says; PostgreSQL had numbered them, as `threads_check2`. */
const NAMES: readonly (readonly [table: string, number: string, name: string])[] = [
  ['api_keys', 'api_keys_check', 'api_keys_admin_has_no_account'],
  ['assistant_tools', 'assistant_tools_check', 'assistant_tools_headers_with_key'],
  ['bot_channels', 'bot_channels_check', 'bot_channels_credential_with_key'],
  ['bot_channels', 'bot_channels_check1', 'bot_channels_lease_with_end'],
  ['bot_channels', 'bot_channels_check2', 'bot_channels_end_of_a_stop'],
  ['idempotency_keys', 'idempotency_keys_check', 'idempotency_keys_of_message_or_batch'],
  ['messages', 'messages_check', 'messages_claim_with_end'],
  ['messages', 'messages_check1', 'messages_sending_is_claimed'],
  ['messages', 'messages_check2', 'messages_queued_is_due'],
  ['messages', 'messages_check3', 'messages_batch_with_index'],
  ['reply_turns', 'reply_turns_check', 'reply_turns_lease_with_end'],
  ['threads', 'threads_check', 'threads_stage_with_time_and_source'],
  ['threads', 'threads_check1', 'threads_waiting_since'],
  ['threads', 'threads_check2', 'threads_opted_out_is_silent'],
  ['threads', 'threads_check3', 'threads_opt_request_with_arrival'],
];

/** The default name of TypeORM's key; ours follows the database's naming. */
const MIGRATIONS_KEY = 'PK_8c82d7f526340ab734260ea46be';

/** Gives names to constraints that had numbers only, so that an entity and an error can speak of them. */
export class ConstraintNames1763906400000 implements MigrationInterface {
  name = 'ConstraintNames1763906400000';

  async up(db: QueryRunner): Promise<void> {
    for (const [table, number, name] of NAMES) {
      await db.query(`ALTER TABLE ${table} RENAME CONSTRAINT ${number} TO ${name}`);
    }
    await db.query(`ALTER INDEX IF EXISTS "${MIGRATIONS_KEY}" RENAME TO migrations_pkey`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [table, number, name] of NAMES) {
      await db.query(`ALTER TABLE ${table} RENAME CONSTRAINT ${name} TO ${number}`);
    }
  }
}
