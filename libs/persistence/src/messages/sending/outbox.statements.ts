import { preciseTime, preciseTimeOf, statement } from '../../database/sql.statements';
import type { NotNull } from '../../database/row-types';
import { passesTo, takeoverAfter } from '../../threads/conductor.rules';
import {
  ASK_FOR_NOBODY,
  beginTakeover,
  isWaiting,
  messageOfOurs,
  onlyWhere,
  set,
  takeBack,
} from '../../threads/thread.rules';
import { appendEvents, changed, ENTRIES, type Entry } from '../../threads/thread-log.statements';
import { wakeRuns } from '../../threads/run.statements';
import { dialogsOfContacts, isFree, takeAddresses } from '../incoming/address.statements';
import { hadOptedOut } from '../dialog/erased.statements';
import { hiddenKey } from './idempotency.repository';
import { personOf, previewOf } from '../dialog/message-columns';
import type { ThreadEntity } from '../../threads/thread.entity';
import type { QuotaUsageEntity } from '../../accounts/account.entity';
import type { MessageEntity } from '../dialog/message.entity';

export interface StoredMessage extends Pick<MessageEntity, 'id' | 'thread_id'> {
  /** How long the number is paused, in milliseconds; null: it is not. */
  paused_ms: number | null;
}

/** An operator's words, and where they go. */
export type StoredText = StoredMessage &
  Pick<ThreadEntity, 'bot_id' | 'channel' | 'phone' | 'has_runs'> &
  NotNull<Pick<MessageEntity, 'recipient'>>;

/** The month in which a transaction began, UTC. The quota that it reserves is counted there. */
const MONTH = `date_trunc('month', transaction_timestamp() AT TIME ZONE 'UTC')::date`;

const OF_NUMBER = { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' };

const OPT_OUT_KEPT = hadOptedOut({ ...OF_NUMBER, contact: 'o.contact', userId: 'NULL::text' });

type OpenedThread = Pick<ThreadEntity, 'id' | 'contact'> & {
  /** With its microseconds, as text. All that a statement opens have one. */
  opened_at: string;
};

/**
 * Opens the threads that do not exist yet, as they are after their first messages. It does so in the order of their
 * contacts, so that two such statements wait for each other but never in a circle.
 * The arrays have one element for each thread: `counts` of its messages, `texts` of the last one.
 */
export const OPEN_THREADS = statement('outbox-open-threads').takes(
  'accountId',
  'botId',
  'channel',
  'assistantId',
  'role',
  'ids',
  'contacts',
  'phones',
  'counts',
  'texts',
).returns<OpenedThread>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  opened AS (
  INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, version, last_message_role,
                       last_message_text, last_message_at, created_at, last_activity_at, last_outbound_at, ai_enabled,
                       opted_out)
  SELECT :accountId, o.id, :assistantId, :botId, :channel, o.contact, o.phone, 1 + o.messages, :role,
         ${previewOf('o.text')}, c.at, c.at, c.at, c.at, NOT k.opted_out, k.opted_out
    FROM unnest(:ids::uuid[], :contacts::text[], :phones::text[], :counts::int[], :texts::text[])
           o (id, contact, phone, messages, text)
   CROSS JOIN clock c CROSS JOIN LATERAL (SELECT ${OPT_OUT_KEPT} AS opted_out) k
   WHERE ${isFree(OF_NUMBER, 'o.contact')}
   ORDER BY o.contact COLLATE "C"
  ON CONFLICT (account_id, bot_id, channel, contact) DO NOTHING
  RETURNING account_id, id, bot_id, channel, contact, user_id, created_at),
  addressed AS (${takeAddresses('opened')})
  SELECT id, contact, ${preciseTime('created_at')} AS opened_at FROM opened`);

/** The person who sends; null: a key, or nobody. */
const WRITER = personOf(':actor::jsonb');

/** Whether answering makes a person the assignee: it is nobody's dialog, and the account has it so. */
const assignsWriter = (row: string): string =>
  `(${row}.assignee_id IS NULL AND ${WRITER} IS NOT NULL AND (SELECT a.assign_on_reply FROM accounts a WHERE a.id = :accountId))`;

/** A person becomes it. */
const WRITER_ASSIGNED: Entry = {
  type: `'assignee'`,
  body: `${changed('NULL', WRITER)} || '{"by": "OPERATOR_MANUAL"}'`,
  when: 't.assigns',
};

/**
 * A template that a person sends to one customer who waits is an answer; one to a list is none.
 */
const ANSWERS = `(:role = 'OPERATOR' AND :batchId::uuid IS NULL AND ${isWaiting('t')} AND ${assignsWriter('t')})`;

/**
 * The messages that are given, each with its thread and its place among the thread's. Threads that were open before are
 * locked in the order of their ids; those that this transaction has opened are its own. The clock is read after the locks;
 * a thread that was just opened has one time, which its row and its log tell alike: lists go on by it.
 */
const PLACED = `
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:messages::jsonb)
      AS g (n integer, id uuid, contact text, recipient text, type text, text text, content jsonb, duplicate boolean,
            run_id uuid, actor jsonb)),
  opened AS MATERIALIZED (SELECT * FROM unnest(:openedIds::uuid[], :openedContacts::text[]) o (id, contact)),
  ${dialogsOfContacts(OF_NUMBER, 'unnest(:knownContacts::text[])', `assistant_id, version, ${ANSWERS} AS assigns`, ':knownIds::uuid[]')},
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM locked) l),
  dialogs AS MATERIALIZED (
    SELECT l.id, k.contact, l.assistant_id, l.version, l.assigns, false AS is_new, at FROM locked l JOIN known k ON k.id = l.id CROSS JOIN clock
    UNION ALL SELECT id, contact, :assistantId, 1, false, true, ${preciseTimeOf(':openedAt')} FROM opened),
  placed AS MATERIALIZED (
    SELECT g.*, d.id AS thread_id, d.assistant_id, d.version AS base, d.assigns, d.is_new, d.at,
           sum(CASE WHEN g.duplicate THEN 0 ELSE 1 END) OVER (PARTITION BY d.id ORDER BY g.n)::int AS place
      FROM given g JOIN dialogs d ON d.contact = g.contact)`;

/**
 * Threads that were open before get their newest message. A duplicate changes nothing of its thread. A template leaves the
 * dialog with whoever conducts it at the messenger.
 */
const TOUCHED = `
  newest AS (
    SELECT DISTINCT ON (thread_id) thread_id, place, assigns, type, text, at, at + n * interval '1 microsecond' AS created_at FROM placed
     WHERE NOT duplicate AND NOT is_new ORDER BY thread_id, n DESC),
  touched AS (
    UPDATE threads t
       SET version = t.version + w.place + w.assigns::int,
           assignee_id = CASE WHEN w.assigns THEN ${WRITER} ELSE t.assignee_id END,
           ${set(
             messageOfOurs('t', {
               ...{ role: ':role', preview: previewOf('w.text'), at: 'w.at' },
               ...{ createdAt: 'w.created_at', count: 'w.place' },
             }),
           )},
           ${set(onlyWhere(`w.type <> 'template'`, 't', takeBack('w.at')))}
      FROM newest w WHERE t.account_id = :accountId AND t.id = w.thread_id)`;

/** Messages are a microsecond apart, so that they are sent in the order asked. */
const STORED = `
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          error_code, error_message, batch_id, batch_index, due_at, attempts, claim_token, claim_until,
                          quota_month, created_at, failed_at, run_id, trace, author_id)
    SELECT :accountId, p.id, p.thread_id, :botId, :channel, :role, p.type, p.text, p.content, p.recipient,
           CASE WHEN p.duplicate THEN 'failed' WHEN :claimToken::uuid IS NULL THEN 'queued' ELSE 'sending' END,
           CASE WHEN p.duplicate THEN 'DUPLICATE' END,
           CASE WHEN p.duplicate THEN 'The batch has the same message for this customer already.' END,
           :batchId, CASE WHEN :batchId::uuid IS NOT NULL THEN p.n END,
           CASE WHEN NOT p.duplicate AND :claimToken::uuid IS NULL THEN p.at + p.n * interval '1 microsecond' END,
           CASE WHEN NOT p.duplicate AND :claimToken::uuid IS NOT NULL THEN 1 ELSE 0 END,
           CASE WHEN NOT p.duplicate THEN :claimToken::uuid END,
           CASE WHEN NOT p.duplicate AND :claimToken::uuid IS NOT NULL
                THEN p.at + make_interval(secs => :claimMs::float8 / 1000) END,
           CASE WHEN NOT p.duplicate AND :counts THEN ${MONTH} END,
           p.at + p.n * interval '1 microsecond', CASE WHEN p.duplicate THEN p.at END, p.run_id,
           :trace::text, CASE WHEN p.actor IS NULL THEN ${personOf(':actor::jsonb')} END
      FROM placed p)`;

/** A new thread's opening, then each message. */
const LOGGED = `
  entries AS (
    SELECT id, assistant_id, version, at, 0 AS place, NULL::uuid AS message_id, NULL::jsonb AS actor, false AS assigns FROM dialogs WHERE is_new
    UNION ALL
    SELECT thread_id, assistant_id, base, at, place, id, actor, assigns FROM placed WHERE NOT duplicate),
  logged AS (${appendEvents(
    'entries',
    { by: ':role::text', actor: 'coalesce(t.actor, :actor::jsonb)', request: ':requestId::text' },
    [
      { ...ENTRIES.opened, when: 't.message_id IS NULL' },
      { ...ENTRIES.message('t.message_id'), step: 't.place', when: 't.message_id IS NOT NULL' },
      { ...WRITER_ASSIGNED, step: 't.place + 1' },
    ],
  )})`;

/**
 * Writes messages into their threads, in the order asked, and appends the events. A duplicate is stored as one.
 * Without a claim's token the messages wait in their number's send queue. `counts`: they count against the quota.
 */
export const STORE_MESSAGES = statement('outbox-store-messages').takes(
  'accountId',
  'botId',
  'channel',
  'assistantId',
  'messages',
  'openedIds',
  'openedContacts',
  'openedAt',
  'knownContacts',
  'knownIds',
  'role',
  'actor',
  'requestId',
  'batchId',
  'claimToken',
  'claimMs',
  'counts',
  'trace',
).returns<StoredMessage>(`
  WITH ${PLACED},
  ${TOUCHED},
  ${STORED},
  ${LOGGED}
  SELECT p.id, p.thread_id,
         (SELECT extract(epoch FROM b.paused_until - c.at) * 1000 FROM bot_channels b CROSS JOIN clock c
           WHERE b.account_id = :accountId AND b.bot_id = :botId AND b.channel = :channel
             AND b.paused_until > c.at)::float8 AS paused_ms
    FROM placed p ORDER BY p.n`);

/**
 * An operator's words in an open thread: claimed at once, with the takeover that they begin. Off stays off. A person who
 * answers in a thread of nobody becomes its assignee, where the account has it so.
 */
export const STORE_TEXT = statement('outbox-store-text').takes(
  'accountId',
  'threadId',
  'assistantIds',
  'messageId',
  'type',
  'text',
  'content',
  'mediaId',
  'actor',
  'requestId',
  'claimToken',
  'claimMs',
).returns<Omit<StoredText, 'id'>>(`
  WITH cur AS MATERIALIZED (
    SELECT id, assistant_id, bot_id, channel, contact, phone, user_id, version, ai_enabled, takeover_until, has_runs, assignee_id
      FROM threads WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[])
        AND erased_at IS NULL FOR NO KEY UPDATE),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM cur) l),
  timed AS MATERIALIZED (
    SELECT cur.*, c.at, ${passesTo('operatorWrites', 'operator', 'cur', 'c.at')} AS was_ai,
           ${assignsWriter('cur')} AS assigns,
           coalesce(cur.phone, cur.user_id, cur.contact) AS recipient
      FROM cur CROSS JOIN clock c),
  touched AS (
    UPDATE threads t
       SET version = t.version + 1 + d.was_ai::int + d.assigns::int,
           assignee_id = CASE WHEN d.assigns THEN ${WRITER} ELSE t.assignee_id END,
           ${set(messageOfOurs('t', { role: `'OPERATOR'`, preview: previewOf(':text::text'), at: 'd.at' }))},
           unread_count = 0, ai_epoch = t.ai_epoch + 1, ${set({ ...ASK_FOR_NOBODY, ...takeBack('d.at') })},
           takeover_until = ${takeoverAfter('operatorWrites', 't', 'd.at', beginTakeover('t', 'd.at'))}
      FROM timed d WHERE t.account_id = :accountId AND t.id = d.id
    RETURNING t.account_id, t.id, t.assistant_id, t.has_runs, d.version, d.at, d.was_ai, d.assigns),
  woken AS (${wakeRuns('touched')}),
  sent_file AS (
    UPDATE media x SET due_at = NULL FROM timed d
     WHERE x.account_id = :accountId AND x.id = :mediaId::uuid AND x.state = 'stored' AND x.due_at IS NOT NULL),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          attempts, claim_token, claim_until, created_at, media_id, author_id)
    SELECT :accountId, :messageId, d.id, d.bot_id, d.channel, 'OPERATOR', :type, :text, :content::jsonb, d.recipient,
           'sending', 1, :claimToken::uuid, d.at + make_interval(secs => :claimMs::float8 / 1000), d.at, :mediaId::uuid,
           ${WRITER}
      FROM timed d RETURNING id),
  logged AS (${appendEvents(
    'touched',
    { by: `'OPERATOR'`, actor: ':actor::jsonb', request: ':requestId::text' },
    [
      { ...ENTRIES.message(':messageId::uuid'), step: '1' },
      { ...ENTRIES.handedToPerson, step: '2', when: 't.was_ai' },
      { ...WRITER_ASSIGNED, step: '2 + t.was_ai::int' },
    ],
  )})
  SELECT d.id AS thread_id, d.bot_id, d.channel, d.recipient, d.phone, d.has_runs,
         (SELECT extract(epoch FROM b.paused_until - d.at) * 1000 FROM bot_channels b
           WHERE b.account_id = :accountId AND b.bot_id = d.bot_id AND b.channel = d.channel
             AND b.paused_until > d.at)::float8 AS paused_ms
    FROM timed d`);

/** The ids of its messages are between the two bounds. */
export const STORE_BATCH = statement('outbox-store-batch').takes(
  'accountId',
  'batchId',
  'botId',
  'channel',
  'total',
  'firstId',
  'lastId',
).returns(`
  INSERT INTO batches (account_id, id, bot_id, channel, total, first_message_id, last_message_id)
  VALUES (:accountId, :batchId, :botId, :channel, :total, :firstId, :lastId)`);

const reserveQuota = (condition: string): string => `
  INSERT INTO quota_usage AS q (account_id, month, used)
  SELECT a.id, ${MONTH}, :recipients::int FROM accounts a
   WHERE a.id = :accountId AND :recipients::int <= coalesce(a.monthly_message_quota, 2147483647) AND ${condition}
  ON CONFLICT (account_id, month) DO UPDATE SET used = q.used + excluded.used
    WHERE q.used::bigint + excluded.used
          <= (SELECT coalesce(a.monthly_message_quota, 2147483647) FROM accounts a WHERE a.id = :accountId)
  RETURNING used`;

/** Reserves the quota of all recipients or none, in the month of the transaction. No row: it does not suffice. */
export const RESERVE_QUOTA = statement('outbox-reserve-quota')
  .takes('accountId', 'recipients')
  .returns<Pick<QuotaUsageEntity, 'used'>>(reserveQuota('true'));

/**
 * The same for a call with a key, unless the key was hidden meanwhile. The erasure that hides it may commit while the key is
 * being stored, so only a later statement sees it: the last one does, which spares one of its own.
 */
export const RESERVE_QUOTA_OF_KEY = statement('outbox-reserve-quota-of-key').takes(
  'accountId',
  'recipients',
  'operation',
  'key',
).returns<{ is_known: boolean; is_reserved: boolean }>(`
  WITH hidden AS MATERIALIZED (
    SELECT 1 FROM idempotency_keys
     WHERE account_id = :accountId AND operation = :operation AND key = ${hiddenKey(':key')}
       AND created_at >= clock_timestamp() - interval '24 hours'),
  reserved AS (${reserveQuota('NOT EXISTS (SELECT 1 FROM hidden)')})
  SELECT EXISTS (SELECT 1 FROM hidden) AS is_known, EXISTS (SELECT 1 FROM reserved) AS is_reserved`);

/** Takes the place of a key that is forgotten. No row: the key is known. */
export const STORE_KEY = statement('outbox-store-key').takes(
  'accountId',
  'operation',
  'key',
  'fingerprint',
  'messageId',
  'batchId',
).returns<{ stored: number }>(`
  INSERT INTO idempotency_keys AS k (account_id, operation, key, fingerprint, message_id, batch_id)
  VALUES (:accountId, :operation, :key, :fingerprint, :messageId, :batchId)
  ON CONFLICT (account_id, operation, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, batch_id = excluded.batch_id,
        answer = NULL, created_at = clock_timestamp()
    WHERE k.created_at < clock_timestamp() - interval '24 hours'
  RETURNING 1 AS stored`);
