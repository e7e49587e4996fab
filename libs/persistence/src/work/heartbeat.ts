import { randomUUIDv7 } from 'node:crypto';
import type { ClientBase } from 'pg';
import { auditRowOf, type NewAuditEntry } from '../audit/audit.repository';
import { orderedValues } from '../database/sql.statements';
import { BEAT, SERVER, type BeatRow, type PermitRow } from './heartbeat.statements';

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
