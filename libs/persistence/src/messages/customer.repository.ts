import { Injectable } from '@nestjs/common';
import { isUniqueClash } from '../database/database.errors';
import { Database } from '../database/database.service';
import type { AsNumbers } from '../database/row.types';
import { statement } from '../database/sql.statement';
import type { EventEntity } from '../events/event.entity';
import { appendEvents, ENTRIES } from '../threads/thread-log.fragments';
import { threadIdOf } from './address.fragments';
import type { ThreadAddress, ReceivingNumber } from './incoming.repository';

/** The thread of the customer who is named. */
const KNOWN = `known AS MATERIALIZED (SELECT ${threadIdOf({
  ...{ account: ':accountId', bot: ':botId', channel: ':channel' },
  ...{ contact: ':contact::text', userId: ':userId::text' },
})} AS id)`;

const LOGGED = `
  timed AS (SELECT changed.*, clock_timestamp() AS at FROM changed),
  logged AS (${appendEvents('timed', { by: `'USER'` }, [ENTRIES.card])})
  SELECT seq::float8 AS seq FROM logged`;

const NAME = statement('customer-name').takes('accountId', 'botId', 'channel', 'contact', 'userId', 'name')
  .returns<AsNumbers<Pick<EventEntity, 'seq'>>>(`
  WITH ${KNOWN},
  cur AS MATERIALIZED (
    SELECT id, customer_name FROM threads WHERE account_id = :accountId AND id = (SELECT id FROM known)
        AND erased_at IS NULL FOR NO KEY UPDATE),
  changed AS (
    UPDATE threads t SET customer_name = :name::text, version = t.version + 1
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND c.customer_name IS NULL
    RETURNING t.id, t.assistant_id, t.version),
  ${LOGGED}`);

/** That no other thread has this address. */
const isFree = (column: 'contact' | 'user_id', value: string): string => `NOT EXISTS (
             SELECT 1 FROM threads o, cur WHERE o.account_id = :accountId AND o.bot_id = :botId AND o.channel = :channel
                AND o.${column} = ${value} AND o.id <> cur.id)`;

/**
 * Another number or user id of a customer, as far as no other thread has it. With a number goes the user id that
 * belonged to the former one. Erasing needs what they had before.
 */
const MOVE = statement('customer-move').takes(
  ...(['accountId', 'botId', 'channel', 'contact', 'userId', 'mark'] as const),
  ...(['newContact', 'newPhone', 'newUserId', 'newWaId'] as const),
).returns<AsNumbers<Pick<EventEntity, 'seq'>>>(`
  WITH marked AS (
    INSERT INTO webhook_marks (account_id, mark) VALUES (:accountId, :mark::bytea) ON CONFLICT DO NOTHING RETURNING 1),
  ${KNOWN},
  cur AS MATERIALIZED (
    SELECT id, contact, phone, user_id, wa_id FROM threads
     WHERE account_id = :accountId AND id = (SELECT id FROM known) AND erased_at IS NULL AND EXISTS (SELECT 1 FROM marked) FOR NO KEY UPDATE),
  free AS MATERIALIZED (
    SELECT :newPhone::text IS NOT NULL AND ${isFree('contact', ':newContact::text')} AS phone,
           :newUserId::text IS NOT NULL AND ${isFree('user_id', ':newUserId::text')} AS user_id),
  after AS MATERIALIZED (
    SELECT c.id, CASE WHEN f.phone THEN :newPhone::text ELSE c.phone END AS phone,
           CASE WHEN f.phone THEN :newWaId::text ELSE c.wa_id END AS wa_id,
           CASE WHEN f.user_id THEN :newUserId::text WHEN f.phone AND :newUserId::text IS NULL THEN NULL
                ELSE c.user_id END AS user_id,
           CASE WHEN f.phone THEN :newContact::text
                WHEN f.user_id AND c.phone IS NULL AND c.contact = c.user_id THEN :newUserId::text
                ELSE c.contact END AS contact
      FROM cur c, free f),
  changed AS (
    UPDATE threads t
       SET phone = a.phone, wa_id = a.wa_id, user_id = a.user_id, contact = a.contact, version = t.version + 1,
           former_addresses = ARRAY(
             SELECT f FROM unnest(t.former_addresses || ARRAY[c.contact, c.phone, c.user_id, c.wa_id]) f
              WHERE f NOT IN (SELECT n FROM unnest(ARRAY[a.contact, a.phone, a.user_id, a.wa_id]) n WHERE n IS NOT NULL)
              GROUP BY f)
      FROM after a JOIN cur c ON c.id = a.id
     WHERE t.account_id = :accountId AND t.id = a.id
       AND (a.phone, a.wa_id, a.user_id, a.contact) IS DISTINCT FROM (c.phone, c.wa_id, c.user_id, c.contact)
    RETURNING t.id, t.assistant_id, t.version),
  ${LOGGED}`);

/** What becomes known about a customer besides messages. */
@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /** Names a customer who has no name yet. @returns whether an event was appended. */
  async name(at: ReceivingNumber, { contact, userId }: ThreadAddress, name: string): Promise<boolean> {
    return (await this.database.run(NAME, { ...at, contact, userId, name })).length > 0;
  }

  /**
   * @param mark identifies a repeated report
   * @returns whether an event was appended.
   */
  async move(
    at: ReceivingNumber,
    { contact, userId }: ThreadAddress,
    to: Omit<ThreadAddress, 'name'>,
    mark: Buffer,
  ): Promise<boolean> {
    const { contact: newContact, phone: newPhone, userId: newUserId, waId: newWaId } = to;
    const values = { ...at, contact, userId, mark, newContact, newPhone, newUserId, newWaId };
    try {
      return (await this.database.run(MOVE, values)).length > 0;
    } catch (error) {
      // Another dialog took the address at this moment.
      if (!isUniqueClash(error)) throw error;
      return (await this.database.run(MOVE, values)).length > 0;
    }
  }
}
