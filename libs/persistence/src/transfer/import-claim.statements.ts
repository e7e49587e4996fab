import type { CamelCased } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { countBacklog, type WorkBacklog } from '../work/backlog.statements';
import { ownersOf } from '../work/due-accounts.statements';
import { leaseFor, leaseIsFree } from '../work/lease.statements';
import type { ImportEntity } from './import.entity';
import { OF_IMPORT } from './import.statements';

/** Account by account, along the index. */
export const DUE = statement('import-due').returns<CamelCased<Pick<ImportEntity, 'account_id' | 'id'>>>(`
  WITH RECURSIVE ${ownersOf('imports', `state = 'running'`)}
  SELECT a.account_id AS "accountId", d.id
    FROM owners a
    CROSS JOIN LATERAL (
      SELECT m.id, m.due_at FROM imports m
       WHERE m.account_id = a.account_id AND m.state = 'running' AND m.due_at <= now() AND ${leaseIsFree('m')}
       ORDER BY m.due_at LIMIT 10) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.due_at LIMIT 1000`);

export const CLAIM = statement('import-claim').takes(...OF_IMPORT, 'token', 'leaseMs').returns<
  Pick<ImportEntity, 'dry_run'>
>(`
  WITH locked AS MATERIALIZED (
    SELECT account_id, id FROM imports m
     WHERE account_id = :accountId AND id = :id AND state = 'running' AND due_at <= clock_timestamp() AND ${leaseIsFree('m')}
       FOR NO KEY UPDATE SKIP LOCKED),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until FROM locked l)
  UPDATE imports m SET lease_token = :token, lease_until = l.until
    FROM leased l WHERE m.account_id = l.account_id AND m.id = l.id
  RETURNING m.dry_run`);

const IS_HELD = `account_id = :accountId AND id = :id AND lease_token = :token AND state = 'running'`;

export const RELEASE = statement('import-release').takes(...OF_IMPORT, 'token', 'afterMs', 'failed').returns<
  Pick<ImportEntity, 'failures'>
>(`
  WITH locked AS MATERIALIZED (SELECT account_id, id FROM imports WHERE ${IS_HELD} FOR NO KEY UPDATE),
  again AS MATERIALIZED (SELECT l.*, ${leaseFor(':afterMs')} AS due_at FROM locked l)
  UPDATE imports m
     SET lease_token = NULL, lease_until = NULL, due_at = a.due_at, failures = m.failures + (:failed::boolean)::int
    FROM again a WHERE m.account_id = :accountId AND m.id = a.id
  RETURNING m.failures`);

export const BACKLOG = statement('import-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT m.account_id, m.due_at, NOT ${leaseIsFree('m')} AS held FROM imports m
      WHERE m.state = 'running' AND m.due_at <= clock_timestamp()`,
      `SELECT account_id FROM imports WHERE state = 'failed' AND finished_at > now() - interval '1 hour'`,
    ),
  );
