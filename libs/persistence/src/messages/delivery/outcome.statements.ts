import { isConnected } from '../../bots/bot.entity';
import { statement } from '../../database/sql.statements';
import { countsAsAnswer, DECIDING, standsBehind, takeUpOnceMore, uncount } from '../../threads/thread.rules';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import { numberOfThread, tellsNew, toldByOurs } from '../incoming/address.statements';
import { IN_BATCH } from '../sending/sent-message.repository';

/** How many messages a statement settled. */
interface Settled {
  settled: number;
}

/** An outcome that a statement left, because somebody holds its thread, or it tells an address that is new to it. */
interface Held {
  /** Of the outcome, from 1. */
  n: number;
}

/** Whether a message's state is still ours to change: webhooks may have changed it meanwhile. */
const IS_OURS = `m.status IN ('queued', 'sending', 'unknown')`;

/** The message once its outcome is known. A message that a webhook has moved on keeps its state and gets the provider's id. */
const settled = (mayStand: string): string => `
  settled AS (
    UPDATE messages m
       SET status = CASE WHEN ${IS_OURS} THEN g.status ELSE m.status END,
           due_at = c.at + make_interval(secs => g.due_ms / 1000),
           claim_token = CASE WHEN g.status = 'unknown' THEN m.claim_token END,
           claim_until = CASE WHEN g.status = 'unknown' THEN m.claim_until END,
           send_permit_until = NULL,
           provider_id = coalesce(g.provider_id, m.provider_id),
           -- A message that has failed meanwhile has another error, which this answer is not about.
           provider_response = CASE WHEN m.status = 'failed' THEN m.provider_response
                                    ELSE coalesce(g.response, m.provider_response) END,
           accepted_at = CASE WHEN g.status = 'sent' THEN least(m.accepted_at, c.at) ELSE m.accepted_at END,
           failed_at = CASE WHEN g.status = 'failed' THEN coalesce(m.failed_at, c.at) ELSE m.failed_at END,
           error_code = CASE WHEN ${IS_OURS} THEN g.error_code ELSE m.error_code END,
           error_message = CASE WHEN ${IS_OURS} THEN g.error_message ELSE m.error_message END,
           provider_code = CASE WHEN ${IS_OURS} THEN g.provider_code ELSE m.provider_code END,
           quota_month = CASE WHEN g.gives_back THEN NULL ELSE m.quota_month END
      FROM locked g CROSS JOIN clock c
     WHERE m.account_id = g.account_id AND m.thread_id = g.thread_id AND m.id = g.id AND ${mayStand}
    RETURNING m.account_id, m.id, m.thread_id, m.status, g.status AS told,
              -- A message that failed by a report stopped counting then.
              NOT ${countsAsAnswer('m.status')} AND (m.status = 'dropped' OR m.failed_at = c.at) AS stops_counting,
              CASE WHEN g.told_contact = g.contact THEN g.wa_id END AS wa_id, g.gives_back,
              g.quota_month AS counted_in, g.created_at AS stored_at, c.at, g.base, g.assistant_id, g.last_inbound_at)`;

/** The threads of settled messages, and their events. A message that is queued again changes nothing of its thread. */
const THREADS_AND_EVENTS = `
  numbered AS (
    SELECT s.*, row_number() OVER (PARTITION BY s.account_id, s.thread_id ORDER BY s.stored_at, s.id) AS place
      FROM settled s WHERE s.told <> 'queued'),
  changes AS (
    SELECT n.account_id, n.thread_id, max(n.place) AS places, max(n.at) AS at, max(n.wa_id) AS wa_id,
           count(*) FILTER (WHERE n.stops_counting AND ${standsBehind('n', 'n.stored_at')}) AS uncounted
      FROM numbered n GROUP BY n.account_id, n.thread_id),
  touched AS (
    UPDATE threads t
       SET version = t.version + k.places, wa_id = coalesce(k.wa_id, t.wa_id),
           answer_count = ${uncount('t', 'k.uncounted')}
      FROM changes k
     WHERE t.account_id = k.account_id AND t.id = k.thread_id
    RETURNING t.id, k.at, k.uncounted, ${DECIDING('t')}),
  taken_up AS (${takeUpOnceMore('(SELECT * FROM touched WHERE uncounted > 0)')}),
  entries AS (
    SELECT n.thread_id AS id, n.account_id, n.assistant_id, n.base AS version, n.place, n.at, n.id AS message_id, n.status,
           c.actor, c.request_id
      FROM numbered n
      -- The call that caused the message causes its outcome. Its entry is among the dialog's last.
      LEFT JOIN LATERAL (
        SELECT e.body -> 'actor' AS actor, e.body -> 'request_id' AS request_id FROM (
          -- A bounded number, from the last one back: a planner that sees the condition reads all of a long dialog's.
          SELECT l.type, l.body FROM events l
           WHERE l.account_id = n.account_id AND l.thread_id = n.thread_id ORDER BY l.seq DESC LIMIT 200) e
         WHERE e.type = 'message' AND e.body ->> 'message_id' = n.id::text LIMIT 1) c ON true),
  logged AS (${appendEvents(
    'entries',
    { by: `'PROVIDER'`, actor: 't.actor', request: 't.request_id', account: 't.account_id' },
    [{ ...ENTRIES.messageState('t.message_id', 't.status'), step: 't.place' }],
  )})`;

/** Quota is given back once: a message whose quota is given back is counted in no month. */
const GIVEN_BACK = `
  given_back AS (
    UPDATE quota_usage q SET used = greatest(0, q.used - b.n)
      FROM (SELECT account_id, counted_in, count(*)::int AS n FROM settled
             WHERE gives_back AND counted_in IS NOT NULL GROUP BY account_id, counted_in ORDER BY account_id, counted_in) b
     WHERE q.account_id = b.account_id AND q.month = b.counted_in)`;

const TELLS_NEW = tellsNew('t', numberOfThread('t'), {
  contact: toldByOurs('t', 'g.told_contact'),
  userId: toldByOurs('t', 'g.told_user_id'),
});

/**
 * Settles claimed messages, with their threads, the events and the quota. Everything is locked in one order: the threads in
 * the order of their ids, then the messages, then the quota. `queued` is for messages of which no byte has left.
 * @param given a SELECT of account_id, id, token, status, provider_id, wa_id, told_contact, told_user_id, error_code, error_message,
 * provider_code, response, due_ms, gives_back
 * @param of claimed: which messages they are about; mayStand: the same, and in which states it has an effect, checked
 * again when the message is locked; mayLearn: what is told of the customer must be known; lock: what a locked thread means; result: a SELECT, by default of {@link Settled}
 */
const settle = (
  given: string,
  {
    claimed,
    mayStand = claimed,
    lock = '',
    mayLearn = false,
    result = 'SELECT count(*)::int AS settled FROM settled',
  }: { claimed: string; mayStand?: string; lock?: '' | 'SKIP LOCKED'; mayLearn?: boolean; result?: string },
): string => `
  WITH given AS MATERIALIZED (${given}),
  mine AS MATERIALIZED (
    SELECT g.*, m.thread_id, m.quota_month, m.created_at
      FROM given g
      -- Each by its key: a planner whose statistics are older than the account's rows reads all of its messages.
      CROSS JOIN LATERAL (
        SELECT m.thread_id, m.quota_month, m.created_at FROM messages m
         WHERE m.account_id = g.account_id AND m.id = g.id AND ${claimed} OFFSET 0) m),
  -- With the facts of the locked thread, so that no later step has to look it up again.
  locked AS MATERIALIZED (
    SELECT g.*, t.version AS base, t.assistant_id, t.last_inbound_at, t.contact
      FROM mine g JOIN threads t ON t.account_id = g.account_id AND t.id = g.thread_id
     WHERE ${mayLearn ? `t.erased_at IS NOT NULL OR NOT ${TELLS_NEW}` : 'true'}
     ORDER BY t.account_id, t.id FOR NO KEY UPDATE OF t ${lock}),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM locked) l),
  ${settled(mayStand)},
  ${THREADS_AND_EVENTS},
  ${GIVEN_BACK}
  ${result}`;

const OUTCOMES = [
  ...(['accountIds', 'ids', 'tokens', 'statuses', 'providerIds', 'waIds', 'contacts', 'userIds'] as const),
  ...(['errorCodes', 'errorMessages', 'providerCodes', 'responses', 'dueMs', 'giveBack'] as const),
] as const;

const storeOutcomes = (lock: '' | 'SKIP LOCKED'): string =>
  settle(
    `SELECT * FROM unnest(:accountIds::uuid[], :ids::uuid[], :tokens::uuid[], :statuses::text[], :providerIds::text[],
                          :waIds::text[], :contacts::text[], :userIds::text[], :errorCodes::text[], :errorMessages::text[], :providerCodes::int[],
                          :responses::text[], :dueMs::float8[], :giveBack::boolean[]) WITH ORDINALITY
       AS g (account_id, id, token, status, provider_id, wa_id, told_contact, told_user_id, error_code, error_message, provider_code, response, due_ms,
             gives_back, n)`,
    {
      claimed: 'm.claim_token = g.token',
      // A late answer of the same attempt is evidence, whatever a webhook has told meanwhile. But an unknown message is not
      // tried again: a person may have seen that and sent it anew.
      mayStand: `m.claim_token = g.token AND (m.status = 'sending'
       OR g.status <> 'queued' AND m.status IN ('unknown', 'sent', 'failed', 'delivered', 'read'))`,
      lock,
      mayLearn: true,
      result: 'SELECT n::int AS n FROM mine WHERE n NOT IN (SELECT n FROM locked)',
    },
  );

/** Each array has one element for each outcome. */
export const STORE_OUTCOMES = statement('outcome-store')
  .takes(...OUTCOMES)
  .returns<Held>(storeOutcomes(''));

/** The same for outcomes that come together, of several accounts. It passes over those whose threads somebody holds. */
export const STORE_OUTCOMES_TOGETHER = statement('outcome-store-together')
  .takes(...OUTCOMES)
  .returns<Held>(storeOutcomes('SKIP LOCKED'));

/** Claims past their deadline: nobody knows whether the request was taken. It passes over locked threads. */
export const EXPIRE_CLAIMS = statement('outcome-expire')
  .takes('limit', 'message')
  .returns<Settled>(
    settle(
      `SELECT m.account_id, m.id, m.claim_token AS token, 'unknown' AS status, NULL::text AS provider_id, NULL::text AS wa_id, NULL::text AS told_contact,
            'PROVIDER_ERROR' AS error_code, :message::text AS error_message, NULL::int AS provider_code,
            NULL::text AS response, NULL::float8 AS due_ms, false AS gives_back
       FROM messages m WHERE m.status = 'sending' AND m.claim_until < clock_timestamp()
      ORDER BY m.claim_until LIMIT :limit`,
      {
        claimed: `m.claim_token = g.token AND m.status = 'sending' AND m.claim_until < clock_timestamp()`,
        lock: 'SKIP LOCKED',
      },
    ),
  );

/**
 * Fails queued messages under a condition, the oldest first. The state is compared with the state found, not with a
 * constant. With a constant the planner may use the index of queued messages and read all of it for every single
 * message.
 */
const failQueued = (which: string, code: string): string =>
  settle(
    `SELECT m.account_id, m.id, NULL::uuid AS token, 'failed' AS status, NULL::text AS provider_id, NULL::text AS wa_id, NULL::text AS told_contact,
            '${code}' AS error_code, :message::text AS error_message, NULL::int AS provider_code, NULL::text AS response,
            NULL::float8 AS due_ms, true AS gives_back, m.status AS found
       FROM messages m WHERE ${which} AND m.status = 'queued'
      ORDER BY m.due_at, m.id LIMIT :limit`,
    { claimed: `m.status = g.found` },
  );

/** The untried messages of a batch whose account cannot pay. */
export const FAIL_REST = statement('outcome-fail-rest')
  .takes('accountId', 'batchId', 'message', 'limit')
  .returns<Settled>(failQueued(IN_BATCH, 'BILLING_ERROR'));

/** Queued messages of all accounts, which a person does not want to be sent after a restore. */
export const FAIL_HELD = statement('outcome-fail-held')
  .takes('message', 'limit')
  .returns<Settled>(failQueued('true', 'PROVIDER_ERROR'));

/** The queued messages of a dialog that is being erased. */
export const FAIL_QUEUED_OF_DIALOG = statement('outcome-fail-queued-of-dialog')
  .takes('accountId', 'threadId', 'message', 'limit')
  .returns<Settled>(failQueued('m.account_id = :accountId AND m.thread_id = :threadId', 'PROVIDER_ERROR'));

/** The queued messages of a number that is not connected. It may be connected again from one statement to the next. */
export const FAIL_QUEUED = statement('outcome-fail-queued')
  .takes('accountId', 'botId', 'channel', 'message', 'limit')
  .returns<Settled>(
    failQueued(
      `m.account_id = :accountId AND m.bot_id = :botId AND m.channel = :channel AND NOT EXISTS (
         SELECT 1 FROM bot_channels WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel
            AND ${isConnected('bot_channels')})`,
      'PROVIDER_ERROR',
    ),
  );
