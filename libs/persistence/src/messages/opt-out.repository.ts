import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { isUniqueClash } from '../database/unique.clash';
import { arrivalTime, isNewerOptRequest, type Arrival } from './arrival.time';
import type { ThreadAddress, ReceivingNumber } from './incoming.repository';

/** When a customer opted out at the provider, as far as that is known. */
export interface OptRequestTime {
  /** By the provider's clock; null: when it arrived. */
  at: Date | null;
  /** Null: it was just reported, in the answer to a request of ours. */
  arrival: Arrival | null;
}

/**
 * Marks dialogs as opted out and silences the agent, by the rules of a move.
 *
 * The mark is written first: when the same report comes a second time, it finds the mark and changes nothing, even if
 * the customer has asked for messages meanwhile. A newer START of the customer prevails; the agent stays off even so,
 * as it would had the report come first.
 *
 * A customer without a dialog gets one, so that later messages find it marked. Where another statement opens it at the
 * same time, or takes the user id, nothing is done and there is a unique clash.
 *
 * $1 account $2 thread or null $3 bot $4 channel $5 contact $6 user id $7 mark $8 by $9 when, null: when it arrived $10
 * when its webhook came, null: now $11 position in it $12 the dialog's id if it is new, null: none is opened $13 phone
 * $14 WhatsApp's digits $15 name
 */
const OPT_OUT: PreparedStatement = {
  name: 'opt-out-by-provider',
  text: `
  WITH marked AS (
    INSERT INTO webhook_marks (account_id, mark) VALUES ($1, $7::bytea) ON CONFLICT DO NOTHING RETURNING 1),
  known AS MATERIALIZED (
    SELECT $2::uuid AS id
    UNION SELECT id FROM threads WHERE account_id = $1 AND bot_id = $3 AND channel = $4 AND contact = $5::text
    UNION SELECT id FROM threads WHERE account_id = $1 AND bot_id = $3 AND channel = $4 AND user_id = $6::text),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, ai_enabled, opted_out, opt_requested_at, opt_request_arrived_at FROM threads
     WHERE account_id = $1 AND id IN (SELECT id FROM known) AND EXISTS (SELECT 1 FROM marked) ORDER BY id FOR NO KEY UPDATE),
  base AS MATERIALIZED (
    SELECT false AS fresh, cur.* FROM cur
    UNION ALL
    SELECT true, $12::uuid, assistant_id, 1::bigint, true, false, NULL::timestamptz, NULL::timestamptz
      FROM bots WHERE account_id = $1 AND id = $3 AND $12::uuid IS NOT NULL AND EXISTS (SELECT 1 FROM marked)
       AND NOT EXISTS (SELECT 1 FROM cur)),
  timed AS MATERIALIZED (
    SELECT t.*, least(coalesce($9::timestamptz, t.arrived_at), t.arrived_at) AS written_at
      FROM (SELECT c.*, c.at_once AS at, coalesce(${arrivalTime('$10', '$11')}, c.at_once) AS arrived_at
              FROM (SELECT base.*, clock_timestamp() AS at_once FROM base) c) t),
  decided AS MATERIALIZED (
    SELECT d.*, d.is_opt_request AND NOT d.opted_out AS stops
      FROM (SELECT t.*, ${isNewerOptRequest('t', 't.written_at', 't.arrived_at')} AS is_opt_request FROM timed t) d),
  opened AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, user_id, wa_id, customer_name,
                         created_at, version, ai_enabled, opted_out, ai_epoch, last_activity_at, opt_requested_at, opt_request_arrived_at)
    SELECT $1, d.id, d.assistant_id, $3, $4, $5::text, $13::text, $6::text, $14::text, $15::text,
           d.at, d.version + 2, false, true, 1, d.at, d.written_at, d.arrived_at
      FROM decided d WHERE d.fresh
    RETURNING id),
  silenced AS (
    UPDATE threads t
       SET opted_out = d.opted_out OR d.stops, ai_enabled = false, takeover_until = NULL,
           ai_epoch = t.ai_epoch + (d.stops OR d.ai_enabled)::int,
           version = t.version + d.stops::int + d.ai_enabled::int,
           last_activity_at = CASE WHEN d.stops OR d.ai_enabled THEN d.at ELSE t.last_activity_at END,
           opt_requested_at = CASE WHEN d.is_opt_request THEN d.written_at ELSE t.opt_requested_at END,
           opt_request_arrived_at = CASE WHEN d.is_opt_request THEN d.arrived_at ELSE t.opt_request_arrived_at END
      FROM decided d WHERE t.account_id = $1 AND t.id = d.id AND NOT d.fresh AND (d.is_opt_request OR d.ai_enabled)
    RETURNING t.id),
  told AS (
    SELECT d.* FROM decided d WHERE d.id IN (SELECT id FROM opened UNION ALL SELECT id FROM silenced)),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, e.id, e.assistant_id, e.version, e.type, e.at,
           jsonb_build_object('by', $8::text, 'actor', null) || e.body FROM (
      SELECT t.id, t.assistant_id, t.at, t.version, 'opened' AS type, '{}'::jsonb AS body FROM told t WHERE t.fresh
      UNION ALL
      SELECT t.id, t.assistant_id, t.at, t.version + 1, 'opt_out', jsonb_build_object('from', false, 'to', true)
        FROM told t WHERE t.stops
      UNION ALL
      SELECT t.id, t.assistant_id, t.at, t.version + 1 + t.stops::int, 'ai', jsonb_build_object('from', true, 'to', false)
        FROM told t WHERE t.ai_enabled) e
     ORDER BY e.id, e.version
    RETURNING seq)
  SELECT count(*)::int AS entries FROM logged`,
};

/** Each try reads again, and meets another opening only where one has just happened. */
const TRIES = 10;

/** Customers who opted out at the provider instead of here. */
@Injectable()
export class OptOutRepository {
  constructor(private readonly database: Database) {}

  /**
   * The dialog of a message, for good.
   * @param mark by which the same report is known again
   * @returns whether the log has something new.
   */
  async optOutThread(
    at: ReceivingNumber,
    threadId: string,
    optRequest: OptRequestTime,
    mark: Buffer,
    by: string,
  ): Promise<boolean> {
    return this.optOut(at, threadId, null, optRequest, mark, by);
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
    threadId: string | null,
    address: ThreadAddress | null,
    optRequest: OptRequestTime,
    mark: Buffer,
    by: string,
  ): Promise<boolean> {
    const values = [
      ...[at.accountId, threadId, at.botId, at.channel, address?.contact, address?.userId, mark, by],
      ...[optRequest.at, optRequest.arrival?.receivedAt, optRequest.arrival?.position],
      ...[address && randomUUIDv7(), address?.phone, address?.waId, address?.name],
    ];
    const given = values.map((value) => value ?? null);
    const [row] = await this.database.run<{ entries: number }>(OPT_OUT, given);
    return (row?.entries ?? 0) > 0;
  }
}
