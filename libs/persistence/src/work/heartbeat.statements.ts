import { appendEntry } from '../audit/audit.repository';
import { LENGTH_WRITTEN, WRITTEN_TO_DISK } from '../database/disk-proof';
import { statement } from '../database/sql.statements';
import type { SendingHoldEntity } from './sending-hold.entity';
import type { OrNull } from '../database/row-types';

/** When the server that answers was started: a standby that was promoted, or a server on a restored disk, has another one. */
export const SERVER = statement('heartbeat-server').returns<{ server: string }>(
  'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server',
);

/** For statements that permit an effect outside: the transaction by which {@link BEAT} finds out whether it was lost. */
export const PERMITTED_BY = 'pg_current_xact_id()::text AS permitted_by';

export interface PermitRow {
  permitted_by: string;
}

export interface BeatRow extends OrNull<Pick<SendingHoldEntity, 'held_since' | 'backup_at' | 'reason'>> {
  server: string;
  /** Whether something that this process had acknowledged is not there. */
  went_back: boolean;
  /** How much was written to the disk and read. */
  written: number;
  /** Whether this beat put the hold, and appended the entry of the audit. */
  has_held: boolean;
}

/**
 * Renews the row of a process and thereby proves that the database can be written. Where the row, or a permit since the
 * last beat, is not what the process had acknowledged, sending is held by the same commit. `acknowledged` 0: the process
 * has just started and knows nothing. Transactions that were lost have no end, or an id that the server did not give yet.
 * A synchronous standby has all that was acknowledged.
 */
export const BEAT = statement('heartbeat-beat').takes('id', 'beats', 'acknowledged', 'permits', 'entry')
  .returns<BeatRow>(`
  WITH ${WRITTEN_TO_DISK},
  was AS MATERIALIZED (SELECT beats, at FROM process_heartbeats WHERE id = :id),
  lost AS MATERIALIZED (
    SELECT coalesce((SELECT at FROM was), (SELECT max(at) FROM process_heartbeats), clock_timestamp()) AS known_at
     WHERE :acknowledged::int > 0
       AND (coalesce((SELECT beats FROM was), 0) < :acknowledged
            OR EXISTS (
              SELECT 1 FROM unnest(:permits::text[]) p (xid)
               WHERE CASE WHEN p.xid::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) THEN true
                          ELSE pg_xact_status(p.xid::xid8) <> 'committed' END))),
  beat AS (
    INSERT INTO process_heartbeats AS h (id, beats, at) VALUES (:id, :beats, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET beats = greatest(h.beats, EXCLUDED.beats), at = EXCLUDED.at),
  ended AS (
    DELETE FROM process_heartbeats
     WHERE :acknowledged = 0 AND id <> :id AND at < clock_timestamp() - interval '30 days'),
  held AS (
    INSERT INTO sending_holds (id, backup_at, reason) SELECT 1, known_at, 'database_went_back' FROM lost
    ON CONFLICT (id) DO NOTHING
    RETURNING held_since, backup_at, reason),
  told AS (${appendEntry(':entry', ':entry::jsonb IS NOT NULL AND EXISTS (SELECT 1 FROM held)')})
  SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server, EXISTS (SELECT 1 FROM lost) AS went_back,
         EXISTS (SELECT 1 FROM held) AS has_held, h.held_since, h.backup_at, h.reason,
         ${LENGTH_WRITTEN}::int AS written
    FROM (SELECT 1) one
    LEFT JOIN (
      SELECT held_since, backup_at, reason FROM held
       UNION ALL SELECT held_since, backup_at, reason FROM sending_holds LIMIT 1) h ON true`);
