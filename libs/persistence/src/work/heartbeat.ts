import { randomUUIDv7 } from 'node:crypto';
import type { ClientBase } from 'pg';
import { appendEntry, auditRowOf, type NewAuditEntry } from '../audit/audit.repository';
import { LENGTH_WRITTEN, WRITTEN_TO_DISK } from '../database/disk-proof';
import { statement, orderedValues } from '../database/sql.statements';
import type { OrNull } from '../database/row-types';
import type { SendingHoldEntity } from './heartbeat.entity';

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

export interface BeatValues {
  id: string;
  beats: number;
  acknowledged: number;
  permits: readonly string[];
  entry: string | null;
}

/** More than commit in a second. Only where the database cannot be written for long, but does commit, are there more. */
const PERMITS_MAX = 20_000;

/**
 * What this process knows that its database has: its own beats, and what permitted effects outside since the last of
 * them. One that lacks any of it went back. A process that has just started knows nothing, so then the others notice.
 *
 * A failover breaks all connections. The first new one to another server beats before anything else may use it, and the
 * others wait for that: so no statement of this process reads a database that went back and does not say that sending is
 * held.
 */
export class Heartbeat {
  private readonly id = randomUUIDv7();
  private beats = 0;
  private acknowledged = 0;
  /** Transactions that permitted an effect outside, acknowledged since the last beat. */
  private readonly permits = new Set<string>();
  /** The server of the last beat. */
  private server: string | null = null;
  private timesGoneBack = 0;
  private proving: Promise<unknown> | null = null;
  /** When another server than before was found to have all, by `performance.now()`. */
  provenAt = -Infinity;

  /** What the audit says if a beat puts the hold. */
  describe: () => NewAuditEntry | null = () => null;

  /** Hears of the entry once it is there. */
  onHeld: (entry: NewAuditEntry) => void = () => undefined;

  /** Hears of each beat. */
  onBeat: (beat: BeatRow) => void = () => undefined;

  /** An effect outside is about to begin by what this transaction committed. */
  permitted(rows: readonly PermitRow[]): void {
    for (const { permitted_by: xid } of rows) this.permits.add(xid);
    const [oldest] = this.permits;
    if (oldest !== undefined && this.permits.size > PERMITS_MAX) this.permits.delete(oldest);
  }

  /** @param run the statement, on connections that write to the disk before they acknowledge */
  async beat(run: (values: BeatValues) => Promise<readonly BeatRow[]>): Promise<void> {
    const beats = (this.beats += 1);
    const permits = [...this.permits];
    const { timesGoneBack } = this;
    const entry = this.describe();
    const given = { id: this.id, beats, acknowledged: this.acknowledged, permits };
    const [row] = await run({ ...given, entry: entry && JSON.stringify(auditRowOf(entry)) });
    if (!row) throw new Error('a beat has one row');
    for (const xid of permits) this.permits.delete(xid);
    this.acknowledged = Math.max(this.acknowledged, beats);
    if (this.server !== null && this.server !== row.server) this.provenAt = performance.now();
    this.server = row.server;
    // One that began before another one found it out asks by what is known to be lost.
    const isNews = row.went_back && timesGoneBack === this.timesGoneBack;
    if (isNews) this.timesGoneBack += 1;
    if (row.has_held && entry) this.onHeld(entry);
    this.onBeat({ ...row, went_back: isNews });
  }

  /** For a new connection, before anything else uses it. @throws what the statements failed with: it is not used then */
  async prove(client: ClientBase): Promise<void> {
    if (this.server === null) return;
    const { rows } = await client.query<{ server: string }>(SERVER.text);
    if (rows[0]?.server === this.server) return;
    this.proving ??= this.beatOn(client).finally(() => (this.proving = null));
    await this.proving;
  }

  private async beatOn(client: ClientBase): Promise<void> {
    await this.beat(async (values) => {
      const { rows } = await client.query<BeatRow>(BEAT.text, orderedValues(BEAT, { ...values }));
      return rows;
    });
  }
}
