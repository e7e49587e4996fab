import { statement } from '../database/sql.statements';

/*
 * Events get their numbers in one order and become visible in another. Whoever has a number below one that is visible took it
 * before, in a transaction older than any that begins now. So nothing can appear below a number once every transaction is over
 * that is older than one that began after the number was seen.
 */

/** A transaction that begins now. It writes to the database's log, so it is asked for only where a number is to be remembered. */
export const CURRENT_XID = statement('events-current-xid').returns<{ xid: string }>(
  'SELECT pg_current_xact_id()::text AS xid',
);

/** The oldest transaction that is not over, an expression. */
export const OLDEST_XID = 'pg_snapshot_xmin(pg_current_snapshot())::text';
