import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { WAKE_LEFT } from './delivery-queue.statements';
import { MISSED, REPLAY, REPLAY_SPANS, REPLAY_TIMES, type LogSpan } from './replay.statements';
import type { EndpointKey } from './endpoint-queue.statements';
import { foundEvents, valuesOf, type FoundEvent, type NewDelivery } from './new-delivery.statements';

export type { LogSpan };

/** From a time on, and before another one. */
export interface TimeSpan {
  since: Date;
  until: Date;
}

const IS_ENABLED = statement('endpoint-is-enabled').takes('accountId', 'endpointId').returns<{
  found: number;
}>(`
  SELECT 1 AS found FROM endpoint_queues WHERE account_id = :accountId AND endpoint_id = :endpointId FOR SHARE`);

/** Events of the log that are sent to an endpoint again, or at last. */
@Injectable()
export class ReplayRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Whether a time is at most so many days ago by the database's clock, and when a replay of it ends: now, at the latest. */
  async timesOf(
    since: Date,
    until: Date | null,
    daysMax: number,
  ): Promise<{ isRecent: boolean; endsAt: Date }> {
    const [row] = await this.database.run(REPLAY_TIMES, { since, until, daysMax });
    if (!row) throw new Error('the database did not tell the time');
    return { isRecent: row.is_recent, endsAt: row.ends_at };
  }

  /** Keeps that a replay begins. @returns false: the endpoint is disabled, or gone. */
  async begin(key: EndpointKey, entryOf: AuditEntryOf<null>): Promise<boolean> {
    return this.database.transactFor(key.accountId, async (tx) => {
      if ((await tx.run(IS_ENABLED, { ...key })).length === 0) return false;
      await this.audit.append(tx, entryOf(null));
      return true;
    });
  }

  /** Where the events of a time are in the log, agent by agent. */
  async spansOf({ accountId }: EndpointKey, time: TimeSpan): Promise<LogSpan[]> {
    return this.database.runFor(accountId, REPLAY_SPANS, { accountId, ...time });
  }

  /** Reads a part of a span: what the endpoint was to get and has not got. */
  async missed(
    key: EndpointKey,
    span: LogSpan,
    time: TimeSpan,
    limit: number,
  ): Promise<{ last: string | null; events: FoundEvent[] }> {
    const rows = await this.database.runFor(key.accountId, MISSED, { ...key, ...span, ...time, limit });
    return { last: rows[0]?.last ?? null, events: foundEvents(rows) };
  }

  /**
   * Has events sent again, or at last.
   * @returns how many; null: the endpoint is disabled, or gone
   */
  async replay(key: EndpointKey, deliveries: readonly NewDelivery[]): Promise<number | null> {
    const values = { ...key, ...valuesOf(deliveries) };
    const [row] = await this.database.runFor(key.accountId, REPLAY, values);
    return row?.is_enabled ? row.queued : null;
  }

  /** What waits for an event that passed meanwhile is due. */
  async wakeLeft(key: EndpointKey): Promise<void> {
    await this.database.runFor(key.accountId, WAKE_LEFT, { ...key });
  }
}
