import type { CamelCased } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { countBacklog, type WorkBacklog, ownersOf, leaseFor, leaseIsFree } from '../work/work.statements';
import { isFree, takeAddresses, dialogsOfContacts } from '../messages/incoming/address.statements';
import { hadOptedOut } from '../messages/dialog/erased.statements';
import { appendEvents, ENTRIES, changed, type Entry } from '../threads/thread-log.statements';
import type { ThreadEntity } from '../threads/thread.entity';
import type { StageEntity } from '../assistants/assistant.entity';
import { handsTo, MOVE_ENTRIES, standing, takeoverByRule, verdictOf } from '../leads/move.rules';
import { queueRuns, startRuns } from '../threads/run.statements';
import { onlyWhere, set, shownName } from '../threads/thread.rules';
import { findAgain } from '../threads/thread-search.statements';
import type { ImportEntity } from './import.entity';
import { OF_IMPORT } from './import.statements';

/** Account by account, along the index. */
export const DUE = statement('import-due').returns<CamelCased<Pick<ImportEntity, 'account_id' | 'id'>>>(`
  WITH RECURSIVE ${ownersOf('imports', `state = 'running'`)}
  SELECT a.account_id AS "accountId", d.id
    FROM owners a
    CROSS JOIN LATERAL (
      SELECT m.id, m.due_at FROM imports m
       WHERE m.account_id = a.account_id AND m.state = 'running' AND m.due_at <= now() AND ${leaseIsFree('m')}
       ORDER BY m.due_at LIMIT 10) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.due_at LIMIT 1000`);

export const CLAIM = statement('import-claim').takes(...OF_IMPORT, 'token', 'leaseMs').returns<
  Pick<ImportEntity, 'dry_run'>
>(`
  WITH locked AS MATERIALIZED (
    SELECT account_id, id FROM imports m
     WHERE account_id = :accountId AND id = :id AND state = 'running' AND due_at <= clock_timestamp() AND ${leaseIsFree('m')}
       FOR NO KEY UPDATE SKIP LOCKED),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until FROM locked l)
  UPDATE imports m SET lease_token = :token, lease_until = l.until
    FROM leased l WHERE m.account_id = l.account_id AND m.id = l.id
  RETURNING m.dry_run`);

const IS_HELD = `account_id = :accountId AND id = :id AND lease_token = :token AND state = 'running'`;

export const RELEASE = statement('import-release').takes(...OF_IMPORT, 'token', 'afterMs', 'failed').returns<
  Pick<ImportEntity, 'failures'>
>(`
  WITH locked AS MATERIALIZED (SELECT account_id, id FROM imports WHERE ${IS_HELD} FOR NO KEY UPDATE),
  again AS MATERIALIZED (SELECT l.*, ${leaseFor(':afterMs')} AS due_at FROM locked l)
  UPDATE imports m
     SET lease_token = NULL, lease_until = NULL, due_at = a.due_at, failures = m.failures + (:failed::boolean)::int
    FROM again a WHERE m.account_id = :accountId AND m.id = a.id
  RETURNING m.failures`);

export const BACKLOG = statement('import-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT m.account_id, m.due_at, NOT ${leaseIsFree('m')} AS held FROM imports m
      WHERE m.state = 'running' AND m.due_at <= clock_timestamp()`,
      `SELECT account_id FROM imports WHERE state = 'failed' AND finished_at > now() - interval '1 hour'`,
    ),
  );

const OF_NUMBER = { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' };

const OPT_OUT_KEPT = hadOptedOut({ ...OF_NUMBER, contact: 'o.contact', userId: 'NULL::text' });

/**
 * Opens the threads that do not exist yet, without a message. In the order of their contacts, as sending does, so that two
 * such statements wait for each other but never in a circle. The arrays have one element for each thread.
 */
export const OPEN_LEADS = statement('import-open-leads').takes(
  ...(['accountId', 'botId', 'channel', 'assistantId', 'ids', 'contacts', 'phones'] as const),
  ...(['setBy', 'actor', 'requestId'] as const),
).returns<Pick<ThreadEntity, 'id' | 'contact'>>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  opened AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, version, created_at,
                         last_activity_at, ai_enabled, opted_out)
    SELECT :accountId, o.id, :assistantId, :botId, :channel, o.contact, o.phone, 1, c.at, c.at, NOT k.opted_out, k.opted_out
      FROM unnest(:ids::uuid[], :contacts::text[], :phones::text[]) o (id, contact, phone)
     CROSS JOIN clock c CROSS JOIN LATERAL (SELECT ${OPT_OUT_KEPT} AS opted_out) k
     WHERE ${isFree(OF_NUMBER, 'o.contact')} ORDER BY o.contact COLLATE "C"
    ON CONFLICT (account_id, bot_id, channel, contact) DO NOTHING
    RETURNING account_id, id, bot_id, channel, assistant_id, contact, user_id, version, created_at AS at),
  addressed AS (${takeAddresses('opened')}),
  logged AS (${appendEvents(
    'opened',
    { by: ':setBy::text', actor: ':actor::jsonb', request: ':requestId::text' },
    [ENTRIES.opened],
  )})
  SELECT id, contact FROM opened`);

/** What a row gives a lead; null leaves it as it is. */
export interface GivenLead {
  contact: string;
  status_id: StageEntity['id'] | null;
  name: string | null;
  assignee_id: NonNullable<ThreadEntity['assignee_id']> | null;
}

/** What became of a row. `other_agent`: the thread of its contact is of another assistant. */
export interface AppliedLead extends Pick<ThreadEntity, 'contact'> {
  verdict: 'may' | 'no_stage' | 'other_agent';
  changed: boolean;
  starts: boolean;
}

/** The rows with their threads, which are locked in the order of their ids, and with the stage that each enters. */
const GIVEN = `
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:leads::jsonb) AS g (contact text, status_id uuid, name text, assignee_id uuid)),
  ${dialogsOfContacts(
    { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' },
    '(SELECT contact FROM given)',
    `assistant_id, status_id, name_override, customer_name, assignee_id, version, ai_enabled,
           takeover_until, opted_out, has_runs`,
  )},
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM locked) l)`;

const DECIDED = `
  judged AS MATERIALIZED (
    SELECT l.*, g.contact AS asked, row_number() OVER (PARTITION BY l.id ORDER BY g.contact) AS nth, g.status_id AS target, g.name, g.assignee_id AS given_assignee, c.at,
           s.on_enter AS rule, s.ai_enabled AS stage_ai, s.starts_runs,
           CASE WHEN g.status_id IS NULL THEN 'same' ELSE ${verdictOf('l', {
             ...{ target: 'g.status_id', targetOf: 's.assistant_id' },
             ...{ hasExpected: 'false', expected: 'NULL::uuid' },
           })} END AS move,
           l.assistant_id <> :assistantId AS is_other
      FROM locked l CROSS JOIN clock c JOIN known k ON k.id = l.id JOIN given g ON g.contact = k.contact
      LEFT JOIN statuses s ON s.account_id = :accountId AND s.id = g.status_id AND s.archived_at IS NULL),
  decided AS MATERIALIZED (
    SELECT j.*, v.verdict, v.acts AND j.move = 'move' AS moves,
           CASE WHEN v.acts AND j.move = 'move' THEN j.rule END AS on_enter,
           v.acts AND j.name IS NOT NULL AND ${shownName('j')} IS DISTINCT FROM j.name AS renames,
           v.acts AND j.given_assignee IS NOT NULL
             AND j.assignee_id IS DISTINCT FROM j.given_assignee AS assigns
      FROM judged j CROSS JOIN LATERAL (
        -- Of several numbers of one customer the first counts.
        SELECT w.verdict, w.verdict = 'may' AND j.nth = 1 AS acts FROM (
          SELECT CASE WHEN j.is_other THEN 'other_agent' WHEN j.move = 'no_stage' THEN 'no_stage' ELSE 'may' END AS verdict) w) v),
  ruled AS MATERIALIZED (
    SELECT h.*, h.moves AND coalesce(h.starts_runs, false) AND :startScenarios AS starts,
           h.moves::int + (h.hands_to IS NOT NULL)::int + h.renames::int + h.assigns::int AS steps
      FROM (SELECT d.*, ${handsTo('d', 'd.on_enter')} AS hands_to FROM decided d) h)`;

const EDITED = `
  edited AS (
    UPDATE threads t
       SET ${set(onlyWhere('d.moves', 't', standing('d.target', 'd.at', ':setBy::text')))},
           takeover_until = ${takeoverByRule('t', 'd', 'd.on_enter')}, has_runs = d.has_runs OR d.starts,
           ai_epoch = t.ai_epoch + CASE WHEN d.hands_to = 'OPERATOR' OR (d.moves AND d.stage_ai IS FALSE) THEN 1 ELSE 0 END,
           ${set(onlyWhere('d.renames', 't', { name_override: 'd.name' }))},
           ${set(onlyWhere('d.assigns', 't', { assignee_id: 'd.given_assignee' }))},
           version = t.version + d.steps, last_activity_at = d.at
      FROM ruled d WHERE t.account_id = :accountId AND t.id = d.id AND d.steps > 0
    RETURNING t.account_id, t.id, t.assistant_id, d.version + 1 AS version, d.at, d.status_id AS from_status,
              t.status_id AS to_status, d.hands_to, d.starts, t.has_runs, d.moves, d.renames, d.assigns,
              d.name_override AS was_name, t.name_override AS name, d.assignee_id AS was_assignee, t.assignee_id)`;

/** Runs of the entered stages, and of the left ones, which must hear of it. A person's move may be undone for ten seconds. */
const RUNS = `
  starting AS (SELECT * FROM edited WHERE starts),
  runs AS (${startRuns('starting', {
    ...{ cause: ':cause::jsonb', trace: 'NULL::text', depth: '1', byRun: 'NULL::uuid' },
    customerAfter: `CASE WHEN :setBy = 'OPERATOR_MANUAL' THEN m.at + interval '10 s' END`,
  })}),
  queued AS (${queueRuns('SELECT account_id, id, at FROM edited WHERE moves AND has_runs')})`;

const AFTER_MOVE = `t.moves::int + (t.hands_to IS NOT NULL)::int`;

/** In the order in which a person would have made these changes one by one. */
const ROW_ENTRIES: readonly Entry[] = [
  ...MOVE_ENTRIES.map(({ when = 'true', ...entry }) => ({ ...entry, when: `t.moves AND ${when}` })),
  { type: `'name'`, step: AFTER_MOVE, body: changed('t.was_name', 't.name'), when: 't.renames' },
  {
    type: `'assignee'`,
    step: `${AFTER_MOVE} + t.renames::int`,
    body: changed('t.was_assignee', 't.assignee_id'),
    when: 't.assigns',
  },
];

const EVENTS = appendEvents(
  'edited',
  { by: ':setBy::text', actor: ':actor::jsonb', request: ':requestId::text' },
  ROW_ENTRIES,
);

/**
 * Moves, names and assigns leads as rows say, by the rules of moves and edits made one by one. Only threads are locked, and
 * each fact that decides about one is in its locked row. `openedIds` are those that this transaction has opened, which
 * nobody finds yet.
 */
export const APPLY_LEADS = statement('import-apply-leads').takes(
  ...(['accountId', 'botId', 'channel', 'assistantId', 'leads', 'openedIds', 'startScenarios'] as const),
  ...(['setBy', 'actor', 'requestId', 'cause'] as const),
).returns<AppliedLead>(`
  WITH ${GIVEN}, ${DECIDED}, ${EDITED}, ${RUNS},
  event AS (${EVENTS}),
  unfound AS (
    SELECT account_id, id FROM edited WHERE renames
    UNION SELECT :accountId::uuid, o.id FROM unnest(:openedIds::uuid[]) o (id)),
  ${findAgain('unfound')}
  SELECT asked AS contact, verdict, steps > 0 AS changed, starts FROM ruled`);
