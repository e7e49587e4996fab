import type { PreparedStatement } from '../database/database.service';
import {
  countsAsAnswer,
  isWaiting,
  mayBeAnswered,
  stageLetsAnswer,
  takeoverRuns,
  takeUp,
} from '../threads/thread.rules';
import { arrivalTime, isNewerOptRequest } from './arrival.time';
import { previewOf } from './message.preview';

/** What differs between the kinds of messages that come in; expressions over the dialog before, `b`. */
interface IncomingKind {
  name: string;
  /** Of the message. */
  role: string;
  status: string;
  createdAt: string;
  /** When it counts as come among the messages of the dialog; when it arrived, unless told otherwise. */
  standsAt?: string;
  /** Whether the dialog itself changes; a new one always does. */
  changes: string;
  /** What further facts of the dialog decide, by name: columns of `b` for all that follows. */
  facts: Record<string, string>;
  /** The columns of the dialog that the message moves. */
  moves: Record<string, string>;
  /** What the agent is to answer: SELECT of id, waiting_message_id, ai_epoch, due_at over the dialog after, `a`. */
  reply?: string;
  /** The entries of the log: SELECT of position, type and body over the dialog after, `a`; `opened` is added. */
  entries: string;
}

/** How a new dialog begins. */
const FRESH: Record<string, string> = {
  version: '0::bigint',
  ai_enabled: 'true',
  takeover_until: 'NULL::timestamptz',
  ai_epoch: '0::bigint',
  opted_out: 'false',
  waiting_message_id: 'NULL::uuid',
  waiting_at: 'NULL::timestamptz',
  last_message_role: 'NULL::text',
  last_message_text: 'NULL::text',
  last_message_at: 'NULL::timestamptz',
  unread_count: '0',
  last_activity_at: 'NULL::timestamptz',
  last_inbound_at: 'NULL::timestamptz',
  burst_started_at: 'NULL::timestamptz',
  attention: 'NULL::text',
  last_outbound_at: 'NULL::timestamptz',
  answer_count: '0',
  opt_requested_at: 'NULL::timestamptz',
  opt_request_arrived_at: 'NULL::timestamptz',
};

const MOVED = Object.keys(FRESH);

/** Further columns of a SELECT. */
const listed = (columns: readonly string[]): string => columns.map((column) => `, ${column}`).join('');

/** The dialog of the address, by the contact first, else by the user id. */
export const KNOWN = `
  known AS MATERIALIZED (
    SELECT coalesce(
      (SELECT id FROM threads WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND contact = $4::text),
      (SELECT id FROM threads WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND user_id = $6::text)) AS id)`;

/**
 * Stores one inbound message and moves its dialog, in one statement by the rules of a move: it locks only the dialog's
 * row, which holds every fact that decides.
 *
 * A message that is known already, in either direction, changes nothing, not even a version; among concurrent copies
 * the unique index admits one. A missing dialog is opened. Where another statement opens it at the same time, or takes
 * the user id, the verdict is `again`.
 *
 * Messages may be handled in any order, so each is ordered by `arrived_at`, the time at which its webhook came, and
 * compared with what the dialog's row says has arrived since. `at` is the time of the change itself.
 *
 * $1 account $2 bot $3 channel $4 contact $5 phone $6 user id $7 WhatsApp's digits $8 name $9 the provider's id $10
 * message $11 the dialog's id if it is new $12 type $13 text $14 content $15 sent at, null: when it arrived $16 whether
 * it moves nothing, as a reaction $17 when the webhook came $18 position in it; further ones by kind
 */
function incoming(kind: IncomingKind): PreparedStatement {
  const moved = MOVED.map((column) => `${kind.moves[column] ?? `b.${column}`} AS ${column}`).join(', ');
  const facts = Object.entries(kind.facts).map(([name, expression]) => `${expression} AS ${name}`);
  const names = Object.keys(kind.facts).map((name) => `b.${name}`);
  const columns = ['contact', 'phone', 'user_id', 'wa_id', 'customer_name', ...MOVED];
  return {
    name: kind.name,
    text: `
  WITH seen AS MATERIALIZED (
    SELECT EXISTS (SELECT 1 FROM messages WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND provider_id = $9::text AND inbound)
        OR EXISTS (SELECT 1 FROM messages WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND provider_id = $9::text
                      AND NOT inbound AND provider_id IS NOT NULL)
        OR EXISTS (SELECT 1 FROM messages WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND whatsapp_id = $9::text) AS it),
  ${KNOWN},
  cur AS MATERIALIZED (
    SELECT id, assistant_id, status_id, contact, phone, user_id, wa_id, customer_name, ${MOVED.join(', ')}
      FROM threads WHERE account_id = $1 AND id = (SELECT k.id FROM known k, seen WHERE NOT seen.it) FOR NO KEY UPDATE),
  base AS MATERIALIZED (
    SELECT false AS fresh, cur.*, clock_timestamp() AS at FROM cur
    UNION ALL
    SELECT true, $11::uuid, assistant_id, NULL::uuid, $4::text, $5::text, NULL, $7::text, NULL, ${Object.values(FRESH).join(', ')},
           clock_timestamp()
      FROM bots WHERE account_id = $1 AND id = $2 AND NOT (SELECT it FROM seen) AND NOT EXISTS (SELECT 1 FROM cur)),
  named AS MATERIALIZED (
    SELECT b.*, least(coalesce($15::timestamptz, b.arrived_at), b.arrived_at) AS written_at,
           ${kind.standsAt ?? 'b.arrived_at'} AS stands_at,
           CASE WHEN b.phone IS NULL AND $5::text IS NOT NULL THEN $4::text ELSE b.contact END AS contact_now,
           coalesce(b.phone, $5::text) AS phone_now,
           CASE WHEN b.user_id IS NULL AND NOT EXISTS (
             SELECT 1 FROM threads o WHERE o.account_id = $1 AND o.bot_id = $2 AND o.channel = $3 AND o.user_id = $6::text)
             THEN $6::text ELSE b.user_id END AS user_id_now,
           coalesce($7::text, b.wa_id) AS wa_id_now, coalesce($8::text, b.customer_name) AS customer_name_now
      FROM (SELECT base.*, ${arrivalTime('$17', '$18')} AS arrived_at FROM base) b),
  decided AS MATERIALIZED (SELECT b.*${listed(facts)} FROM named b),
  after AS MATERIALIZED (
    SELECT b.fresh, b.id, b.assistant_id, b.status_id, b.at, b.arrived_at, b.version AS base${listed(names)},
           b.fresh OR (${kind.changes}) AS changes, ${kind.createdAt} AS message_created_at, b.contact_now AS contact,
           b.phone_now AS phone, b.user_id_now AS user_id, b.wa_id_now AS wa_id, b.customer_name_now AS customer_name,
           ${moved}
      FROM decided b),
  opened AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, created_at, ${columns.join(', ')})
    SELECT $1, a.id, a.assistant_id, $2, $3, a.at, ${columns.map((column) => `a.${column}`).join(', ')}
      FROM after a WHERE a.fresh
    ON CONFLICT DO NOTHING RETURNING id),
  placed AS (SELECT id FROM cur UNION ALL SELECT id FROM opened),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, inbound, role, status, type, text, content,
                          provider_id, sent_at, created_at)
    SELECT $1, $10::uuid, a.id, $2, $3, true, ${kind.role}, ${kind.status}, $12::text, $13::text, $14::jsonb, $9::text,
           coalesce($15::timestamptz, a.arrived_at), a.message_created_at
      FROM after a JOIN placed p ON p.id = a.id
    ON CONFLICT (account_id, bot_id, channel, provider_id) WHERE inbound DO NOTHING RETURNING id),
  changed AS (
    UPDATE threads t SET ${columns.map((column) => `${column} = a.${column}`).join(', ')}
      FROM after a WHERE t.account_id = $1 AND t.id = a.id AND NOT a.fresh AND a.changes AND EXISTS (SELECT 1 FROM stored)
    RETURNING t.id),
  taken_up AS (${kind.reply ? takeUp(kind.reply, '$1') : 'SELECT NULL::bigint AS id WHERE false'}),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, e.id, e.assistant_id, e.version, e.type, e.at, e.body FROM (
      SELECT a.id, a.assistant_id, a.at, a.base + n.place AS version, n.type,
             jsonb_build_object('by', ${kind.role}, 'actor', null) || n.body AS body
        FROM after a CROSS JOIN LATERAL (
          SELECT 1 AS place, 'opened' AS type, '{}'::jsonb AS body WHERE a.fresh
          UNION ALL ${kind.entries}) n
       WHERE EXISTS (SELECT 1 FROM stored) AND (a.fresh OR a.id IN (SELECT id FROM changed))) e
     ORDER BY e.version
    RETURNING seq)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM stored) THEN 'stored'
              WHEN (SELECT it FROM seen) OR EXISTS (SELECT 1 FROM placed) THEN 'known' ELSE 'again' END AS verdict,
         (SELECT max(seq) FROM logged)::float8 AS seq, EXISTS (SELECT 1 FROM taken_up) AS took`,
  };
}

const MESSAGE_BODY = `jsonb_build_object('message_id', $10::uuid)`;

/** How long a customer who goes on writing can move a reply back, in quiet times. */
const QUIET_TIMES_MAX = 5;

/** A message that shows in the dialog as its last one. */
const asLast = (shown: string, role: string, at: string): Record<string, string> => ({
  last_message_role: `CASE WHEN ${shown} THEN ${role} ELSE b.last_message_role END`,
  last_message_text: `CASE WHEN ${shown} THEN ${previewOf('$13::text')} ELSE b.last_message_text END`,
  last_message_at: `CASE WHEN ${shown} THEN ${at} ELSE b.last_message_at END`,
});

const IS_NEWEST = 'NOT $16::boolean AND coalesce(b.last_message_at <= b.stands_at, true)';
/** Nothing of ours was stored since it came. */
const IS_OPEN = 'NOT $16::boolean AND coalesce(b.last_outbound_at < b.stands_at, true)';
/** The customer has written nothing since it came. */
const IS_LAST_INBOUND = 'NOT $16::boolean AND coalesce(b.last_inbound_at < b.stands_at, true)';
const IS_OPT_REQUEST = `$19::text IS NOT NULL AND ${isNewerOptRequest('b', 'b.written_at', 'b.arrived_at')}`;

/**
 * Who of ours spoke last since the message arrived. Where another message of the customer is the dialog's last one, such a
 * late one too, the row does not tell any more.
 */
const LAST_OF_OURS = `CASE WHEN b.last_message_role = 'USER' THEN (
             SELECT m.role FROM messages m
              WHERE m.account_id = $1 AND m.thread_id = b.id AND m.created_at >= b.arrived_at AND m.role <> 'USER'
                AND m.status NOT IN ('failed', 'dropped', 'queued')
              ORDER BY m.created_at DESC, m.id DESC LIMIT 1) ELSE b.last_message_role END`;

/** How many of ours count that were stored within a time, as the statement's snapshot knows them. */
const oursWithin = (time: string): string => `(SELECT count(*)::int FROM messages m
              WHERE m.account_id = $1 AND m.thread_id = b.id AND m.role <> 'USER' AND ${countsAsAnswer('m.status')} AND ${time})`;

/**
 * How many of ours count that were stored since the message arrived. Read only where the row says that there is one, so
 * only for a message that is handled late. The locked row has the count since the customer's newest message before it.
 * Only what is older than this message is taken off, for a message stored or failed while the lock was awaited is in the
 * row's count and not in the snapshot. Where the customer wrote nothing before, the row has no count.
 */
const OURS_SINCE = `CASE WHEN b.last_inbound_at IS NULL THEN ${oursWithin('m.created_at >= b.stands_at')}
             ELSE greatest(0, b.answer_count - ${oursWithin('m.created_at > b.last_inbound_at AND m.created_at < b.stands_at')}) END`;

/**
 * A customer's message. It waits unless one of ours was stored since, is unread, and discards a reply in the making. Of
 * several that wait, the one written last counts, because the messenger's window begins with it.
 *
 * An opt request counts if it is the newest. A STOP switches the agent off, and it stays off whatever the customer
 * asked since.
 *
 * Where the agent may answer, a reply is due when the customer has been quiet for a while. Each further message moves
 * it back, up to {@link QUIET_TIMES_MAX} times the quiet time after the first one. A message that comes while the agent
 * may not answer waits, and no reply to it is made later by itself.
 *
 * A message that arrived before the agent spoke, but is handled only now, was unknown to the agent, so the agent's
 * words cannot have answered it. It is ordered after them, as if it had arrived now, and waits.
 *
 * $19 stop, start or null $20 the quiet time in milliseconds where the agent has none of its own, null: there is no
 * model
 */
export const RECEIVE = incoming({
  name: 'incoming-receive',
  role: `'USER'::text`,
  status: `'received'`,
  createdAt: 'b.stands_at',
  standsAt: `CASE WHEN b.last_message_at >= b.arrived_at AND ${LAST_OF_OURS} = 'AI' THEN b.at ELSE b.arrived_at END`,
  changes: 'true',
  facts: {
    is_last: IS_NEWEST,
    is_open: IS_OPEN,
    is_last_inbound: IS_LAST_INBOUND,
    waits: `${IS_OPEN} AND ${IS_LAST_INBOUND}`,
    is_opt_request: IS_OPT_REQUEST,
    stops: `${IS_OPT_REQUEST} AND $19::text = 'stop' AND NOT b.opted_out`,
    starts: `${IS_OPT_REQUEST} AND $19::text = 'start' AND b.opted_out`,
    quiet: `make_interval(secs => coalesce((SELECT s.reply_delay_ms FROM assistants s
             WHERE s.account_id = $1 AND s.id = b.assistant_id), $20::int) / 1000.0)`,
    silences: `$19::text IS NOT DISTINCT FROM 'stop' AND b.ai_enabled`,
  },
  moves: {
    version: 'b.version + 1 + b.fresh::int + b.stops::int + b.silences::int + b.starts::int',
    ai_enabled: 'b.ai_enabled AND NOT b.silences',
    takeover_until: 'CASE WHEN NOT (b.stops OR b.silences) THEN b.takeover_until END',
    ai_epoch: 'b.ai_epoch + (b.stops OR NOT $16::boolean)::int',
    opted_out: '(b.opted_out OR b.stops) AND NOT b.starts',
    waiting_message_id: 'CASE WHEN b.is_last_inbound THEN $10::uuid ELSE b.waiting_message_id END',
    waiting_at: `CASE WHEN b.is_open AND ${isWaiting('b')} THEN greatest(b.waiting_at, b.written_at)
             WHEN b.is_last_inbound THEN b.written_at ELSE b.waiting_at END`,
    answer_count: `CASE WHEN NOT b.is_last_inbound THEN b.answer_count WHEN b.is_open THEN 0 ELSE ${OURS_SINCE} END`,
    ...asLast('b.is_last', `'USER'`, 'b.stands_at'),
    unread_count: 'b.unread_count + (NOT $16::boolean)::int',
    last_activity_at: 'b.at',
    burst_started_at: `CASE WHEN NOT b.waits THEN b.burst_started_at
             WHEN NOT ${isWaiting('b')} OR coalesce(b.burst_started_at < b.at - ${QUIET_TIMES_MAX} * b.quiet, true) THEN b.at
             ELSE b.burst_started_at END`,
    last_inbound_at: 'CASE WHEN b.is_last_inbound THEN b.stands_at ELSE b.last_inbound_at END',
    opt_requested_at: 'CASE WHEN b.is_opt_request THEN b.written_at ELSE b.opt_requested_at END',
    opt_request_arrived_at: 'CASE WHEN b.is_opt_request THEN b.arrived_at ELSE b.opt_request_arrived_at END',
  },
  reply: `
    SELECT a.id, a.waiting_message_id, a.ai_epoch,
           least(a.at + a.quiet, a.burst_started_at + ${QUIET_TIMES_MAX} * a.quiet) AS due_at
      FROM after a
     WHERE $20::int IS NOT NULL AND NOT $16::boolean AND ${mayBeAnswered('a', 'a.at', stageLetsAnswer('a', '$1'))}
       AND EXISTS (SELECT 1 FROM stored)`,
  entries: `
          SELECT 1 + a.fresh::int, 'message', ${MESSAGE_BODY}
          UNION ALL
          SELECT 2 + a.fresh::int, 'opt_out', jsonb_build_object('from', a.starts, 'to', a.stops) WHERE a.stops OR a.starts
          UNION ALL
          SELECT 2 + a.fresh::int + a.stops::int, 'ai', jsonb_build_object('from', true, 'to', false) WHERE a.silences`,
});

/**
 * What a person of ours wrote in the phone's own app: it answers all that arrived before it, and takes the dialog over.
 * Off stays off.
 */
export const ECHO = incoming({
  name: 'incoming-echo',
  role: `'OPERATOR'::text`,
  status: `'delivered'`,
  createdAt: 'b.arrived_at',
  changes: 'true',
  facts: {
    is_last: IS_NEWEST,
    answers: IS_LAST_INBOUND,
    takes_over: `NOT $16::boolean AND b.ai_enabled`,
    was_ai: `NOT $16::boolean AND b.ai_enabled AND NOT ${takeoverRuns('b', 'b.at')}`,
  },
  moves: {
    version: 'b.version + 1 + b.fresh::int + b.was_ai::int',
    takeover_until: `CASE WHEN b.takes_over THEN b.at + make_interval(mins => (
             SELECT s.auto_return_minutes FROM assistants s WHERE s.account_id = $1 AND s.id = b.assistant_id))
             ELSE b.takeover_until END`,
    ai_epoch: 'b.ai_epoch + (NOT $16::boolean)::int',
    answer_count: 'b.answer_count + b.answers::int',
    waiting_message_id: 'CASE WHEN NOT b.answers THEN b.waiting_message_id END',
    waiting_at: 'CASE WHEN NOT b.answers THEN b.waiting_at END',
    ...asLast('b.is_last', `'OPERATOR'`, 'b.arrived_at'),
    unread_count: 'CASE WHEN b.answers THEN 0 ELSE b.unread_count END',
    last_activity_at: 'b.at',
    last_outbound_at:
      'CASE WHEN $16::boolean THEN b.last_outbound_at ELSE greatest(b.last_outbound_at, b.arrived_at) END',
    attention: 'CASE WHEN $16::boolean THEN b.attention END',
  },
  entries: `
          SELECT 1 + a.fresh::int, 'message', ${MESSAGE_BODY}
          UNION ALL
          SELECT 2 + a.fresh::int, 'handler', jsonb_build_object('from', 'AI', 'to', 'OPERATOR') WHERE a.was_ai`,
});

/**
 * A message from before the number was connected. It is ordered by its own time and wakes nothing. The dialog changes
 * only where the message becomes the last one known, or says something of the customer. $19 role $20 status
 */
export const KEEP_PAST = incoming({
  name: 'incoming-past',
  role: '$19::text',
  status: '$20::text',
  createdAt: 'b.written_at',
  changes: `b.is_last OR (b.contact_now, b.phone_now, b.user_id_now, b.wa_id_now, b.customer_name_now)
             IS DISTINCT FROM (b.contact, b.phone, b.user_id, b.wa_id, b.customer_name)`,
  facts: { is_last: 'NOT $16::boolean AND coalesce(b.last_message_at < b.written_at, true)' },
  moves: {
    version: 'b.version + 1',
    ...asLast('b.is_last', '$19::text', 'b.written_at'),
    last_activity_at: 'greatest(b.last_activity_at, b.written_at)',
  },
  entries: `
          SELECT 1, 'card', '{}'::jsonb WHERE NOT a.fresh`,
});
