import { Injectable } from '@nestjs/common';
import { statement } from '../../database/sql.statements';
import { conductAfter } from '../../threads/conductor.rules';
import { wakeRuns } from '../../threads/run.statements';
import { bySameCustomer } from '../../threads/same-customer.statements';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import { findAgain } from '../../threads/thread-search.statements';
import { set } from '../../threads/thread.rules';
import { isUniqueClash, RowBusyError } from '../../database/database.errors';
import { Database } from '../../database/database.service';
import type { AsNumbers } from '../../database/row-types';
import type { EventEntity } from '../../events/event.entity';
import { holderOfAddress, threadIdOf, type ReceivingNumber, type ThreadAddress } from './address.statements';

/**
 * `again`: something changed while locks were awaited, and nothing was done. `nobody`: there is no such dialog, or the
 * report is known.
 */
export type LearnVerdict = 'learnt' | 'again' | 'nobody';

/** The user id alone is in the place of the former one. */
const MOVES_USER_ID = `:moves::boolean AND NOT :movesNumber::boolean`;

const OF_NUMBER = { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' };

/**
 * The dialog that is told of: by its id, by a message of it, or by what names its customer. A number that the customer of
 * another address gave up comes last: somebody else may have it by now.
 */
const SUBJECT = `
  named_by AS MATERIALIZED (
    SELECT a.address, a.n, ${holderOfAddress(OF_NUMBER, 'a.address')} AS id FROM unnest(:addresses::text[]) WITH ORDINALITY a (address, n)),
  subject AS MATERIALIZED (
    SELECT coalesce(:threadId::uuid,
             (SELECT thread_id FROM messages WHERE account_id = :accountId AND id = :messageId::uuid),
             (SELECT b.id FROM named_by b WHERE b.id IS NOT NULL
               ORDER BY EXISTS (SELECT 1 FROM named_by o JOIN threads t ON t.account_id = :accountId AND t.id = o.id
                                 WHERE o.id <> b.id AND b.address = ANY (t.former_addresses)), b.n LIMIT 1)) AS id),
  row_of AS MATERIALIZED (
    SELECT t.id, t.user_id, t.contact, t.former_addresses FROM threads t JOIN subject s ON s.id = t.id WHERE t.account_id = :accountId)`;

/**
 * What is told, with whoever has it; a user id that gives way to another one leads on, and so does whatever names the customer
 * beside it. A message of ours, or a report of a new user id, may name an address that the customer gave up since.
 */
const TOLD = `
  told AS MATERIALIZED (
    SELECT a.address, ${holderOfAddress(OF_NUMBER, 'a.address')} AS holder,
           EXISTS (SELECT 1 FROM thread_addresses k
                    WHERE k.account_id = :accountId AND k.address = a.address AND k.bot_id = :botId AND k.channel = :channel) AS is_kept
      FROM (SELECT :newContact::text AS address UNION SELECT :newUserId::text UNION SELECT r.user_id FROM row_of r
            UNION SELECT r.contact FROM row_of r WHERE NOT :moves::boolean
            UNION SELECT b.address FROM named_by b WHERE ${MOVES_USER_ID}) a
     WHERE a.address IS NOT NULL
       AND NOT ((:messageId::uuid IS NOT NULL OR ${MOVES_USER_ID} AND a.address LIKE '+%')
                AND EXISTS (SELECT 1 FROM row_of r WHERE a.address = ANY (r.former_addresses))))`;

/** All dialogs of the customer as far as it is known now, locked. */
const LOCKED = `
  involved AS MATERIALIZED (SELECT id FROM row_of UNION SELECT holder FROM told WHERE holder IS NOT NULL AND EXISTS (SELECT 1 FROM row_of)),
  family AS MATERIALIZED (
    SELECT account_id, id, assistant_id, version, ai_enabled, opted_out, takeover_until, has_runs, contact, phone, user_id, wa_id,
           username, phone_proven, same_customer, opt_requested_at, opt_request_arrived_at FROM threads
     WHERE account_id = :accountId AND erased_at IS NULL AND id IN (
       SELECT id FROM involved UNION SELECT unnest(t.same_customer) FROM threads t JOIN involved i ON i.id = t.id AND t.account_id = :accountId)
     ORDER BY id FOR NO KEY UPDATE),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM family) l),
  -- What the snapshot says of addresses holds only where no dialog has changed since.
  is_sound AS MATERIALIZED (
    SELECT NOT EXISTS (SELECT 1 FROM family f JOIN threads s ON s.account_id = f.account_id AND s.id = f.id AND s.version <> f.version) AS yes
     WHERE EXISTS (SELECT 1 FROM family f JOIN subject s ON s.id = f.id)),
  marked AS (
    INSERT INTO webhook_marks (account_id, mark) SELECT :accountId, :mark::bytea FROM is_sound WHERE yes AND :mark::bytea IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING 1),
  go AS MATERIALIZED (SELECT 1 FROM is_sound WHERE yes AND (:mark::bytea IS NULL OR EXISTS (SELECT 1 FROM marked)))`;

/**
 * Addresses that nobody has become the dialog's. Whoever takes one at the same time makes a unique violation here or there.
 * A number that the customer gave up leads here no more; their former user id does, for nobody else gets it.
 */
const TAKEN = `
  taken AS (
    INSERT INTO thread_addresses (account_id, address, bot_id, channel, thread_id)
    SELECT :accountId, t.address, :botId, :channel, coalesce(t.holder, s.id)
      FROM told t CROSS JOIN subject s CROSS JOIN go WHERE NOT t.is_kept ORDER BY t.address COLLATE "C"),
  given_up AS (
    DELETE FROM thread_addresses k USING subject s CROSS JOIN go
     WHERE :movesNumber::boolean AND k.account_id = :accountId AND k.thread_id = s.id
       AND k.address LIKE '+%' AND k.address <> :newContact::text
       AND NOT EXISTS (SELECT 1 FROM told t WHERE t.address = :newContact::text AND t.holder <> s.id))`;

/** Whether the dialog has an address from now on, and whether nobody had it before. */
const isIts = (address: string): string =>
  `EXISTS (SELECT 1 FROM told t WHERE t.address = ${address} AND coalesce(t.holder = c.id, true))`;
const isNew = (address: string): string =>
  `EXISTS (SELECT 1 FROM told t WHERE t.address = ${address} AND t.holder IS NULL)`;

/** The customer of the dialog, as the columns have it. */
const NAMED = `
  named AS MATERIALIZED (
    SELECT c.id,
           CASE WHEN :moves AND NOT n.has_number THEN c.phone
                WHEN :movesNumber OR :proven THEN coalesce(:newPhone::text, c.phone)
                ELSE coalesce(c.phone, :newPhone::text) END AS phone,
           CASE WHEN n.has_number AND (:movesNumber OR c.wa_id IS NULL OR ${isNew(':newContact::text')})
                THEN coalesce(:newWaId::text, c.wa_id) ELSE c.wa_id END AS wa_id,
           CASE WHEN n.has_user AND (:moves OR c.user_id IS NULL OR ${isNew(':newUserId::text')}) THEN :newUserId::text
                WHEN :movesNumber AND n.has_number AND :newUserId::text IS NULL THEN NULL ELSE c.user_id END AS user_id,
           CASE WHEN n.has_number AND (:movesNumber OR c.phone IS NULL AND c.contact = c.user_id) THEN :newContact::text
                WHEN :moves AND n.has_user AND c.phone IS NULL AND c.contact = c.user_id THEN :newUserId::text
                ELSE c.contact END AS contact,
           coalesce(:newUsername::text, c.username) AS username,
           CASE WHEN :movesNumber AND n.has_number THEN false ELSE c.phone_proven OR :proven END AS phone_proven
      FROM family c JOIN subject s ON s.id = c.id CROSS JOIN go CROSS JOIN LATERAL (
        SELECT :newPhone::text IS NOT NULL AND ${isIts(':newContact::text')} AS has_number,
               :newUserId::text IS NOT NULL AND ${isIts(':newUserId::text')} AS has_user) n)`;

/** An opt-out and a permanent off of one hold for all from now on. */
const DECIDED = `
  related AS MATERIALIZED (
    SELECT f.*, nullif(ARRAY(SELECT o.id FROM family o WHERE o.id <> f.id ORDER BY o.id), '{}') AS same_now FROM family f CROSS JOIN go),
  joined AS MATERIALIZED (
    SELECT bool_or(NOT coalesce(r.same_now <@ r.same_customer, r.same_now IS NULL)) AS yes, bool_or(r.opted_out) AS opted_out,
           bool_or(NOT r.ai_enabled) AS is_off FROM related r),
  last_request AS MATERIALIZED (
    SELECT r.opt_requested_at, r.opt_request_arrived_at FROM related r WHERE r.opted_out AND r.opt_requested_at IS NOT NULL
     ORDER BY r.opt_requested_at DESC, r.opt_request_arrived_at DESC LIMIT 1),
  decided AS MATERIALIZED (
    SELECT r.id, r.version, r.same_now, n.id IS NOT NULL AS is_subject, n.phone, n.wa_id, n.user_id, n.contact, n.username, n.phone_proven,
           ARRAY[r.contact, r.phone, r.user_id, r.wa_id, '+' || r.wa_id] AS former,
           coalesce((n.phone, n.wa_id, n.user_id, n.contact, n.username, n.phone_proven)
             IS DISTINCT FROM (r.phone, r.wa_id, r.user_id, r.contact, r.username, r.phone_proven), false) AND n.id IS NOT NULL
             OR r.same_now IS DISTINCT FROM r.same_customer AS shows,
           coalesce(j.yes AND j.opted_out AND NOT r.opted_out, false) AS stops,
           coalesce(j.yes AND j.is_off AND r.ai_enabled, false) AS silences,
           greatest(q.opt_requested_at, r.opt_requested_at) AS requested_at,
           CASE WHEN r.opt_requested_at > q.opt_requested_at THEN r.opt_request_arrived_at
                ELSE coalesce(q.opt_request_arrived_at, r.opt_request_arrived_at) END AS arrived_at, c.at
      FROM related r CROSS JOIN joined j CROSS JOIN clock c LEFT JOIN named n ON n.id = r.id LEFT JOIN last_request q ON true)`;

const SILENT = conductAfter('t', 'd.at', [
  { when: 'd.stops', event: 'customerStops' },
  { when: 'd.silences', event: 'switchedOff' },
]);

const CHANGED = `
  changed AS (
    UPDATE threads t
       SET ${set(SILENT)}, same_customer = d.same_now,
           phone = CASE WHEN d.is_subject THEN d.phone ELSE t.phone END,
           wa_id = CASE WHEN d.is_subject THEN d.wa_id ELSE t.wa_id END,
           user_id = CASE WHEN d.is_subject THEN d.user_id ELSE t.user_id END,
           contact = CASE WHEN d.is_subject THEN d.contact ELSE t.contact END,
           username = CASE WHEN d.is_subject THEN d.username ELSE t.username END,
           phone_proven = CASE WHEN d.is_subject THEN d.phone_proven ELSE t.phone_proven END,
           former_addresses = CASE WHEN d.is_subject THEN nullif(ARRAY(
             SELECT f FROM unnest(t.former_addresses || d.former) f
              WHERE f NOT IN (SELECT n FROM unnest(ARRAY[d.contact, d.phone, d.user_id, d.wa_id, '+' || d.wa_id]) n WHERE n IS NOT NULL)
              GROUP BY f), '{}') ELSE t.former_addresses END,
           opt_requested_at = CASE WHEN d.stops THEN d.requested_at ELSE t.opt_requested_at END,
           opt_request_arrived_at = CASE WHEN d.stops THEN d.arrived_at ELSE t.opt_request_arrived_at END,
           ai_epoch = t.ai_epoch + (d.stops OR d.silences)::int,
           last_activity_at = CASE WHEN d.stops OR d.silences THEN d.at ELSE t.last_activity_at END,
           version = t.version + d.shows::int + d.stops::int + d.silences::int
      FROM decided d WHERE t.account_id = :accountId AND t.id = d.id AND (d.shows OR d.stops OR d.silences)
    RETURNING t.account_id, t.id, t.assistant_id, t.has_runs, d.version + 1 AS version, d.at, d.shows, d.stops, d.silences),
  ${findAgain('(SELECT account_id, id FROM changed WHERE shows) changed')},
  woken AS (${wakeRuns('(SELECT * FROM changed WHERE stops) w')})`;

/**
 * Teaches a dialog its customer's addresses, in the one place where that is done: whatever tells one comes here when it is
 * new. An address that nobody has becomes the dialog's. One that another dialog has says that both are of one customer:
 * they know of each other from then on, and what silences one silences both, in the same statement.
 *
 * `moves`: the customer has these instead of the former ones; without `movesNumber` so much is true of the user id alone. A
 * number that another dialog has stays there. `proven`: the customer shared the phone when asked for it.
 */
const LEARN = statement('address-learn').takes(
  ...(['accountId', 'botId', 'channel', 'threadId', 'messageId', 'addresses', 'mark'] as const),
  ...(['newContact', 'newPhone', 'newUserId', 'newWaId', 'newUsername'] as const),
  ...(['moves', 'movesNumber', 'proven', 'by'] as const),
).returns<{ verdict: LearnVerdict; logged: boolean }>(`
  WITH ${SUBJECT}, ${TOLD}, ${LOCKED}, ${TAKEN}, ${NAMED}, ${DECIDED}, ${CHANGED},
  logged AS (${appendEvents('changed', { by: ':by::text' }, [
    { ...ENTRIES.card, when: 't.shows' },
    bySameCustomer({ ...ENTRIES.optedOut, step: 't.shows::int', when: 't.stops' }),
    bySameCustomer({ ...ENTRIES.switchedOff, step: 't.shows::int + t.stops::int', when: 't.silences' }),
  ])})
  SELECT CASE WHEN EXISTS (SELECT 1 FROM go) THEN 'learnt' WHEN EXISTS (SELECT 1 FROM is_sound WHERE NOT yes) THEN 'again'
              ELSE 'nobody' END AS verdict, EXISTS (SELECT 1 FROM logged) AS logged`);

const NAME = statement('customer-name').takes('accountId', 'botId', 'channel', 'contact', 'userId', 'name')
  .returns<AsNumbers<Pick<EventEntity, 'seq'>>>(`
  WITH known AS MATERIALIZED (SELECT ${threadIdOf({
    ...{ account: ':accountId', bot: ':botId', channel: ':channel' },
    ...{ contact: ':contact::text', userId: ':userId::text' },
  })} AS id),
  cur AS MATERIALIZED (
    SELECT id, customer_name FROM threads WHERE account_id = :accountId AND id = (SELECT id FROM known)
        AND erased_at IS NULL FOR NO KEY UPDATE),
  changed AS (
    UPDATE threads t SET customer_name = :name::text, version = t.version + 1
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND c.customer_name IS NULL
    RETURNING t.id, t.assistant_id, t.version),
  timed AS (SELECT changed.*, clock_timestamp() AS at FROM changed),
  logged AS (${appendEvents('timed', { by: `'USER'` }, [ENTRIES.card])})
  SELECT seq::float8 AS seq FROM logged`);

/** Which dialog is told of. */
export type ToldOf =
  | { threadId: string }
  /** By a message of it. */
  | { messageId: string }
  /** By what names its customer: the user id, else the number; `phoneFirst`: the other way round. */
  | { address: Pick<ThreadAddress, 'contact' | 'userId'>; phoneFirst?: boolean };

/** What names the customer, the surest first. */
function addressesOf(of: ToldOf): string[] {
  if (!('address' in of)) return [];
  const { contact, userId } = of.address;
  return (of.phoneFirst ? [contact, userId] : [userId, contact]).filter((address) => address !== null);
}

/** What is told of a dialog's customer. Null: not told. */
export interface ToldAddress {
  /** As `contactOf` writes the number; null where no number is told. */
  contact: string | null;
  phone: string | null;
  userId: string | null;
  waId: string | null;
  username: string | null;
}

/** What a message or a report tells of whoever it names. */
export const toldBy = ({
  contact,
  phone,
  userId,
  waId,
  username,
}: Omit<ThreadAddress, 'name'>): ToldAddress => ({
  ...{ contact: phone === null ? null : contact, phone, userId, waId, username },
});

interface Manner {
  /** What is in the place of the former one. With a number goes the user id that belonged to the former one. */
  moves?: 'number' | 'userId' | null;
  /** The customer shared the phone when asked for it. */
  proven?: boolean;
  /** Identifies a repeated report. */
  mark?: Buffer | null;
}

/** Each try looks anew. It meets another change only where one has just happened. */
const TRIES = 20;

/** What becomes known about a customer besides messages. */
@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /** Names a customer who has no name yet. @returns whether an event was appended. */
  async name(at: ReceivingNumber, { contact, userId }: ThreadAddress, name: string): Promise<boolean> {
    return (await this.database.run(NAME, { ...at, contact, userId, name })).length > 0;
  }

  /**
   * Teaches a dialog addresses of its customer. Nothing happens where there is no such dialog.
   * @returns whether an event was appended.
   */
  async learn(
    at: ReceivingNumber,
    of: ToldOf,
    told: ToldAddress,
    { moves = null, proven = false, mark = null }: Manner = {},
  ): Promise<boolean> {
    const values = {
      ...{ ...at, mark, moves: moves !== null, movesNumber: moves === 'number', proven, by: 'USER' },
      threadId: 'threadId' in of ? of.threadId : null,
      messageId: 'messageId' in of ? of.messageId : null,
      addresses: addressesOf(of),
      ...{ newContact: told.contact, newPhone: told.phone, newUserId: told.userId },
      ...{ newWaId: told.waId, newUsername: told.username },
    };
    for (let tried = 1; ; tried++) {
      try {
        const [row] = await this.database.run(LEARN, values);
        if (row?.verdict !== 'again') return row?.logged ?? false;
      } catch (error) {
        // Another dialog took the address at this moment.
        if (!isUniqueClash(error)) throw error;
      }
      if (tried === TRIES)
        throw new RowBusyError(new Error('a customer’s addresses change at every try to learn one'));
    }
  }
}
