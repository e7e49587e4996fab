import { SCENARIO_UNDELIVERED } from '@app/contracts/lead.words';
import type { MessageEntity, ParkedStateEntity } from '../dialog/message.entity';
import { IS_REVISION } from './revision.statements';
import type { CamelCased } from '../../database/row-types';
import { statement, purgeOf } from '../../database/sql.statements';
import { tellsNew, toldByOurs } from '../incoming/address.statements';
import { isHeld } from '../incoming/arrival-time';
import { erasedMessageMark } from '../dialog/erased.statements';
import {
  askForOperator,
  DECIDING,
  onlyWhere,
  recount,
  set,
  stopsAnswering,
  takeUpOnceMore,
} from '../../threads/thread.rules';
import { agentAsActor, appendEvents, ENTRIES, type Entry } from '../../threads/thread-log.statements';

/** The order of states: a report only moves a message forward. `accepted` means that the provider has accepted it. */
const rank = (state: string): string =>
  `CASE ${state} WHEN 'accepted' THEN 2 WHEN 'sent' THEN 2 WHEN 'failed' THEN 3 WHEN 'delivered' THEN 4 WHEN 'read' THEN 5
        WHEN 'sending' THEN 1 WHEN 'unknown' THEN 1 ELSE 0 END`;

/**
 * What became of a report. `later`: another one of its thread came first. `held`: somebody holds the thread or message.
 * `erased`: its customer was erased, and nothing has changed.
 */
export type ReportVerdict = 'applied' | 'unknown' | 'later' | 'held' | 'erased';

/** What became of a report, and its message. `status` is the message's state, whatever reports have come before. */
export interface ReportOutcome extends CamelCased<
  Pick<MessageEntity, 'provider_id' | 'whatsapp_id' | 'status' | 'batch_id'>
> {
  /** Of the report, from 1. */
  n: number;
  verdict: ReportVerdict;
  messageId: MessageEntity['id'];
  /** Whether the log has something new. */
  logged: boolean;
  /** Whether the report told an id of the message that was not known before. */
  identified: boolean;
  /** Whether it tells an address of the customer that is new to the dialog. */
  teaches: boolean;
}

const ours = (condition: string): string =>
  `SELECT k.id FROM messages k WHERE k.account_id = g.account_id AND k.bot_id = g.bot_id AND k.channel = g.channel AND ${condition}`;

/** The messages that the reports mean: found by our reference, else by the provider's id, else by WhatsApp's. */
const FOUND = `
  given AS MATERIALIZED (
    SELECT * FROM unnest(:accounts::uuid[], :bots::uuid[], :channels::text[], :references::uuid[], :providerIds::text[],
                         :whatsappIds::text[], :states::text[], :times::timestamptz[], :codes::text[], :sentences::text[],
                         :providerCodes::int[], :contacts::text[], :userIds::text[], :phones::text[],
                         :pricings::text[]) WITH ORDINALITY
      AS g (account_id, bot_id, channel, reference, told_provider_id, told_whatsapp_id, state, told_at, code, sentence,
            told_code, told_contact, told_user_id, told_phone, told_pricing, n)),
  meant AS MATERIALIZED (
    SELECT g.*, coalesce(
             (${ours('k.id = g.reference AND NOT k.inbound')}),
             (${ours('k.provider_id = g.told_provider_id AND k.provider_id IS NOT NULL AND NOT k.inbound ORDER BY k.id DESC LIMIT 1')}),
             (${ours('k.whatsapp_id = g.told_whatsapp_id AND NOT k.inbound ORDER BY k.id DESC LIMIT 1')})) AS message_id
      FROM given g),
  found AS MATERIALIZED (
    SELECT f.*, (SELECT k.thread_id FROM messages k WHERE k.account_id = f.account_id AND k.id = f.message_id) AS thread_id
      FROM meant f),
  numbered AS MATERIALIZED (
    SELECT f.*, row_number() OVER (PARTITION BY f.account_id, f.thread_id ORDER BY f.n) AS nth
      FROM found f WHERE f.thread_id IS NOT NULL)`;

const TELLS_NEW = tellsNew(
  't',
  { account: 'q.account_id', bot: 'q.bot_id', channel: 'q.channel' },
  {
    contact: toldByOurs('t', 'q.told_contact'),
    userId: toldByOurs('t', 'q.told_user_id'),
    phone: toldByOurs('t', 'q.told_phone'),
  },
);

/** The thread is locked first, then the message. */
const locked = (lock: string): string => `
  cur AS MATERIALIZED (
    SELECT q.*, t.assistant_id, t.attention, t.erased_at IS NOT NULL AS is_erased, t.erased_at IS NULL AND ${TELLS_NEW} AS teaches
      FROM numbered q CROSS JOIN LATERAL (
        SELECT id, assistant_id, attention, erased_at, contact, user_id, phone, same_customer, former_addresses FROM threads
         WHERE account_id = q.account_id AND id = q.thread_id
           FOR NO KEY UPDATE ${lock}) t
     WHERE q.nth = 1),
  was AS MATERIALIZED (
    SELECT c.*, m.*
      FROM cur c CROSS JOIN LATERAL (
        SELECT id, status, batch_id, created_at, provider_id, whatsapp_id, accepted_at, delivered_at, read_at, failed_at,
               error_code, error_message, provider_code, pricing
          FROM messages WHERE account_id = c.account_id AND id = c.message_id FOR NO KEY UPDATE ${lock}) m
     WHERE NOT c.is_erased)`;

/** Ids of erased messages are not kept. Only a report whose message is not found is looked up among their marks. */
const IS_ERASED = `EXISTS (
         SELECT 1 FROM webhook_marks k
          WHERE k.account_id = f.account_id
            AND k.mark IN (${['f.told_provider_id', 'f.told_whatsapp_id']
              .map((id) => erasedMessageMark('f.bot_id', 'f.channel', id))
              .join(', ')}))`;

/**
 * Each state keeps its earliest time, and what is known of the price stays where a report does not name it. The provider's clock shows whole seconds, so an acceptance that we saw ourselves
 * is not moved within its second, and no time is before the message's own.
 */
const AFTER = `
  timed AS MATERIALIZED (
    SELECT w.*, least(coalesce(w.told_at, w.now), w.now) AS at,
           CASE WHEN w.state = 'accepted' THEN CASE WHEN w.status IN ('queued', 'unknown') THEN 'sent' ELSE w.status END
                WHEN ${rank('w.state')} > ${rank('w.status')} THEN w.state ELSE w.status END AS status_now
      FROM (SELECT was.*, clock_timestamp() AS now FROM was) w),
  after AS MATERIALIZED (
    SELECT w.n, w.account_id, w.thread_id, w.assistant_id, w.id, w.now, w.status AS was, w.status_now AS status,
           coalesce(w.provider_id, w.told_provider_id) AS provider_id,
           coalesce(w.whatsapp_id, w.told_whatsapp_id) AS whatsapp_id,
           CASE WHEN w.state <> 'failed' AND coalesce(date_trunc('second', w.accepted_at) > w.at, true)
                  THEN least(w.accepted_at, greatest(w.at, w.created_at)) ELSE w.accepted_at END AS accepted_at,
           CASE WHEN w.state IN ('delivered', 'read') THEN least(w.delivered_at, w.at) ELSE w.delivered_at END AS delivered_at,
           CASE WHEN w.state = 'read' THEN least(w.read_at, w.at) ELSE w.read_at END AS read_at,
           CASE WHEN w.state = 'failed' THEN least(w.failed_at, w.at) ELSE w.failed_at END AS failed_at,
           CASE WHEN w.status_now = w.status THEN w.error_code WHEN w.status_now = 'failed' THEN w.code END AS error_code,
           CASE WHEN w.status_now = w.status THEN w.error_message WHEN w.status_now = 'failed' THEN w.sentence END AS error_message,
           CASE WHEN w.status_now = w.status THEN w.provider_code WHEN w.status_now = 'failed' THEN w.told_code END AS provider_code,
           CASE WHEN w.told_pricing IS NULL THEN w.pricing ELSE coalesce(w.pricing, '{}') || w.told_pricing::jsonb END AS pricing
      FROM timed w)`;

/**
 * Why a person is asked for where a message fails after the provider accepted it. A scenario's step may be done, and a
 * reply counts as said. Of a reply in parts a person is asked for once.
 */
const ASKED = `
  asked AS (
    SELECT c.n, 'scenario' AS reason, 'SCENARIO' AS by,
           jsonb_build_object('type', 'scenario', 'id', s.id, 'name', s.name, 'run_id', r.id) AS actor,
           concat_ws(': ', '${SCENARIO_UNDELIVERED}', c.error_message) AS note, c.provider_code
      FROM changed c
      JOIN scenario_runs r ON r.account_id = c.account_id AND r.id = c.run_id
      JOIN scenarios s ON s.account_id = r.account_id AND s.id = r.scenario_id
     WHERE c.status = 'failed' AND c.was <> 'failed'
    UNION ALL
    SELECT c.n, 'not_delivered', 'AI', ${agentAsActor('u', 'u.account_id')}, c.error_message, c.provider_code
      FROM changed c JOIN cur u ON u.n = c.n
     WHERE c.status = 'failed' AND c.was <> 'failed' AND c.role = 'AI' AND c.run_id IS NULL
       AND u.attention IS DISTINCT FROM 'not_delivered')`;

/** The run or the agent asks for a person, not the provider that reported. */
const ENTRY = ENTRIES.attention('t.reason', 't.note');
const ASKED_BY_SENDER: Entry = {
  ...ENTRY,
  body: `${ENTRY.body} || jsonb_build_object('by', t.by, 'actor', t.actor)
    || jsonb_strip_nulls(jsonb_build_object('provider_code', t.provider_code))`,
  step: '1',
  when: 't.reason IS NOT NULL',
};

/**
 * A report that brings nothing new changes nothing, not even a version. A message that has failed answers no more, and
 * what it answered may be taken up again.
 */
const CHANGED = `
  changed AS (
    UPDATE messages m
       SET status = a.status, provider_id = a.provider_id, whatsapp_id = a.whatsapp_id, accepted_at = a.accepted_at,
           delivered_at = a.delivered_at, read_at = a.read_at, failed_at = a.failed_at, error_code = a.error_code,
           error_message = a.error_message, provider_code = a.provider_code, pricing = a.pricing,
           -- What was answered before is about another error than the reported one.
           provider_response = CASE WHEN a.status = 'failed' AND w.status <> 'failed' THEN NULL ELSE m.provider_response END
      FROM after a JOIN was w ON w.n = a.n
     WHERE m.account_id = a.account_id AND m.id = a.id
       AND (a.status, a.provider_id, a.whatsapp_id, a.accepted_at, a.delivered_at, a.read_at, a.failed_at, a.pricing)
           IS DISTINCT FROM (w.status, w.provider_id, w.whatsapp_id, w.accepted_at, w.delivered_at, w.read_at, w.failed_at, w.pricing)
    RETURNING a.n, m.account_id, m.thread_id, m.id, a.was, m.status, m.created_at, a.now AS at, m.run_id, m.role, m.error_message, m.provider_code,
              (a.provider_id, a.whatsapp_id) IS DISTINCT FROM (w.provider_id, w.whatsapp_id) AS identified),
  ${ASKED},
  moved AS (
    UPDATE threads t
       SET version = t.version + 1 + (f.n IS NOT NULL)::int,
           answer_count = ${recount('t', 'c.created_at', 'c.was', 'c.status')},
           ${set(onlyWhere('f.n IS NOT NULL', 't', askForOperator('f.reason', 'f.note', 'c.at', 'f.provider_code')))}
      FROM changed c LEFT JOIN asked f ON f.n = c.n WHERE t.account_id = c.account_id AND t.id = c.thread_id
    RETURNING t.id, t.assistant_id, t.version - (f.n IS NOT NULL)::int AS version, c.id AS message_id, c.was, c.status, c.at,
              f.reason, f.by, f.actor, f.note, f.provider_code, ${DECIDING('t')},
              ${stopsAnswering('t', 'c.created_at', 'c.was', 'c.status')} AS uncounted),
  taken_up AS (${takeUpOnceMore('(SELECT * FROM moved WHERE uncounted)')})`;

const PARAMETERS = [
  ...(['accounts', 'bots', 'channels', 'references', 'providerIds', 'whatsappIds'] as const),
  ...(['states', 'times', 'codes', 'sentences', 'providerCodes'] as const),
  ...(['contacts', 'userIds', 'phones', 'pricings'] as const),
] as const;

const reports = (lock: '' | 'SKIP LOCKED'): string => `
  WITH ${FOUND}, ${locked(lock)}, ${AFTER}, ${CHANGED},
  logged AS (${appendEvents('moved', { by: `'PROVIDER'`, account: 't.account_id' }, [
    ENTRIES.messageState('t.message_id', 't.status', 't.was'),
    ASKED_BY_SENDER,
  ])})
  SELECT f.n::int AS n, f.message_id AS "messageId",
         CASE WHEN a.n IS NOT NULL THEN 'applied'
              WHEN f.thread_id IS NULL THEN CASE WHEN ${IS_ERASED} THEN 'erased' ELSE 'unknown' END
              WHEN q.nth > 1 THEN 'later' WHEN u.is_erased THEN 'erased' ELSE 'held' END AS verdict,
         EXISTS (SELECT 1 FROM logged e WHERE e.account_id = a.account_id AND e.thread_id = a.thread_id) AS logged,
         coalesce(c.identified, false) AS identified, coalesce(u.teaches AND a.n IS NOT NULL, false) AS teaches, a.provider_id AS "providerId", a.whatsapp_id AS "whatsappId",
         a.status, w.batch_id AS "batchId"
    FROM found f LEFT JOIN numbered q ON q.n = f.n LEFT JOIN cur u ON u.n = f.n LEFT JOIN was w ON w.n = f.n LEFT JOIN after a ON a.n = f.n
    LEFT JOIN changed c ON c.n = f.n`;

/**
 * Applies reports to the messages of ours that they mean. What decides is read from the locked message: what was
 * reported or stored before.
 */
export const REPORT = statement('delivery-state-report')
  .takes(...PARAMETERS)
  .returns<ReportOutcome>(reports(''));

/** The same for reports that come together. It passes over a thread or message that somebody holds. */
export const REPORT_TOGETHER = statement('delivery-state-report-together')
  .takes(...PARAMETERS)
  .returns<ReportOutcome>(reports('SKIP LOCKED'));

/** Erasing its customer takes the webhook away. The webhook is locked: whoever takes it finds the report after it. */
export const PARK = statement('delivery-state-park')
  .takes('accountId', 'botId', 'channel', 'id', 'state', 'report', 'webhook', 'heldBy')
  .returns(
    `
  INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body)
  SELECT :accountId::uuid, :botId::uuid, :channel::text, :id::text, :state::text, :report::jsonb
   WHERE ${isHeld(':webhook::bigint', ':heldBy::uuid', 'FOR SHARE')}
  ON CONFLICT (account_id, bot_id, channel, provider_id, state) DO NOTHING`,
  );

/** A parked report. `at` is its time by the provider's clock, or else when it came. */
type ParkedRow = Pick<ParkedStateEntity, 'id' | 'body'> & { at: Date };

export const PARKED = statement('delivery-state-parked')
  .takes('accountId', 'botId', 'channel', 'ids')
  .returns<ParkedRow>(
    `
  SELECT id::text AS id, body, coalesce((body ->> 'at')::timestamptz, created_at) AS at FROM parked_states
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND provider_id = ANY (:ids::text[])
     AND NOT (${IS_REVISION}) ORDER BY id`,
  );

export const UNPARK = statement('delivery-state-unpark')
  .takes('accountId', 'ids')
  .returns('DELETE FROM parked_states WHERE account_id = :accountId AND id = ANY (:ids::bigint[])');

/**
 * Checks reports that wait for their message: a second after each came, and then whenever it is three times as old, for
 * a quarter of an hour. A report and its message come together, so one that has waited longer waits for a message that
 * somebody else sent by the same number. A report whose message is known is applied and deleted; if that fails, it is
 * checked again after some seconds, whatever its age.
 */
export const CHECK_PARKED = statement('delivery-state-check-parked').takes('limit').returns<
  CamelCased<Pick<ParkedStateEntity, 'account_id' | 'bot_id' | 'channel' | 'provider_id'>> & {
    known: boolean;
  }
>(`
  WITH due AS MATERIALIZED (
    SELECT * FROM parked_states WHERE next_check_at <= now() AND NOT (${IS_REVISION})
     ORDER BY next_check_at LIMIT :limit FOR UPDATE SKIP LOCKED),
  looked AS MATERIALIZED (
    SELECT l.*,
           EXISTS (SELECT 1 FROM messages m WHERE m.account_id = l.account_id AND m.bot_id = l.bot_id AND m.channel = l.channel
                      AND m.provider_id = l.provider_id AND m.provider_id IS NOT NULL AND NOT m.inbound)
        OR EXISTS (SELECT 1 FROM messages m WHERE m.account_id = l.account_id AND m.bot_id = l.bot_id AND m.channel = l.channel
                      AND m.whatsapp_id = l.provider_id) AS known
      FROM due l),
  checked AS (
    UPDATE parked_states p
       SET next_check_at = CASE WHEN l.known THEN now() + interval '5 seconds'
                                WHEN p.created_at > now() - interval '15 minutes' THEN now() + 2 * (now() - p.created_at) END
      FROM looked l WHERE p.account_id = l.account_id AND p.id = l.id)
  SELECT account_id AS "accountId", bot_id AS "botId", channel, provider_id AS "providerId", known FROM looked`);

/** Twice as long as providers repeat what was not acknowledged. */
export const PURGE_PARKED = statement('delivery-state-purge-parked')
  .takes('limit')
  .returns(
    purgeOf('parked_states', { where: `o.created_at < now() - interval '14 days'`, by: 'created_at' }),
  );
