import type { AssistantEntity } from '../assistants/assistant.entity';
import { CONNECTIONS } from '../database/connection-budget';
import { statement } from '../database/sql.statements';

/**
 * How many numbers of the event log are left out. The database that was lost gave numbers after the backup, which boards
 * may still hold. None of them may be given again.
 */
export const NUMBERS_LEFT_OUT = 1_000_000_000n;

/** What processes of the service call their sessions. A listener's is there whatever else is. */
export const PROCESS_SESSIONS = ['leadline', ...Object.keys(CONNECTIONS).map((pool) => `leadline ${pool}`)];

/** A process that was left running goes on with the database as soon as it is filled. */
export const SESSIONS_OF_PROCESSES = statement('restore-sessions-of-processes').takes('names').returns(`
  SELECT pid FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = ANY (:names::text[])`);

/** Numbers go on behind that one. */
export const SET_SEQUENCE = statement('restore-set-sequence')
  .takes('table', 'column', 'last')
  .returns('SELECT setval(pg_get_serial_sequence(quote_ident(:table), :column), :last::bigint)');

export const AGENTS = statement('restore-agents').returns<
  Pick<AssistantEntity, 'account_id'> & { ids: AssistantEntity['id'][] }
>(
  'SELECT account_id, array_agg(id ORDER BY id)::text[] AS ids FROM assistants GROUP BY account_id ORDER BY account_id',
);

/** Ids of transactions are another server's. */
export const FORGET_TRANSACTIONS = statement('restore-forget-transactions').returns(
  'UPDATE figure_positions SET next_seq = NULL, next_xid = NULL WHERE next_seq IS NOT NULL',
);

/** In the place of the hold of a backup that was taken while sending was held. */
export const HOLD_SENDING = statement('restore-hold-sending').takes('backupAt').returns(`
  INSERT INTO sending_holds (id, backup_at, reason) VALUES (1, :backupAt, 'database_restored')
  ON CONFLICT (id) DO UPDATE SET held_since = clock_timestamp(), backup_at = EXCLUDED.backup_at, reason = EXCLUDED.reason`);

/**
 * Whoever has signed out, or used a link, since the backup would find both good again, and so would the secret of a key
 * that was rotated. So all sessions end, all links are void, and a key has its newest secret alone.
 */
export const END_SIGN_INS = statement('restore-end-sign-ins').returns(`
  WITH sessions AS (UPDATE user_sessions SET ended_at = clock_timestamp() WHERE ended_at IS NULL),
       links AS (DELETE FROM invitations)
  UPDATE api_keys SET old_key_hash = NULL, old_key_expires_at = NULL WHERE old_key_hash IS NOT NULL`);
