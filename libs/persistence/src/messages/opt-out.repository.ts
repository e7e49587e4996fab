import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUniqueClash } from '../database/database.errors';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statement';
import { findAgain } from '../threads/thread-search.fragments';
import { conductAfter } from '../threads/conductor.rules';
import { set } from '../threads/thread.rules';
import { appendEvents, ENTRIES } from '../threads/thread-log.fragments';
import { wakeRuns } from '../threads/run.fragments';
import { arrivalTime, isHeld, isNewerOptRequest, type Arrival } from './arrival.time';
import type { ThreadAddress, ReceivingNumber } from './incoming.repository';

/** When a customer opted out at the provider, as far as that is known. */
export interface OptRequestTime {
  /** By the provider's clock; null: when it arrived. */
  at: Date | null;
  /** Null: it was just reported, in the answer to a request of ours. */
  arrival: Arrival | null;
}

/**
 * The threads that are meant, locked. A customer without one gets a new one. The webhook's hold is read as it is now, for
 * the thread may have been erased while its lock was awaited.
 */
const LOCKED = `
  marked AS (
    INSERT INTO webhook_marks (account_id, mark) VALUES (:accountId, :mark::bytea) ON CONFLICT DO NOTHING RETURNING 1),
  known AS MATERIALIZED (
    SELECT thread_id AS id FROM messages WHERE account_id = :accountId AND id = :messageId::uuid
    UNION SELECT id FROM threads WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND contact = :contact::text
    UNION SELECT id FROM threads WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND user_id = :userId::text),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, ai_enabled, opted_out, opt_requested_at, opt_request_arrived_at, has_runs FROM threads
     WHERE account_id = :accountId AND id IN (SELECT id FROM known) AND erased_at IS NULL AND EXISTS (SELECT 1 FROM marked)
     ORDER BY id FOR NO KEY UPDATE),
  base AS MATERIALIZED (
    SELECT false AS fresh, cur.* FROM cur
    UNION ALL
    SELECT true, :newThreadId::uuid, assistant_id, 1::bigint, true, false, NULL::timestamptz, NULL::timestamptz, false
      FROM bots WHERE account_id = :accountId AND id = :botId AND :newThreadId::uuid IS NOT NULL AND EXISTS (SELECT 1 FROM marked)
       AND NOT EXISTS (SELECT 1 FROM cur) AND ${isHeld(':webhook::bigint', ':heldBy::uuid', 'FOR SHARE')})`;

const DECIDED = `
  timed AS MATERIALIZED (
    SELECT t.*, least(coalesce(:requestedAt::timestamptz, t.arrived_at), t.arrived_at) AS written_at
      FROM (SELECT c.*, c.at_once AS at, coalesce(${arrivalTime(':receivedAt', ':position')}, c.at_once) AS arrived_at
              FROM (SELECT base.*, clock_timestamp() AS at_once FROM base) c) t),
  decided AS MATERIALIZED (
    SELECT d.*, d.is_opt_request AND NOT d.opted_out AS stops
      FROM (SELECT t.*, ${isNewerOptRequest('t', 't.written_at', 't.arrived_at')} AS is_opt_request FROM timed t) d)`;

const SILENT = conductAfter('t', 'd.at', [
  { when: 'd.stops', event: 'customerStops' },
  { when: 'd.ai_enabled', event: 'switchedOff' },
]);

const SILENCED = `
  opened AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, user_id, wa_id, customer_name,
                         created_at, version, ai_enabled, opted_out, ai_epoch, last_activity_at, opt_requested_at, opt_request_arrived_at)
    SELECT :accountId, d.id, d.assistant_id, :botId, :channel, :contact::text, :phone::text, :userId::text, :waId::text, :name::text,
           d.at, d.version + 2, false, true, 1, d.at, d.written_at, d.arrived_at
      FROM decided d WHERE d.fresh
    RETURNING account_id, id),
  ${findAgain('opened')},
  silenced AS (
    UPDATE threads t
       SET ${set(SILENT)},
           ai_epoch = t.ai_epoch + (d.stops OR d.ai_enabled)::int,
           version = t.version + d.stops::int + d.ai_enabled::int,
           last_activity_at = CASE WHEN d.stops OR d.ai_enabled THEN d.at ELSE t.last_activity_at END,
           opt_requested_at = CASE WHEN d.is_opt_request THEN d.written_at ELSE t.opt_requested_at END,
           opt_request_arrived_at = CASE WHEN d.is_opt_request THEN d.arrived_at ELSE t.opt_request_arrived_at END
      FROM decided d WHERE t.account_id = :accountId AND t.id = d.id AND NOT d.fresh AND (d.is_opt_request OR d.ai_enabled)
    RETURNING t.id),
  woken AS (${wakeRuns('(SELECT :accountId::uuid AS account_id, d.* FROM decided d WHERE d.stops) w')}),
  told AS (
    SELECT d.id, d.assistant_id, d.at, d.fresh, d.stops, d.ai_enabled, d.version + 1 - d.fresh::int AS version
      FROM decided d WHERE d.id IN (SELECT id FROM opened UNION ALL SELECT id FROM silenced))`;

/**
 * Marks threads as opted out and silences the agent.
 *
 * The mark is written first: when the same report comes a second time, it finds the mark and changes nothing, even if
 * the customer has asked for messages meanwhile. A newer START of the customer prevails; the agent stays off even so,
 * as it would had the report come first.
 *
 * A customer without a thread gets one, so that later messages find it marked. Where another statement opens it at the
 * same time, or takes the user id, nothing is done and there is a unique violation.
 */
const OPT_OUT = statement('opt-out-by-provider').takes(
  ...(['accountId', 'messageId', 'botId', 'channel', 'mark', 'by'] as const),
  ...(['contact', 'userId', 'phone', 'waId', 'name', 'newThreadId'] as const),
  ...(['requestedAt', 'receivedAt', 'position', 'webhook', 'heldBy'] as const),
).returns<{ entries: number }>(`
  WITH ${LOCKED}, ${DECIDED}, ${SILENCED},
  logged AS (${appendEvents('told', { by: ':by::text' }, [
    { ...ENTRIES.opened, when: 't.fresh' },
    { ...ENTRIES.optedOut, step: 't.fresh::int', when: 't.stops' },
    { ...ENTRIES.switchedOff, step: 't.fresh::int + t.stops::int', when: 't.ai_enabled' },
  ])})
  SELECT count(*)::int AS entries FROM logged`);

/** Each try reads again, and meets another opening only where one has just happened. */
const TRIES = 10;

/** Customers who opted out at the provider instead of here. */
@Injectable()
export class OptOutRepository {
  constructor(private readonly database: Database) {}

  /**
   * Opts the thread of a message out.
   * @param mark by which the same report is known again
   * @returns whether the log has something new.
   */
  async optOutThreadOf(
    at: ReceivingNumber,
    messageId: string,
    optRequest: OptRequestTime,
    mark: Buffer,
    by: string,
  ): Promise<boolean> {
    return this.optOut(at, messageId, null, optRequest, mark, by);
  }

  /**
   * Opts out every dialog of a customer with this number, and opens one where there is none. @returns whether an
   * event was appended.
   */
  async optOutCustomer(
    at: ReceivingNumber,
    address: ThreadAddress,
    optRequest: OptRequestTime,
    mark: Buffer,
    by: string,
  ): Promise<boolean> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.optOut(at, null, address, optRequest, mark, by);
      } catch (error) {
        if (!isUniqueClash(error) || tried === TRIES) throw error;
      }
    }
  }

  private async optOut(
    at: ReceivingNumber,
    messageId: string | null,
    address: ThreadAddress | null,
    optRequest: OptRequestTime,
    mark: Buffer,
    by: string,
  ): Promise<boolean> {
    const { contact = null, userId = null, phone = null, waId = null, name = null } = address ?? {};
    const [row] = await this.database.run(OPT_OUT, {
      ...{ ...at, messageId, mark, by },
      ...{ contact, userId, phone, waId, name, newThreadId: address && randomUUIDv7() },
      requestedAt: optRequest.at,
      receivedAt: optRequest.arrival?.receivedAt ?? null,
      position: optRequest.arrival?.position ?? null,
      webhook: optRequest.arrival?.webhook ?? null,
      heldBy: optRequest.arrival?.heldBy ?? null,
    });
    return (row?.entries ?? 0) > 0;
  }
}
