import { automationIsPaused } from '../accounts/account.entity';
import { isConnected } from '../bots/bot.entity';
import { mayBeDueAgain } from './reply-states';
import { IS_NOT_HELD } from '../work/work.statements';
import type { ThreadEntity } from './thread.entity';

/**
 * The rules of a thread, each once. Every statement is composed of them. A rule is an expression, or a part of a
 * statement, over a row of `threads` by its alias. Rules that read other tables take the account from the parameter
 * `:accountId`.
 */

/** New values of a thread's columns. */
export type Changes = Partial<Record<keyof ThreadEntity, string>>;

/** Changes as the content of SET. */
export const set = (changes: Changes): string =>
  Object.entries(changes)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ');

/** Changes that apply only where a condition holds. Elsewhere the columns keep the values of the row. */
export const onlyWhere = (condition: string, row: string, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([column, value]) => [
      column,
      `CASE WHEN ${condition} THEN ${value} ELSE ${row}.${column} END`,
    ]),
  );

/** An operator is asked for from an instant on. A note may be null; the number is the provider's for a refusal. */
export const askForOperator = (
  reason: string,
  note: string,
  at: string,
  providerCode = 'NULL::integer',
): Changes => ({
  attention: reason,
  attention_note: note,
  attention_provider_code: providerCode,
  attention_since: at,
});

/** No operator is asked for. */
export const ASK_FOR_NOBODY = {
  attention: 'NULL::text',
  attention_note: 'NULL::text',
  attention_provider_code: 'NULL::integer',
  attention_since: 'NULL::timestamptz',
} as const satisfies Changes;

/** A customer called, and nobody took the call: a value of `attention`. */
export const MISSED_CALL = `'missed_call'::text`;

/** A customer waits, and nobody is about to answer: a value of `attention`. */
export const NOBODY_ANSWERED = `'nobody_answered'::text`;

/** The agent answers in writing: no operator is asked for any more, but for one who calls back. */
export const answeredByAgent = (row: string): Changes =>
  onlyWhere(`${row}.attention IS DISTINCT FROM ${MISSED_CALL}`, row, ASK_FOR_NOBODY);

/** A free message of ours, or the switch, has the dialog conducted here again, whoever conducted it at the messenger. */
export const takeBack = (at: string): Pick<Changes, 'conducted_elsewhere' | 'control_reported_at'> => ({
  conducted_elsewhere: 'false',
  control_reported_at: at,
});

/** Whether nothing newer is known of who conducts the dialog. The messenger tells whole seconds. */
export const isNewestOfControl = (row: string, at: string): string =>
  `coalesce(date_trunc('second', ${row}.control_reported_at) <= ${at}, true)`;

/** The name of the customer: the one that a person gave, or else the messenger's. */
export const shownName = (row: string): string => `coalesce(${row}.name_override, ${row}.customer_name)`;

/** How long a customer's message may be answered after it was written. */
export const ANSWERABLE_FOR = `interval '24 hours'`;

/**
 * The customer has the last word: a message of theirs waits for an answer. A message of ours counts as an answer from
 * the moment it is stored, until it has certainly not gone out. Then the customer's message waits again.
 */
export const isWaiting = (row: string): string =>
  `(${row}.waiting_message_id IS NOT NULL AND ${row}.answer_count = 0)`;

/** When the customer wrote the first of the messages that wait. Of a thread in which one waits. */
export const waitingSince = (row: string): string => `coalesce(${row}.waiting_since, ${row}.waiting_at)`;

/** Whether the given message is the one that waits. */
export const itWaits = (row: string, message: string): string =>
  `(${isWaiting(row)} AND ${row}.waiting_message_id = ${message})`;

/** Whether a message of ours counts as an answer, by its state. */
export const countsAsAnswer = (status: string): string => `${status} NOT IN ('failed', 'dropped')`;

/** Whether a message of ours comes after everything that the customer wrote. */
export const standsBehind = (row: string, createdAt: string): string =>
  `coalesce(${row}.last_inbound_at < ${createdAt}, true)`;

/** The new `answer_count` when the state of a message of ours changes. */
export const recount = (row: string, createdAt: string, was: string, status: string): string =>
  `greatest(0, ${row}.answer_count + CASE WHEN ${standsBehind(row, createdAt)}
             THEN (${countsAsAnswer(status)})::int - (${countsAsAnswer(was)})::int ELSE 0 END)`;

/** Whether a message of ours answered until its state changed, and answers no more. */
export const stopsAnswering = (row: string, createdAt: string, was: string, status: string): string =>
  `(${standsBehind(row, createdAt)} AND ${countsAsAnswer(was)} AND NOT ${countsAsAnswer(status)})`;

/** The new `answer_count` when some of our messages stop counting. */
export const uncount = (row: string, count: string): string => `greatest(0, ${row}.answer_count - ${count})`;

/**
 * How a stored message of ours changes its thread. It answers what waits.
 * @param of preview: of its text; at: when it is stored; createdAt: the message's time, where that differs; count:
 * how many are stored
 */
export const messageOfOurs = (
  row: string,
  {
    role,
    preview,
    at,
    createdAt = at,
    count = '1',
  }: Record<'role' | 'preview' | 'at', string> & {
    createdAt?: string;
    count?: string;
  },
): Changes => ({
  last_message_role: role,
  last_message_text: preview,
  last_message_lines: 'NULL::jsonb',
  last_message_at: at,
  last_activity_at: at,
  last_outbound_at: createdAt,
  answer_count: `${row}.answer_count + ${count}`,
});

/**
 * How a customer's message changes what waits. Of several that wait, the one written last counts, because the
 * messenger's window begins with it.
 * @param of writtenAt: by the customer's clock; standsAt: when it counts as arrived; isOpen: nothing of ours was
 * stored since; isLastInbound: the customer has written nothing since
 */
export const customerWrites = (
  row: string,
  of: Record<'message' | 'writtenAt' | 'standsAt' | 'isOpen' | 'isLastInbound' | 'oursSince', string>,
): Changes => ({
  waiting_message_id: `CASE WHEN ${of.isLastInbound} THEN ${of.message} ELSE ${row}.waiting_message_id END`,
  waiting_since: `CASE WHEN NOT ${of.isLastInbound} OR ${of.isOpen} AND ${isWaiting(row)} THEN ${waitingSince(row)}
             ELSE ${of.writtenAt} END`,
  waiting_at: `CASE WHEN ${of.isOpen} AND ${isWaiting(row)} THEN greatest(${row}.waiting_at, ${of.writtenAt})
             WHEN ${of.isLastInbound} THEN ${of.writtenAt} ELSE ${row}.waiting_at END`,
  answer_count: `CASE WHEN NOT ${of.isLastInbound} THEN ${row}.answer_count WHEN ${of.isOpen} THEN 0 ELSE ${of.oursSince} END`,
  last_inbound_at: `CASE WHEN ${of.isLastInbound} THEN ${of.standsAt} ELSE ${row}.last_inbound_at END`,
});

/**
 * The new `replied_at`: when the customer's newest reply was written. Providers tell whole seconds, so it was written at
 * the end of its second at the latest, and before it arrived.
 */
export const customerReplied = (
  row: string,
  { isReply, writtenAt, arrivedAt }: Record<'isReply' | 'writtenAt' | 'arrivedAt', string>,
): string =>
  `CASE WHEN ${isReply} THEN greatest(${row}.replied_at, least(${arrivedAt}, ${writtenAt} + interval '999999 microseconds'))
             ELSE ${row}.replied_at END`;

/**
 * When the 24 hours end in which the provider takes free texts; null where the customer never wrote. By the arrival of the
 * customer's newest message where nothing else is known, as after an opt request.
 */
export const windowEnds = (row: string): string =>
  `coalesce(greatest(${row}.replied_at, ${row}.waiting_at), ${row}.last_inbound_at) + ${ANSWERABLE_FOR}`;

/** Whether the customer wrote within 24 hours, so that the provider takes free texts. */
export const windowIsOpen = (row: string, at: string): string =>
  `coalesce(${windowEnds(row)} > ${at}, false)`;

/** Whether the waiting message was written recently enough to be answered, at an instant. */
export const waitsInTime = (row: string, at: string): string =>
  `${row}.waiting_at > ${at} - ${ANSWERABLE_FOR}`;

/** Whether a takeover by an operator is running, at an instant. */
export const takeoverRuns = (row: string, at: string): string =>
  `coalesce(${row}.takeover_until > ${at}, false)`;

/** Whether a takeover has ended by itself, and its end has not been written yet. */
export const takeoverIsOver = (row: string, at: string): string => `${row}.takeover_until <= ${at}`;

/** Whether the agent conducts the dialog: its switch is on, and no takeover runs. */
export const agentConducts = (row: string, at: string): string =>
  `(${row}.ai_enabled AND NOT ${takeoverRuns(row, at)})`;

/**
 * Whether the thread's stage lets the agent answer. Without a stage it may. At a stage newer than the statement it
 * may not.
 */
export const stageLetsAnswer = (
  row: string,
  account = ':accountId',
): string => `(${row}.status_id IS NULL OR coalesce(
  (SELECT st.ai_enabled FROM statuses st WHERE st.account_id = ${account} AND st.id = ${row}.status_id), false))`;

/**
 * Whether the agent may say something, at an instant. Each fact of the thread is a column of its locked row.
 * @param stage whether its stage lets the agent answer, where that is known already
 */
export const agentMaySpeak = (row: string, at: string, stage = stageLetsAnswer(row)): string =>
  `(${agentConducts(row, at)} AND NOT ${row}.conducted_elsewhere AND NOT ${row}.opted_out AND ${stage})`;

/** Whether the waiting message may be answered, at an instant: one waits, in time, and the agent may speak. */
export const mayBeAnswered = (row: string, at: string, stage?: string): string =>
  `(${isWaiting(row)} AND ${waitsInTime(row, at)} AND ${agentMaySpeak(row, at, stage)})`;

/**
 * Whether the agent gave fewer replies in the last hour than it may in one thread, not counting the reply to the
 * given message.
 */
export const hasRepliesLeft = (row: string, message: string, account = ':accountId'): string =>
  `(SELECT count(*) FROM replies earlier
     WHERE earlier.account_id = ${account} AND earlier.thread_id = ${row}.id AND earlier.message_id <> ${message}
       AND earlier.parts > 0 AND earlier.created_at > clock_timestamp() - interval '1 hour')
   < (SELECT its.replies_per_hour FROM assistants its WHERE its.account_id = ${account} AND its.id = ${row}.assistant_id)`;

/**
 * Whether a reply can come at all: the number is connected, its credential is sealed by the key of this process
 * (`:cipherKeyId`), and the hour's limit is not reached. These facts are in other tables, so they are as old as the statement and may be older than the lock. That is good enough here, because
 * the reply checks both once more. No fact of the thread may be read this way.
 */
export const replyCanCome = (row: string, account = ':accountId'): string => `(EXISTS (
  SELECT 1 FROM bot_channels
   WHERE account_id = ${account} AND bot_id = ${row}.bot_id AND channel = ${row}.channel AND ${isConnected('bot_channels')}
     AND credential_key_id = :cipherKeyId)
  AND ${hasRepliesLeft(row, `${row}.waiting_message_id`, account)})`;

/**
 * Why the waiting message has no answer, of the words of `WAITING_REASONS` and in their order, as far as the database
 * knows: whether there is a model, only processes do. Of a message that nothing hinders and that no reply is due to, the
 * agent was silent when it came, and does not return to it without a call.
 * @param stage its row of `statuses`, joined: a subquery would be one more look for each card
 */
export const waitingReason = (
  row: string,
  at: string,
  stage: string,
): string => `CASE WHEN ${isWaiting(row)} THEN CASE
    WHEN NOT EXISTS (SELECT 1 FROM bot_channels n WHERE n.account_id = ${row}.account_id AND n.bot_id = ${row}.bot_id
                        AND n.channel = ${row}.channel AND ${isConnected('n')}) THEN 'number_down'
    WHEN NOT ${row}.ai_enabled THEN 'agent_off'
    WHEN NOT (${row}.status_id IS NULL OR coalesce(${stage}.ai_enabled, false)) THEN 'stage_mutes'
    WHEN ${takeoverRuns(row, at)} OR ${row}.conducted_elsewhere THEN 'takeover'
    WHEN ${automationIsPaused(`${row}.account_id`)} OR NOT ${IS_NOT_HELD} THEN 'held'
    WHEN NOT ${waitsInTime(row, at)} THEN 'window_closed'
    ELSE coalesce(
      (SELECT CASE WHEN r.state = 'due' AND r.epoch = ${row}.ai_epoch THEN 'agent_due'
                   WHEN r.state = 'failed' THEN CASE r.failure WHEN 'model' THEN 'model_failed' WHEN 'limit' THEN 'hourly_limit' END END
         FROM replies r WHERE r.account_id = ${row}.account_id AND r.message_id = ${row}.waiting_message_id),
      CASE WHEN NOT ${hasRepliesLeft(row, `${row}.waiting_message_id`, `${row}.account_id`)} THEN 'hourly_limit' END,
      'takeover') END END`;

/**
 * Whether a person has to come: one is asked for, or a customer waits, and the agent is not about to answer. The reason is
 * sought only where it can be that: many dialogs may wait for long.
 * @param hasModel whether there is a model, which only processes know
 */
export const needsPerson = (row: string, at: string, hasModel: string): string => {
  const stage = `(SELECT st FROM statuses st WHERE st.account_id = ${row}.account_id AND st.id = ${row}.status_id)`;
  return `((${row}.attention IS NOT NULL OR ${isWaiting(row)})
     AND NOT (${hasModel} AND ${isWaiting(row)} AND ${row}.ai_enabled AND ${waitsInTime(row, at)}
              AND coalesce(${waitingReason(row, at, stage)} = 'agent_due', false)))`;
};

/** The end of a takeover that begins at an instant: a value of `takeover_until`. */
export const beginTakeover = (row: string, at: string, account = ':accountId'): string =>
  `${at} + make_interval(mins => (
             SELECT a.auto_return_minutes FROM assistants a
              WHERE a.account_id = ${account} AND a.id = ${row}.assistant_id))`;

/** A takeover goes on until somebody ends it: a value of `takeover_until`. */
export const KEEP_TAKEOVER = `'infinity'::timestamptz`;

/** When a takeover ends by itself; null where none runs, or it goes on until somebody ends it. */
export const takeoverEnd = (row: string): string => `nullif(${row}.takeover_until, 'infinity')`;

/** No takeover: a value of `takeover_until`. */
export const endTakeover = 'NULL::timestamptz';

/**
 * Whether the message of an earlier reply, which waits, may be answered again: that reply ended, and nothing of it arrived, for
 * its message waits; or its epoch is over, and nothing of it was sent.
 */
export const mayTakeUpAgain = (reply: string, epoch: string): string =>
  `(${mayBeDueAgain(`${reply}.state`)} OR NOT ${reply}.part_sent AND ${reply}.epoch < ${epoch})`;

/** Whether the waiting message can be taken up, as far as replies tell: it has none yet, or one that may be due again. */
export const canBeTakenUp = (row: string, account = ':accountId'): string => `NOT EXISTS (
           SELECT 1 FROM replies r WHERE r.account_id = ${account} AND r.message_id = ${row}.waiting_message_id
             AND NOT (${mayTakeUpAgain('r', `${row}.ai_epoch`)}))`;

/**
 * Makes a reply to a waiting message due, at most one. ON CONFLICT sees the newest row, so two statements at once
 * create one reply. Replies are locked in the order of their messages, those that stay as they are too.
 * @param rows a SELECT of id, waiting_message_id, ai_epoch, due_at
 * @param of account; trace: of the call that asks for it, by default its message's
 */
export const takeUp = (
  rows: string,
  { account = ':accountId', trace = 'NULL' }: { account?: string; trace?: string } = {},
): string => `
    INSERT INTO replies AS r (account_id, thread_id, message_id, epoch, due_at, trace)
    SELECT ${account}, a.id, a.waiting_message_id, a.ai_epoch, a.due_at, ${trace} FROM (${rows}) a
     ORDER BY a.waiting_message_id
    ON CONFLICT (account_id, message_id) DO UPDATE
      SET epoch = excluded.epoch, due_at = excluded.due_at, trace = excluded.trace, state = 'due', lease_token = NULL, lease_until = NULL,
          attempts = 0, parts = 0, part_sent = false, model_failures = 0, tool_calls = 0, waits_until = NULL, created_at = clock_timestamp()
      WHERE ${mayTakeUpAgain('r', 'excluded.epoch')}
    RETURNING r.id`;

/** The columns of a changed thread that decide whether its message is answered; a part of RETURNING. */
export const DECIDING = (row: string): string =>
  [
    'account_id',
    'status_id',
    'ai_enabled',
    'takeover_until',
    'ai_epoch',
    'opted_out',
    'conducted_elsewhere',
    'waiting_message_id',
    'waiting_at',
    'answer_count',
  ]
    .map((column) => `${row}.${column}`)
    .join(', ');

/**
 * Makes a reply due again whose message gave way to a message of ours that has now failed. A reply that something
 * else silenced belongs to a former epoch, and its message keeps waiting, as does that of a reply whose own parts failed: the
 * agent does not return to it without a call.
 * @param threads rows of threads in which a message of ours has just failed: id, at and {@link DECIDING}
 */
export const takeUpOnceMore = (threads: string): string =>
  takeUp(
    `SELECT t.account_id, t.id, t.waiting_message_id, t.ai_epoch, t.at AS due_at FROM ${threads} t
      WHERE ${mayBeAnswered('t', 't.at', stageLetsAnswer('t', 't.account_id'))} AND EXISTS (
        SELECT 1 FROM replies r WHERE r.account_id = t.account_id AND r.message_id = t.waiting_message_id
           AND r.epoch = t.ai_epoch AND r.state = 'discarded' AND NOT r.part_sent)`,
    { account: 'a.account_id' },
  );
