import { CONNECTION_LIMITS } from '../database/data-source-options';

/** A backup and a restore take as long as they take, and stand still while a disk does. */
const LIMITS = {
  ...CONNECTION_LIMITS,
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  lock_timeout: 30_000,
  connectionTimeoutMillis: 10_000,
};

/** `pg` omits a zero, so the database's or its address's default limit would apply. */
const SETTINGS = ['statement_timeout=0', 'idle_in_transaction_session_timeout=0'];

/** The connection settings of a backup, or of a restore. */
export const backupSession = (applicationName: string) => ({
  applicationName,
  limits: LIMITS,
  settings: SETTINGS,
});

/** PostgreSQL 17 and later limit transactions too, where the database's defaults say so. */
export const NO_TRANSACTION_LIMIT = `
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`;
