import type { ThreadEntity } from '../../threads/thread.entity';
import { statement, type SqlStatement } from '../../database/sql.statements';
import { AFTER_FAMILY, isWholeFamily, lockedFamily, spread } from '../../threads/same-customer.statements';
import { ASK_FOR_NOBODY, takeUp, type Changes } from '../../threads/thread.rules';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import { wakeRuns } from '../../threads/run.statements';
import { takeAddresses, tellsNew, threadIdOf, type AddressColumns } from './address.statements';
import { erasedMessageMark, hadOptedOut } from '../dialog/erased.statements';
import { arrivalTime, isHeld } from './arrival-time';
import { IS_REVISION } from '../delivery/revision.statements';
import { insertFiles, GIVEN, type Given, type IncomingKind } from './incoming-kind';

/**
 * `again`: another statement holds the thread, or changed it meanwhile, or the message tells an address that is new to it;
 * `missing`: there is none, or it was opened meanwhile. Nothing was done. `erased`: known as one of an erased customer.
 */
type Verdict = 'stored' | 'known' | 'erased' | 'again' | 'missing';

/**
 * The threads that a statement handles. A shared statement never waits while it holds a known thread, because the
 * thread's account would wait with it: `known` passes over a thread that somebody holds and opens none; `missing` opens
 * threads, which may wait a moment for whoever opens the same, and locks no known one.
 */
type Threads = 'all' | 'known' | 'missing';

export interface IncomingOutcome {
  /** Of the message, from 1. */
  n: number;
  verdict: Verdict;
  /** Whether the log has something new. */
  logged: boolean;
  /** Whether an edit or a deletion of it came before it. */
  overtaken: boolean;
  /** The dialog that must learn an address first: nothing was done. */
  learner: string | null;
}

/** The address that is given. */
const givenAddress = (row: string): AddressColumns => ({
  ...{ account: `${row}.account_id`, bot: `${row}.bot_id`, channel: `${row}.channel` },
  ...{ contact: `${row}.given_contact`, userId: `${row}.given_user_id` },
});

/** How a new thread begins. */
const FRESH = {
  version: '0::bigint',
  ai_enabled: 'NOT k.opted_out',
  takeover_until: 'NULL::timestamptz',
  ai_epoch: '0::bigint',
  opted_out: 'k.opted_out',
  conducted_elsewhere: 'false',
  control_reported_at: 'NULL::timestamptz',
  waiting_message_id: 'NULL::uuid',
  waiting_at: 'NULL::timestamptz',
  waiting_since: 'NULL::timestamptz',
  last_message_role: 'NULL::text',
  last_message_text: 'NULL::text',
  last_message_lines: 'NULL::jsonb',
  last_message_at: 'NULL::timestamptz',
  unread_count: '0',
  last_activity_at: 'NULL::timestamptz',
  last_inbound_at: 'NULL::timestamptz',
  burst_started_at: 'NULL::timestamptz',
  ...ASK_FOR_NOBODY,
  last_outbound_at: 'NULL::timestamptz',
  answer_count: '0',
  opt_requested_at: 'NULL::timestamptz',
  opt_request_arrived_at: 'NULL::timestamptz',
  replied_at: 'NULL::timestamptz',
  has_runs: 'false',
  phone_proven: 'false',
  same_customer: 'NULL::uuid[]',
} as const satisfies Changes;

const MOVED = Object.keys(FRESH) as (keyof typeof FRESH)[];
const COLUMNS = [
  'contact',
  'phone',
  'user_id',
  'wa_id',
  'customer_name',
  'username',
  ...MOVED,
] as const satisfies readonly (keyof ThreadEntity)[];
/** Of the message, for the steps that store it. */
const MESSAGE = [
  'message_id',
  'type',
  'text',
  'content',
  'lines',
  'file',
  'provider_id',
  'sent_at',
  'quiet',
  'trace',
] as const;

const columnsOf = (row: string, columns: readonly string[]): string =>
  columns.map((column) => `${row}.${column}`).join(', ');

/** The messages that are given, `n` from 1. */
const givenMessages = (further: readonly { parameter: string; column: string; type: string }[]): string => `
  given AS MATERIALIZED (
    SELECT * FROM unnest(
      :accounts::uuid[], :bots::uuid[], :channels::text[], :contacts::text[], :phones::text[], :userIds::text[], :waIds::text[],
      :names::text[], :usernames::text[], :providerIds::text[], :messageIds::uuid[], :threadIds::uuid[], :types::text[], :texts::text[],
      :contents::text[], :lines::text[], :files::text[], :sentTimes::timestamptz[], :quiets::boolean[], :receivedTimes::timestamptz[], :positions::int[],
      :webhooks::bigint[], :holders::uuid[], :traces::text[]
      ${further.map(({ parameter, type }) => `, :${parameter}::${type}[]`).join('')}) WITH ORDINALITY
      AS g (account_id, bot_id, channel, given_contact, given_phone, given_user_id, given_wa_id, given_name, given_username,
            provider_id,
            message_id, new_id, type, text, content, lines, file, sent_at, quiet, received_at, position, webhook, held_by, trace
            ${further.map(({ column }) => `, ${column}`).join('')}, n))`;

/** Whether it is an erased message, come again, or changes one: an edit and a revoke are about a former message. */
const IS_ERASED = `EXISTS (
             SELECT 1 FROM webhook_marks w WHERE w.account_id = g.account_id
                AND w.mark IN (${erasedMessageMark('g.bot_id', 'g.channel', 'g.provider_id')},
                  CASE WHEN g.type IN ('edit', 'revoke')
                       THEN ${erasedMessageMark('g.bot_id', 'g.channel', `(g.content::jsonb ->> 'original_message_id')`)} END))`;

/** Whether a message with its id is there already, in either direction, and which thread its address has. */
const LOOKED_UP = `
  looked_up AS MATERIALIZED (
    SELECT g.*, ${threadIdOf(givenAddress('g'))} AS known_id,
           ${[
             'k.provider_id = g.provider_id AND k.inbound',
             'k.provider_id = g.provider_id AND NOT k.inbound AND k.provider_id IS NOT NULL',
             'k.whatsapp_id = g.provider_id',
           ]
             .map(
               (condition) => `EXISTS (
             SELECT 1 FROM messages k WHERE k.account_id = g.account_id AND k.bot_id = g.bot_id AND k.channel = g.channel AND ${condition})`,
             )
             .join(' OR ')}
           OR ${IS_ERASED} AS is_known
      FROM given g)`;

/**
 * The threads, locked; one that is missing begins as a new one. Of several messages of one thread the first is
 * handled. The locking SELECT names `threads` alone: the row that decides is the newest, whatever the snapshot has.
 */
const lockedThreads = (threads: Threads, maySpread: string | null): string => `
  asked AS MATERIALIZED (
    SELECT * FROM (
      SELECT l.*, row_number() OVER (PARTITION BY l.account_id, coalesce(l.known_id, l.new_id) ORDER BY l.n) AS nth
        FROM looked_up l WHERE NOT l.is_known) l
     WHERE l.nth = 1),
  ${maySpread === null ? '' : `family AS MATERIALIZED (${lockedFamily(`SELECT q.account_id, q.known_id FROM asked q WHERE ${maySpread}`)}),`}
  cur AS MATERIALIZED (
    SELECT q.*, t.*
      FROM asked q CROSS JOIN LATERAL (
        SELECT id, assistant_id, status_id, ${COLUMNS.join(', ')} FROM threads
         WHERE account_id = q.account_id AND id = q.known_id AND erased_at IS NULL AND ${String(threads !== 'missing')}
           ${maySpread === null ? '' : `AND ${AFTER_FAMILY}`}
           FOR NO KEY UPDATE ${threads === 'all' ? '' : 'SKIP LOCKED'}) t),
  base AS MATERIALIZED (
    SELECT false AS fresh, c.*, clock_timestamp() AS at FROM cur c
    UNION ALL
    SELECT true, q.*, q.new_id, o.assistant_id, NULL, q.given_contact, q.given_phone, q.given_user_id, q.given_wa_id, NULL, NULL,
           ${Object.values(FRESH).join(', ')}, clock_timestamp()
      FROM asked q JOIN bots o ON o.account_id = q.account_id AND o.id = q.bot_id
      CROSS JOIN LATERAL (SELECT ${hadOptedOut(givenAddress('q'))} AS opted_out) k
     WHERE q.known_id IS NULL AND ${String(threads !== 'known')} AND ${isHeld('q.webhook', 'q.held_by')})`;

/**
 * What the message tells of the customer. What is new to a known dialog it has learnt before: here only the form in which
 * the messenger writes the dialog's own number changes.
 */
const named = (standsAt: string): string => `
  named AS MATERIALIZED (
    SELECT b.*, least(coalesce(b.sent_at, b.arrived_at), b.arrived_at) AS written_at, ${standsAt} AS stands_at,
           CASE WHEN b.given_contact = b.contact THEN coalesce(b.given_wa_id, b.wa_id) ELSE b.wa_id END AS wa_id_now,
           coalesce(b.given_name, b.customer_name) AS customer_name_now,
           coalesce(b.given_username, b.username) AS username_now,
           NOT b.fresh AND ${TELLS_NEW} AS teaches
      FROM (SELECT base.*, ${arrivalTime('base.received_at', 'base.position')} AS arrived_at FROM base) b)`;

const TELLS_NEW = tellsNew(
  'b',
  { account: 'b.account_id', bot: 'b.bot_id', channel: 'b.channel' },
  { contact: 'b.given_contact', userId: 'b.given_user_id', phone: 'b.given_phone' },
);

/** What spreads is left to the statement of one message, which locks all dialogs of the customer. */
const mayNotSpread = (when: string, threads: Threads): string => `
       AND (b.same_customer IS NULL OR NOT (${when})${threads === 'all' ? ` OR ${isWholeFamily('b')}` : ''})`;

/** The thread as it is afterwards. */
function decided(
  {
    facts,
    role,
    status,
    createdAt,
    changes,
    moves,
    spreads,
    handledIf = 'true',
  }: IncomingKind<string, string>,
  threads: Threads,
): string {
  const names = Object.keys(facts);
  const moved: Changes = moves;
  return `
  decided AS MATERIALIZED (
    SELECT b.*${Object.entries(facts)
      .map(([name, expression]) => `, ${expression} AS ${name}`)
      .join(
        '',
      )} FROM named b WHERE NOT b.teaches AND ${handledIf}${spreads ? mayNotSpread(spreads.when, threads) : ''}),
  after AS MATERIALIZED (
    SELECT b.fresh, b.n, b.account_id, b.bot_id, b.channel, b.id, b.assistant_id, b.status_id, b.at, b.arrived_at,
           b.version AS base, b.fresh OR (${changes}) AS changes, ${columnsOf('b', [...MESSAGE, ...names])},
           ${role} AS role, ${status} AS status, ${createdAt} AS created_at, b.contact, b.phone, b.user_id,
           b.wa_id_now AS wa_id, b.customer_name_now AS customer_name, b.username_now AS username,
           ${MOVED.map((column) => `${moved[column] ?? `b.${column}`} AS ${column}`).join(', ')}
      FROM decided b)`;
}

/**
 * How long the shared statement that opens threads waits for whoever opens the same one: other accounts' messages wait
 * with it. Its messages are then stored one by one.
 */
const SHARED_WAIT_MS = 20;

/** In the order of their contacts, as wherever threads are opened: two statements that open the same wait in no circle. */
const opened = (threads: Threads): string => `
  time_limit AS MATERIALIZED (
    SELECT ${threads === 'missing' ? `set_config('lock_timeout', '${SHARED_WAIT_MS}ms', true)` : 'NULL'}),
  opened AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, created_at, ${COLUMNS.join(', ')})
    SELECT a.account_id, a.id, a.assistant_id, a.bot_id, a.channel, a.at, ${columnsOf('a', COLUMNS)}
      FROM after a CROSS JOIN time_limit WHERE a.fresh ORDER BY a.account_id, a.bot_id, a.channel, a.contact COLLATE "C"
    ON CONFLICT DO NOTHING RETURNING account_id, id, bot_id, channel, contact, user_id),
  addressed AS (${takeAddresses('opened')}),
  placed AS MATERIALIZED (
    SELECT a.* FROM after a WHERE NOT a.fresh
    UNION ALL SELECT a.* FROM after a JOIN opened o ON o.account_id = a.account_id AND o.id = a.id)`;

/**
 * Stores the messages, among concurrent copies one, with their files, which are fetched later, and changes the threads
 * of those that were stored.
 */
const STORED = `
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, inbound, role, status, type, text, content,
                          media_id, provider_id, sent_at, created_at, trace)
    SELECT p.account_id, p.message_id, p.id, p.bot_id, p.channel, true, p.role, p.status, p.type, p.text, p.content::jsonb,
           (p.file::jsonb ->> 'id')::uuid, p.provider_id, coalesce(p.sent_at, p.arrived_at), p.created_at, p.trace
      FROM placed p ORDER BY p.account_id, p.bot_id, p.channel, p.provider_id
    ON CONFLICT (account_id, bot_id, channel, provider_id) WHERE inbound DO NOTHING RETURNING account_id, id),
  stored_of AS MATERIALIZED (
    SELECT p.* FROM placed p JOIN stored s ON s.account_id = p.account_id AND s.id = p.message_id),
  files AS (${insertFiles('stored_of')}),
  changed AS (
    UPDATE threads t SET ${COLUMNS.map((column) => `${column} = a.${column}`).join(', ')}
      FROM stored_of a WHERE t.account_id = a.account_id AND t.id = a.id AND NOT a.fresh AND a.changes)`;

/**
 * Stores messages that come in and moves their threads: it locks only the threads' rows, which hold every fact that
 * decides.
 *
 * A message that is known already, in either direction, changes nothing, not even a version; among concurrent copies
 * the unique index admits one. A missing thread is opened, and takes its addresses. Where another statement opens it at the
 * same time, the verdict is `missing`; where it takes an address, there is a unique violation. A webhook that is not held any more opens none: its message counts as known.
 *
 * Messages may be handled in any order, so each is ordered by `arrived_at`, the time at which its webhook came, and
 * compared with what the thread's row says has arrived since. `at` is the time of the change itself.
 * @param threads those that it handles
 */
export function incomingStatement<Further extends string, Scalar extends string = never>(
  name: string,
  kind: IncomingKind<Further, Scalar>,
  threads: Threads = 'all',
): SqlStatement<IncomingOutcome, Given | Further | Scalar> {
  const given = Object.keys(kind.given) as Further[];
  const further = given.map((parameter) => ({ parameter, ...kind.given[parameter] }));
  const facts = Object.keys(kind.facts);
  const parameters = [...GIVEN, ...given, ...(kind.scalars ?? [])];
  return statement(name).takes<Given | Further | Scalar>(...parameters).returns<IncomingOutcome>(`
  WITH ${givenMessages(further)}, ${LOOKED_UP}, ${lockedThreads(threads, threads === 'all' ? (kind.spreads?.when ?? null) : null)}, ${named(kind.standsAt ?? 'b.arrived_at')},
  ${decided(kind, threads)}, ${opened(threads)}, ${STORED},
  ${kind.reply ? `taken_up AS (${takeUp(kind.reply, { account: 'a.account_id' })}),` : ''}
  ${kind.spreads && threads === 'all' ? `${spread('stored_of', kind.spreads)},` : ''}
  woken AS (${wakeRuns('(SELECT * FROM stored_of WHERE NOT fresh AND changes) w')}),
  told AS (
    SELECT a.account_id, a.id, a.assistant_id, a.at, a.fresh, a.role, a.message_id, a.base + 1 AS version
           ${facts.map((fact) => `, a.${fact}`).join('')}
      FROM stored_of a WHERE a.fresh OR a.changes),
  logged AS (${appendEvents('told', { by: 't.role', account: 't.account_id' }, [
    { ...ENTRIES.opened, when: 't.fresh' },
    ...kind.entries,
  ])})
  SELECT g.n::int AS n, EXISTS (SELECT 1 FROM logged e WHERE e.account_id = p.account_id AND e.thread_id = p.id) AS logged,
         CASE WHEN s.id IS NOT NULL THEN 'stored'
              WHEN g.is_known OR p.id IS NOT NULL THEN CASE WHEN ${IS_ERASED} THEN 'erased' ELSE 'known' END
              WHEN g.known_id IS NOT NULL THEN 'again' WHEN ${isHeld('g.webhook', 'g.held_by')} THEN 'missing'
              ELSE 'known' END AS verdict,
         EXISTS (SELECT 1 FROM parked_states WHERE account_id = g.account_id AND bot_id = g.bot_id AND channel = g.channel
                    AND provider_id = g.provider_id AND ${IS_REVISION}) AS overtaken,
         (SELECT b.id FROM named b WHERE b.n = g.n AND b.teaches) AS learner
    FROM looked_up g LEFT JOIN placed p ON p.n = g.n
    LEFT JOIN stored s ON s.account_id = g.account_id AND s.id = g.message_id`);
}
