import { automationIsPaused } from '../accounts/account.entity';
import type { AssistantEntity } from '../assistants/assistant.entity';
import type { AsNumbers, CamelCased, NotNull } from '../database/row-types';
import { statement, purgeOf } from '../database/sql.statements';
import {
  ANSWERABLE_FOR,
  askForOperator,
  hasRepliesLeft,
  isWaiting,
  itWaits,
  onlyWhere,
  set,
  shownName,
  stageLetsAnswer,
  takeoverRuns,
  waitsInTime,
} from '../threads/thread.rules';
import { agentAsActor, appendEvents, ENTRIES } from '../threads/thread-log.statements';
import type { MessageEntity } from '../messages/dialog/message.entity';
import { mayBecome } from '../threads/reply-states';
import type { ThreadEntity } from '../threads/thread.entity';
import { countBacklog, type WorkBacklog, ownersOf, leaseFor, leaseIsFree } from '../work/work.statements';
import type { ReplyEntity } from './reply.entity';

/** Which reply: the ids of its account and of itself. */
export type ReplyKey = CamelCased<Pick<ReplyEntity, 'account_id'>> & { replyId: ReplyEntity['id'] };

/**
 * Why the agent may not speak: `off`; `opt_out`; `takeover`; `elsewhere` (another AI); `stage` (it mutes); `newer_message` of the customer;
 * `answered` by somebody else; `too_old` (a day); `limit` (the hour's replies are used up); `superseded` (switched
 * off and on again, or another process has the reply); `paused` (all automation of the account).
 */
export type SilenceReason =
  | 'off'
  | 'opt_out'
  | 'takeover'
  | 'elsewhere'
  | 'stage'
  | 'newer_message'
  | 'answered'
  | 'too_old'
  | 'limit'
  | 'superseded'
  | 'paused';

/** A claimed reply with its dialog and its agent's settings. `attempts` counts this claim too. */
export type ClaimedReply = Pick<
  ReplyEntity,
  'thread_id' | 'message_id' | 'attempts' | 'model_failures' | 'parts'
> &
  AsNumbers<Pick<ReplyEntity, 'epoch'>> &
  Pick<ThreadEntity, 'assistant_id' | 'bot_id' | 'channel' | 'phone' | 'customer_name' | 'status_id'> &
  Pick<
    AssistantEntity,
    | 'instructions'
    | 'model'
    | 'model_options'
    | 'reply_parts_max'
    | 'reply_characters_max'
    | 'barred_kinds'
    | 'handover_text'
    | 'vision'
  > &
  Pick<MessageEntity, 'provider_id' | 'trace'> &
  NotNull<Pick<MessageEntity, 'recipient'>> & {
    assistant_name: AssistantEntity['name'];
    closed: SilenceReason | null;
    /** A file of the customer is still to come, or to be transcribed, and may yet be waited for. */
    must_wait: boolean;
    /** How long it has been waiting since it was asked for, its quiet time included, in milliseconds. */
    waited_ms: number;
    /** Whether the agent moved the lead in an earlier try of this reply. */
    moved: boolean;
  };

/** A claim of a reply, by its token, that must stop. */
export type SilencedReply = Pick<ReplyKey, 'replyId'> &
  NotNull<Pick<ClaimedReply, 'closed'>> & { token: NonNullable<ReplyEntity['lease_token']> };

/**
 * Why the agent may not speak by a reply `r` in its dialog `t` at an instant, the strongest reason first; null: it
 * may.
 */
const closedBy = (at: string): string => `
  CASE WHEN t.opted_out THEN 'opt_out'
       WHEN NOT t.ai_enabled THEN 'off'
       WHEN ${takeoverRuns('t', at)} THEN 'takeover'
       WHEN t.conducted_elsewhere THEN 'elsewhere'
       WHEN NOT ${stageLetsAnswer('t', 't.account_id')} THEN 'stage'
       WHEN t.ai_epoch <> r.epoch AND ${isWaiting('t')} AND t.waiting_message_id <> r.message_id
         THEN 'newer_message'
       WHEN t.ai_epoch <> r.epoch THEN 'superseded'
       WHEN r.parts = 0 AND NOT ${itWaits('t', 'r.message_id')} THEN 'answered'
       WHEN r.parts = 0 AND NOT ${waitsInTime('t', at)} THEN 'too_old' END`;

/** A reply that is put off by a pause is due all the time: it is claimed as soon as the automation is resumed. */
const CLOSED = `coalesce(${closedBy('clock_timestamp()')}, CASE WHEN ${automationIsPaused('t.account_id')} THEN 'paused' END)`;

const IS_FREE = `r.state = 'due' AND r.due_at <= clock_timestamp()
       AND ${leaseIsFree('r')}`;

/**
 * Reads account by account, with one step of the index each, as many replies as the account may still have. So an
 * account with many due replies, or with all that it may have, takes neither time nor slots from others. The
 * condition names account and time. With the account alone, the planner may walk along the primary key, past all
 * replies that are over.
 */
export const DUE = statement('replies-due').takes('perAccount').returns<ReplyKey>(`
  WITH RECURSIVE ${ownersOf('replies', `state = 'due'`)}
  SELECT a.account_id AS "accountId", d.id::text AS "replyId"
    FROM owners a
    CROSS JOIN LATERAL (
      SELECT count(*) AS held FROM replies o
       WHERE o.account_id = a.account_id AND o.lease_token IS NOT NULL AND o.lease_until > clock_timestamp()) h
    CROSS JOIN LATERAL (
      SELECT r.id, r.due_at FROM replies r
       WHERE r.account_id = a.account_id AND ${IS_FREE}
       ORDER BY r.due_at
       LIMIT CASE WHEN ${automationIsPaused('a.account_id')} THEN 0 ELSE greatest(0, :perAccount - h.held) END) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.due_at LIMIT 500`);

/**
 * Whether a reply `r` is to a message whose file is not there yet, or not transcribed. What came before our last message
 * was answered without it.
 */
const IS_UNHEARD = `EXISTS (
           SELECT 1 FROM messages h JOIN media x ON x.account_id = h.account_id AND x.id = h.media_id
            WHERE h.account_id = r.account_id AND h.thread_id = r.thread_id AND h.role = 'USER' AND h.deleted_at IS NULL
              AND h.created_at > greatest(t.last_outbound_at, clock_timestamp() - ${ANSWERABLE_FOR})
              AND (x.state = 'loading' OR x.state = 'stored' AND x.transcript_state = 'pending'
                   AND (SELECT o.transcription FROM accounts o WHERE o.id = r.account_id)))`;

/**
 * One process holds a reply at a time, and a dialog has at most one held reply. A reply whose lease ran out may be
 * claimed.
 */
export const CLAIM = statement('reply-claim').takes(
  'accountId',
  'replyId',
  'token',
  'leaseMs',
  'perAccount',
  'waitMs',
).returns<ClaimedReply>(`
  WITH free AS MATERIALIZED (
    SELECT r.account_id, r.id FROM replies r
     WHERE r.account_id = :accountId AND r.id = :replyId::bigint AND NOT ${automationIsPaused(':accountId')} AND ${IS_FREE}
       AND NOT EXISTS (SELECT 1 FROM replies o WHERE o.account_id = r.account_id AND o.thread_id = r.thread_id
                          AND o.id <> r.id AND o.lease_until > clock_timestamp())
       AND (SELECT count(*) FROM replies o WHERE o.account_id = :accountId AND o.lease_token IS NOT NULL
               AND o.lease_until > clock_timestamp()) < :perAccount
       FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE replies r
       SET lease_token = :token, lease_until = ${leaseFor(':leaseMs')},
           attempts = r.attempts + 1,
           waits_until = coalesce(r.waits_until, clock_timestamp() + make_interval(secs => :waitMs::float8 / 1000))
      FROM free f WHERE r.account_id = f.account_id AND r.id = f.id
    RETURNING r.*)
  SELECT r.thread_id, r.message_id, r.epoch::float8 AS epoch, r.attempts, r.model_failures, r.parts, t.assistant_id, t.bot_id, t.channel,
         t.phone, coalesce(t.phone, t.user_id, t.contact) AS recipient, ${shownName('t')} AS customer_name, t.status_id,
         m.provider_id, coalesce(r.trace, m.trace) AS trace,
         (extract(epoch FROM clock_timestamp() - r.created_at) * 1000)::float8 AS waited_ms, a.instructions, a.model, a.model_options, a.reply_parts_max, a.reply_characters_max, a.barred_kinds,
         a.handover_text, a.vision, a.name AS assistant_name, r.waits_until > clock_timestamp() AND ${IS_UNHEARD} AS must_wait,
         r.tool_calls > 0 AND EXISTS (
           SELECT 1 FROM events e WHERE e.account_id = r.account_id AND e.thread_id = r.thread_id AND e.type = 'status'
              AND e.body ->> 'by' = 'AI' AND e.at >= r.created_at) AS moved,
         coalesce(${CLOSED}, CASE WHEN NOT (${hasRepliesLeft('t', 'r.message_id', ':accountId')})
           THEN 'limit' END) AS closed
    FROM claimed r
    JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
    JOIN assistants a ON a.account_id = t.account_id AND a.id = t.assistant_id
    LEFT JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id`);

/** A message is answered within a day or not at all. */
export const PURGE = statement('replies-purge')
  .takes('limit')
  .returns(
    purgeOf('replies', {
      where: `o.state <> 'due' AND o.created_at < now() - interval '7 days'`,
      by: 'created_at',
    }),
  );

/** A reply lives for minutes: the last hour's failed ones are those of messages that came within it. */
export const BACKLOG = statement('replies-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT r.account_id, r.due_at, NOT ${leaseIsFree('r')} AS held FROM replies r
      WHERE r.state = 'due' AND r.due_at <= clock_timestamp() AND NOT ${automationIsPaused('r.account_id')}`,
      `SELECT account_id FROM replies WHERE state = 'failed' AND created_at > now() - interval '1 hour'`,
    ),
  );

export const LOOK = statement('replies-look').takes('accountIds', 'replyIds', 'tokens')
  .returns<SilencedReply>(`
  SELECT g.reply_id::text AS "replyId", g.token::text AS token, CASE WHEN r.id IS NULL THEN 'superseded' ELSE ${CLOSED} END AS closed
    FROM unnest(:accountIds::uuid[], :replyIds::bigint[], :tokens::uuid[]) g (account_id, reply_id, token)
    LEFT JOIN replies r ON r.account_id = g.account_id AND r.id = g.reply_id AND r.lease_token = g.token
    LEFT JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
   WHERE r.id IS NULL OR ${CLOSED} IS NOT NULL`);

/**
 * Counts over all tries of a reply, so that a failing reply gets no more calls. Refuses once the agent is silenced.
 */
export const SPEND_TOOL_CALL = statement('reply-spend-tool-call').takes(
  'accountId',
  'replyId',
  'token',
  'most',
).returns<{ spent: number }>(`
  UPDATE replies r SET tool_calls = r.tool_calls + 1
    FROM threads t
   WHERE r.account_id = :accountId AND r.id = :replyId::bigint AND r.lease_token = :token AND r.tool_calls < :most
     AND t.account_id = r.account_id AND t.id = r.thread_id AND ${CLOSED} IS NULL
  RETURNING 1 AS spent`);

/**
 * Skips what is locked: it waits for nobody, because it holds replies of other accounts meanwhile. A lease is renewed
 * three times before it ends, so a renewal that is missed costs nothing.
 */
export const HOLD = statement('replies-hold').takes('accountIds', 'replyIds', 'tokens', 'leaseMs').returns(`
  WITH held AS MATERIALIZED (
    SELECT l.* FROM unnest(:accountIds::uuid[], :replyIds::bigint[], :tokens::uuid[]) g (account_id, reply_id, token)
     CROSS JOIN LATERAL (
      SELECT account_id, id FROM replies WHERE account_id = g.account_id AND id = g.reply_id AND lease_token = g.token
         FOR NO KEY UPDATE SKIP LOCKED) l)
  UPDATE replies r SET lease_until = ${leaseFor(':leaseMs')} FROM held h WHERE r.account_id = h.account_id AND r.id = h.id`);

/** What counts is the `model` that failed, the `claim` alone, or `nothing`. */
export const LATER = statement('reply-later').takes('accountId', 'replyId', 'token', 'backOffMs', 'counts')
  .returns(`
  UPDATE replies
     SET lease_token = NULL, lease_until = NULL, part_sent = parts > 0,
         attempts = attempts - (:counts = 'nothing')::int, model_failures = model_failures + (:counts = 'model')::int,
         due_at = clock_timestamp() + make_interval(secs => :backOffMs::float8 / 1000)
   WHERE account_id = :accountId AND id = :replyId::bigint AND lease_token = :token`);

/**
 * Locks the thread first, as every statement does. A reply of which no part was sent may be made due again. A reply
 * that was to be discarded stays due if nothing silences it any more, for example when the message of ours that it
 * gave way to has failed. Nothing is logged of one that stays due, nor after the customer was erased.
 */
export const FINISH = statement('reply-finish').takes(
  'accountId',
  'threadId',
  'replyId',
  'token',
  'state',
  'entryType',
  'reason',
  'note',
  'words',
  'epoch',
).returns(`
  WITH cur AS MATERIALIZED (
    SELECT * FROM threads WHERE account_id = :accountId AND id = :threadId FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  ended AS (
    UPDATE replies r
       SET state = CASE WHEN :state = 'discarded' AND r.parts = 0 AND (${closedBy('t.at')}) IS NULL THEN 'due' ELSE :state END,
           failure = CASE WHEN :state = 'failed' THEN :reason::text END, lease_token = NULL, lease_until = NULL, part_sent = r.parts > 0
      FROM timed t WHERE r.account_id = :accountId AND r.id = :replyId::bigint AND r.lease_token = :token AND r.thread_id = t.id
       AND ${mayBecome('r.state', ':state')}
    RETURNING r.state),
  touched AS (
    UPDATE threads t SET version = t.version + 1 + (:words::text IS NOT NULL)::int,
           ${set(onlyWhere(`:entryType = 'attention'`, 't', askForOperator(':reason::text', ':note::text', 'd.at')))}
      FROM timed d WHERE t.account_id = :accountId AND t.id = d.id AND d.erased_at IS NULL AND :entryType::text IS NOT NULL
       AND (EXISTS (SELECT 1 FROM ended WHERE state = :state)
            OR :state = 'discarded' AND EXISTS (
              SELECT 1 FROM replies r WHERE r.account_id = :accountId AND r.id = :replyId::bigint AND r.epoch <> :epoch::float8))
    RETURNING t.id, t.assistant_id, t.version - (:words::text IS NOT NULL)::int AS version, d.at)
  ${appendEvents('touched', { by: `'AI'`, actor: agentAsActor('t', ':accountId') }, [
    { ...ENTRIES.attention(':reason::text', ':note::text'), type: ':entryType' },
    ENTRIES.modelError(':words::text'),
  ])}`);
