import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUniqueClash, RowBusyError } from '../../database/database.errors';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { findAgain } from '../../threads/thread-search.statements';
import { conductAfter } from '../../threads/conductor.rules';
import { set } from '../../threads/thread.rules';
import { NOTE } from '../../threads/same-customer.statements';
import { appendEvents, ENTRIES, type Entry } from '../../threads/thread-log.statements';
import { wakeRuns } from '../../threads/run.statements';
import { holderOfAddress, takeAddresses } from './address.statements';
import { arrivalTime, isHeld, isNewerOptRequest, type Arrival } from './arrival-time';
import type { ThreadAddress, ReceivingNumber } from './incoming.repository';

/** When a customer opted out at the provider, as far as that is known. */
export interface OptRequestTime {
  /** By the provider's clock; null: when it arrived. */
  at: Date | null;
  /** Null: it was just reported, in the answer to a request of ours. */
  arrival: Arrival | null;
}

const OF_NUMBER = { account: ':accountId', bot: ':botId', channel: ':channel' };

/** An opt-out is in the history of the customer's other dialogs as what it is there. */
const told = ({ body = `'{}'::jsonb`, ...entry }: Entry): Entry => ({
  ...entry,
  body: `${body} || CASE WHEN t.is_kin THEN '{"by": "SYSTEM", "note": "${NOTE}"}' ELSE '{}' END::jsonb`,
});

/**
 * The threads that are meant, and all others of the same customer, locked. A customer without one gets a new one. The webhook's hold is read as it is now, for
 * the thread may have been erased while its lock was awaited.
 */
const LOCKED = `
  known AS MATERIALIZED (
    SELECT thread_id AS id FROM messages WHERE account_id = :accountId AND id = :messageId::uuid
    UNION SELECT ${holderOfAddress(OF_NUMBER, ':contact::text')} UNION SELECT ${holderOfAddress(OF_NUMBER, ':userId::text')}),
  kin AS MATERIALIZED (
    SELECT unnest(t.same_customer) AS id FROM threads t JOIN known k ON k.id = t.id WHERE t.account_id = :accountId),
  held AS MATERIALIZED (
    SELECT id, assistant_id, version, ai_enabled, opted_out, opt_requested_at, opt_request_arrived_at, has_runs, same_customer FROM threads
     WHERE account_id = :accountId AND id IN (SELECT id FROM known UNION SELECT id FROM kin) AND erased_at IS NULL
     ORDER BY id FOR NO KEY UPDATE),
  -- Of dialogs that became known as the same customer's while a lock was awaited, not all are locked.
  is_whole AS MATERIALIZED (
    SELECT NOT EXISTS (SELECT 1 FROM held h CROSS JOIN unnest(h.same_customer) o (id)
                        WHERE o.id NOT IN (SELECT id FROM known WHERE id IS NOT NULL UNION SELECT id FROM kin)) AS yes),
  marked AS (
    INSERT INTO webhook_marks (account_id, mark) SELECT :accountId, :mark::bytea FROM is_whole WHERE yes
    ON CONFLICT DO NOTHING RETURNING 1),
  cur AS MATERIALIZED (
    SELECT h.id, h.assistant_id, h.version, h.ai_enabled, h.opted_out, h.opt_requested_at, h.opt_request_arrived_at, h.has_runs,
           h.id NOT IN (SELECT id FROM known WHERE id IS NOT NULL) AS is_kin
      FROM held h WHERE EXISTS (SELECT 1 FROM marked)),
  base AS MATERIALIZED (
    SELECT false AS fresh, cur.* FROM cur
    UNION ALL
    SELECT true, :newThreadId::uuid, assistant_id, 1::bigint, true, false, NULL::timestamptz, NULL::timestamptz, false, false
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
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, user_id, wa_id, customer_name, username,
                         created_at, version, ai_enabled, opted_out, ai_epoch, last_activity_at, opt_requested_at, opt_request_arrived_at)
    SELECT :accountId, d.id, d.assistant_id, :botId, :channel, :contact::text, :phone::text, :userId::text, :waId::text, :name::text, :username::text,
           d.at, d.version + 2, false, true, 1, d.at, d.written_at, d.arrived_at
      FROM decided d WHERE d.fresh
    RETURNING account_id, id, bot_id, channel, contact, user_id),
  addressed AS (${takeAddresses('opened')}),
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
    SELECT d.id, d.assistant_id, d.at, d.fresh, d.is_kin, d.stops, d.ai_enabled, d.version + 1 - d.fresh::int AS version
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
  ...(['contact', 'userId', 'phone', 'waId', 'name', 'username', 'newThreadId'] as const),
  ...(['requestedAt', 'receivedAt', 'position', 'webhook', 'heldBy'] as const),
).returns<{ entries: number; is_whole: boolean }>(`
  WITH ${LOCKED}, ${DECIDED}, ${SILENCED},
  logged AS (${appendEvents('told', { by: ':by::text' }, [
    { ...ENTRIES.opened, when: 't.fresh' },
    told({ ...ENTRIES.optedOut, step: 't.fresh::int', when: 't.stops' }),
    told({ ...ENTRIES.switchedOff, step: 't.fresh::int + t.stops::int', when: 't.ai_enabled' }),
  ])})
  SELECT count(*)::int AS entries, (SELECT yes FROM is_whole) AS is_whole FROM logged`);

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
    return this.tryAgain(() => this.optOut(at, messageId, null, optRequest, mark, by));
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
    return this.tryAgain(() => this.optOut(at, null, address, optRequest, mark, by));
  }

  private async tryAgain(act: () => Promise<boolean | 'again'>): Promise<boolean> {
    for (let tried = 1; ; tried++) {
      try {
        const done = await act();
        if (done !== 'again') return done;
      } catch (error) {
        if (!isUniqueClash(error) || tried === TRIES) throw error;
      }
      if (tried === TRIES) throw new RowBusyError(new Error('the dialogs of a customer change at every try'));
    }
  }

  private async optOut(
    at: ReceivingNumber,
    messageId: string | null,
    address: ThreadAddress | null,
    optRequest: OptRequestTime,
    mark: Buffer,
    by: string,
  ): Promise<boolean | 'again'> {
    const {
      contact = null,
      userId = null,
      phone = null,
      waId = null,
      name = null,
      username = null,
    } = address ?? {};
    const [row] = await this.database.run(OPT_OUT, {
      ...{ ...at, messageId, mark, by },
      ...{ contact, userId, phone, waId, name, username, newThreadId: address && randomUUIDv7() },
      requestedAt: optRequest.at,
      receivedAt: optRequest.arrival?.receivedAt ?? null,
      position: optRequest.arrival?.position ?? null,
      webhook: optRequest.arrival?.webhook ?? null,
      heldBy: optRequest.arrival?.heldBy ?? null,
    });
    return row?.is_whole === false ? 'again' : (row?.entries ?? 0) > 0;
  }
}
