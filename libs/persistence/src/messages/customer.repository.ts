import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { isUniqueClash } from '../database/unique.clash';
import { KNOWN } from './incoming.statements';
import type { ThreadAddress, ReceivingNumber } from './incoming.repository';

const CARD_ENTRY = `
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, id, assistant_id, version, 'card', clock_timestamp(), jsonb_build_object('by', 'USER', 'actor', null)
      FROM changed RETURNING seq)
  SELECT seq::float8 AS seq FROM logged`;

/** $1 account $2 bot $3 channel $4 contact $5 name $6 user id */
const NAME: PreparedStatement = {
  name: 'customer-name',
  text: `
  WITH ${KNOWN},
  cur AS MATERIALIZED (
    SELECT id, customer_name FROM threads WHERE account_id = $1 AND id = (SELECT id FROM known) FOR NO KEY UPDATE),
  changed AS (
    UPDATE threads t SET customer_name = $5::text, version = t.version + 1
      FROM cur c WHERE t.account_id = $1 AND t.id = c.id AND c.customer_name IS NULL
    RETURNING t.id, t.assistant_id, t.version),
  ${CARD_ENTRY}`,
};

/**
 * Another number or user id of a customer, as far as no other dialog has it. With a number goes the user id that
 * belonged to the former one.
 * $1 account $2 bot $3 channel $4 contact before $5 phone $6 user id before $7 contact $8 user id $9 WhatsApp's digits $10 mark
 */
const MOVE: PreparedStatement = {
  name: 'customer-move',
  text: `
  WITH marked AS (
    INSERT INTO webhook_marks (account_id, mark) VALUES ($1, $10::bytea) ON CONFLICT DO NOTHING RETURNING 1),
  ${KNOWN},
  cur AS MATERIALIZED (
    SELECT id, contact, phone, user_id, wa_id FROM threads
     WHERE account_id = $1 AND id = (SELECT id FROM known) AND EXISTS (SELECT 1 FROM marked) FOR NO KEY UPDATE),
  free AS MATERIALIZED (
    SELECT $5::text IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM threads o, cur WHERE o.account_id = $1 AND o.bot_id = $2 AND o.channel = $3 AND o.contact = $7::text
                AND o.id <> cur.id) AS phone,
           $8::text IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM threads o, cur WHERE o.account_id = $1 AND o.bot_id = $2 AND o.channel = $3 AND o.user_id = $8::text
                AND o.id <> cur.id) AS user_id),
  after AS MATERIALIZED (
    SELECT c.id, CASE WHEN f.phone THEN $5::text ELSE c.phone END AS phone,
           CASE WHEN f.phone THEN $9::text ELSE c.wa_id END AS wa_id,
           CASE WHEN f.user_id THEN $8::text WHEN f.phone AND $8::text IS NULL THEN NULL ELSE c.user_id END AS user_id,
           CASE WHEN f.phone THEN $7::text WHEN f.user_id AND c.phone IS NULL AND c.contact = c.user_id THEN $8::text
                ELSE c.contact END AS contact
      FROM cur c, free f),
  changed AS (
    UPDATE threads t
       SET phone = a.phone, wa_id = a.wa_id, user_id = a.user_id, contact = a.contact, version = t.version + 1
      FROM after a JOIN cur c ON c.id = a.id
     WHERE t.account_id = $1 AND t.id = a.id
       AND (a.phone, a.wa_id, a.user_id, a.contact) IS DISTINCT FROM (c.phone, c.wa_id, c.user_id, c.contact)
    RETURNING t.id, t.assistant_id, t.version),
  ${CARD_ENTRY}`,
};

/** What becomes known about a customer besides messages. */
@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /** Names a customer who has no name yet. @returns whether an event was appended. */
  async name(at: ReceivingNumber, { contact, userId }: ThreadAddress, name: string): Promise<boolean> {
    const values = [at.accountId, at.botId, at.channel, contact, name, userId];
    return (await this.database.run(NAME, values)).length > 0;
  }

  /**
   * @param mark identifies a repeated report
   * @returns whether an event was appended.
   */
  async move(
    at: ReceivingNumber,
    from: ThreadAddress,
    to: Omit<ThreadAddress, 'name'>,
    mark: Buffer,
  ): Promise<boolean> {
    const values = [
      ...[at.accountId, at.botId, at.channel, from.contact, to.phone, from.userId],
      ...[to.contact, to.userId, to.waId, mark],
    ];
    try {
      return (await this.database.run(MOVE, values)).length > 0;
    } catch (error) {
      // Another dialog took the address at this moment.
      if (!isUniqueClash(error)) throw error;
      return (await this.database.run(MOVE, values)).length > 0;
    }
  }
}
