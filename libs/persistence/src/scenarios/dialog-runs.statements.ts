import type { AccountEntity } from '../accounts/account.entity';
import type { AssistantEntity } from '../assistants/assistant.entity';
import type { StageEntity } from '../assistants/stage.entity';
import type { AsNumbers, NotNull, OrNull, Prefixed } from '../database/row.types';
import { statement } from '../database/sql.statement';
import type { EventEntity } from '../events/event.entity';
import type { MessageEntity } from '../messages/message.entity';
import {
  agentConducts,
  appendEvents,
  askForOperator,
  isWaiting,
  onlyWhere,
  set,
  takeoverRuns,
  windowIsOpen,
} from '../threads/thread.rules';
import type { ThreadEntity } from '../threads/thread.entity';
import { leaseFor } from '../work/lease.fragments';
import type { ScenarioRevisionEntity } from './scenario-revision.entity';
import type { ScenarioRunEntity } from './scenario-run.entity';
import type { ScenarioEntity } from './scenario.entity';

/** A dialog whose row is locked, as its runs see it. `at` is the database's clock after the lock. */
export interface LockedDialog
  extends
    Pick<
      ThreadEntity,
      | 'id'
      | 'assistant_id'
      | 'bot_id'
      | 'channel'
      | 'contact'
      | 'phone'
      | 'customer_name'
      | 'status_id'
      | 'opted_out'
      | 'takeover_until'
    >,
    Pick<EventEntity, 'at'>,
    NotNull<Pick<MessageEntity, 'recipient'>> {
  /** Whether a takeover runs. */
  takeover: boolean;
  /** Whether the agent conducts the dialog. */
  by_agent: boolean;
  waiting: boolean;
  /** Whether the customer wrote within 24 hours. */
  window_open: boolean;
}

/** The lock first, alone: what is read after it is not older than what any other statement has committed. */
export const LOCK = statement('scenario-dialog-lock').takes('accountId', 'threadId').returns<LockedDialog>(`
  WITH cur AS MATERIALIZED (
    SELECT id, assistant_id, bot_id, channel, contact, phone, user_id, customer_name, status_id, opted_out, ai_enabled,
           takeover_until, waiting_message_id, waiting_at, answer_count, replied_at, last_inbound_at
      FROM threads WHERE account_id = :accountId AND id = :threadId FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur)
  SELECT t.id, t.assistant_id, t.bot_id, t.channel, t.contact, t.phone, t.customer_name, t.status_id, t.opted_out, t.at,
         coalesce(t.phone, t.user_id, t.contact) AS recipient, ${takeoverRuns('t', 't.at')} AS takeover, t.takeover_until,
         ${agentConducts('t', 't.at')} AS by_agent, ${isWaiting('t')} AS waiting,
         ${windowIsOpen('t', 't.at')} AS window_open
    FROM timed t`);

/** What a dialog's runs see besides its row. No row: another process serves the dialog. */
export interface DialogSurroundings
  extends
    Pick<AccountEntity, 'automation_paused'>,
    Prefixed<'assistant_', Pick<AssistantEntity, 'name'>>,
    OrNull<Prefixed<'status_', Pick<StageEntity, 'name' | 'kind'>>> {}

const SURROUNDING_COLUMNS =
  'o.automation_paused, a.name AS assistant_name, s.name AS status_name, s.kind AS status_kind';

const AROUND_THREAD = `
    JOIN accounts o ON o.id = t.account_id
    JOIN assistants a ON a.account_id = t.account_id AND a.id = t.assistant_id
    LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id`;

/** The same without regard to who serves the dialog. */
export const SURROUNDINGS_OF_ANY = statement('scenario-dialog-surroundings-any').takes(
  'accountId',
  'threadId',
).returns<DialogSurroundings>(`
  SELECT ${SURROUNDING_COLUMNS}
    FROM threads t
    ${AROUND_THREAD}
   WHERE t.account_id = :accountId AND t.id = :threadId`);

export const SURROUNDINGS = statement('scenario-dialog-surroundings').takes('accountId', 'threadId', 'token')
  .returns<DialogSurroundings>(`
  SELECT ${SURROUNDING_COLUMNS}
    FROM scenario_queues q
    JOIN threads t ON t.account_id = q.account_id AND t.id = q.thread_id
    ${AROUND_THREAD}
   WHERE q.account_id = :accountId AND q.thread_id = :threadId AND q.lease_token = :token`);

/** An open run with its scenario's settings, which count as they are now, and its last message. */
export interface OpenRun
  extends
    Pick<
      ScenarioRunEntity,
      | (
          | 'id'
          | 'scenario_id'
          | 'status_id'
          | 'revision'
          | 'state'
          | 'cause'
          | 'depth'
          | 'by_run'
          | 'at_step'
          | 'progress'
        )
      | (
          | 'next_at'
          | 'due_since'
          | 'spoke_at'
          | 'last_message_id'
          | 'customer_after'
          | 'detached'
          | 'handed_over'
        )
      | ('started_at' | 'reason')
    >,
    Pick<
      ScenarioEntity,
      'name' | 'on_leave' | 'on_reply' | 'on_takeover' | 'reentry' | 'cooldown_seconds' | 'send_hours'
    >,
    Prefixed<'scenario_', Pick<ScenarioEntity, 'state'>>,
    OrNull<Prefixed<'message_', Pick<MessageEntity, 'status' | 'error_code' | 'error_message'>>> {
  archived: boolean;
  /** All runs of its scenario that began before an instant were cancelled. */
  called_off: boolean;
  /** Whether the lead has been in the run's stage since the run began. */
  in_stage: boolean;
  /** Whether the customer replied since the run's last message or, before any, since its start. */
  replied: boolean;
}

/**
 * Runs of a dialog by their beginning, and those that one move began by the order of their scenarios.
 * @param which a condition on the run `r`
 */
const runsOfDialog = (which: string): string => `
  SELECT r.id, r.scenario_id, r.status_id,
         -- A run takes the steps as they are when it begins.
         CASE WHEN r.state = 'due' THEN c.revision ELSE r.revision END AS revision, r.state, r.reason, r.cause, r.depth, r.by_run, r.at_step, r.progress,
         r.next_at, r.due_since, r.spoke_at, r.last_message_id, r.customer_after, r.detached, r.handed_over, r.started_at,
         c.name, c.on_leave, c.on_reply, c.on_takeover, c.reentry, c.cooldown_seconds, c.send_hours,
         c.state AS scenario_state, c.archived_at IS NOT NULL AS archived,
         coalesce(greatest(r.started_at, (r.retried_by ->> 'at')::timestamptz) < c.cancel_before, false) AS called_off,
         coalesce(t.status_id = r.status_id AND t.status_set_at = r.entered_at, false) AND NOT r.detached AS in_stage,
         coalesce(t.replied_at > coalesce(r.spoke_at, r.started_at), false) AS replied,
         m.status AS message_status, m.error_code AS message_error_code, m.error_message AS message_error_message
    FROM scenario_runs r
    JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
    JOIN scenarios c ON c.account_id = r.account_id AND c.id = r.scenario_id
    LEFT JOIN messages m ON m.account_id = r.account_id AND m.id = r.last_message_id
   WHERE r.account_id = :accountId AND r.thread_id = :threadId AND ${which}
   ORDER BY r.started_at, c."order", c.id, r.id`;

export const OPEN_RUNS = statement('scenario-dialog-runs')
  .takes('accountId', 'threadId')
  .returns<OpenRun>(runsOfDialog('r.finished_at IS NULL'));

/** Also a run that may have ended. */
export const RUN_AND_OPEN_RUNS = statement('scenario-run-and-open-runs')
  .takes('accountId', 'threadId', 'runId')
  .returns<OpenRun>(runsOfDialog('(r.finished_at IS NULL OR r.id = :runId)'));

/** How often a scenario began in a dialog before. */
export interface EarlierRuns extends Pick<ScenarioRunEntity, 'scenario_id'> {
  in_ten_minutes: number;
  in_day: number;
  /** Seconds since its last run began. */
  seconds_ago: number;
}

/** Of runs `r` that began, which are those that meet a condition. */
export const earlierRuns = (began: string): string => `
         count(*) FILTER (WHERE ${began} AND r.started_at > clock_timestamp() - interval '10 minutes')::int AS in_ten_minutes,
         count(*) FILTER (WHERE ${began} AND r.started_at > clock_timestamp() - interval '1 day')::int AS in_day,
         extract(epoch FROM clock_timestamp() - max(r.started_at) FILTER (WHERE ${began}))::float8 AS seconds_ago`;

export const EARLIER = statement('scenario-dialog-earlier-runs').takes('accountId', 'threadId', 'scenarioIds')
  .returns<EarlierRuns>(`
  SELECT r.scenario_id, ${earlierRuns('true')}
    FROM scenario_runs r
   WHERE r.account_id = :accountId AND r.thread_id = :threadId AND r.scenario_id = ANY (:scenarioIds::uuid[])
     AND r.state <> 'due' AND r.reason IS DISTINCT FROM 'loop'
   GROUP BY r.scenario_id`);

export const STEPS = statement('scenario-revision-steps').takes('accountId', 'scenarioId', 'revision')
  .returns<Pick<ScenarioRevisionEntity, 'steps'>>(`
  SELECT steps FROM scenario_revisions
   WHERE account_id = :accountId AND scenario_id = :scenarioId AND revision = :revision`);

/** What became of runs. Reads `clock`. */
export const WRITTEN = `
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:runs::jsonb)
      AS g (id uuid, state text, reason text, at_step integer, progress jsonb, next_at timestamptz, due_since timestamptz,
            speaks boolean, last_message_id uuid, detached boolean, handed_over boolean, revision integer)),
  written AS (
    UPDATE scenario_runs r
       SET state = g.state, reason = g.reason, at_step = g.at_step, progress = g.progress, next_at = g.next_at,
           due_since = g.due_since, spoke_at = CASE WHEN g.speaks THEN c.at ELSE r.spoke_at END,
           last_message_id = g.last_message_id, revision = g.revision, detached = g.detached, handed_over = g.handed_over,
           finished_at = CASE WHEN g.state IN ('done', 'failed', 'cancelled') THEN coalesce(r.finished_at, c.at) END
      FROM given g CROSS JOIN clock c WHERE r.account_id = :accountId AND r.id = g.id),
  gone AS (DELETE FROM scenario_runs r WHERE r.account_id = :accountId AND r.id = ANY (:goneIds::uuid[]))`;

/** The entries of the dialog's history: of its runs, and of a person who is asked for. Reads `clock`. */
export const TOLD = `
  touched AS (
    UPDATE threads t
       SET version = t.version + jsonb_array_length(:entries::jsonb), has_runs = :hasRuns,
           ${set(onlyWhere(':attention::text IS NOT NULL', 't', askForOperator(':attention::text', ':attentionNote::text', 'c.at')))}
      FROM clock c
     WHERE t.account_id = :accountId AND t.id = :threadId
       AND (jsonb_array_length(:entries::jsonb) > 0 OR t.has_runs <> :hasRuns)
    RETURNING t.id, t.assistant_id, t.version - jsonb_array_length(:entries::jsonb) AS base, c.at),
  told AS (
    SELECT t.id, t.assistant_id, t.base + e.n AS version, t.at, e.entry
      FROM touched t
      CROSS JOIN jsonb_array_elements(:entries::jsonb) WITH ORDINALITY AS e (entry, n)),
  logged AS (${appendEvents('told', { by: `'SCENARIO'`, actor: `t.entry -> 'actor'` }, [
    { type: `t.entry ->> 'type'`, body: `t.entry -> 'body'` },
  ])})`;

/**
 * Writes what became of a dialog's runs. `leaseMs` null gives the dialog back; `permitMs` grants a permit for an effect
 * outside. No row: another process has it by now, so all of it must be rolled back.
 */
export const WRITE = statement('scenario-dialog-write').takes(
  'accountId',
  'threadId',
  'token',
  'runs',
  'goneIds',
  'entries',
  'attention',
  'attentionNote',
  'hasRuns',
  'dueAt',
  'leaseMs',
  'permitMs',
).returns<AsNumbers<{ logged: number }>>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  ${WRITTEN},
  ${TOLD},
  kept AS (
    UPDATE scenario_queues q
       SET due_at = coalesce(:dueAt::timestamptz, 'infinity'),
           lease_token = CASE WHEN :leaseMs::float8 IS NOT NULL THEN q.lease_token END,
           lease_until = ${leaseFor(':leaseMs')}, permit_until = ${leaseFor(':permitMs')}
     WHERE q.account_id = :accountId AND q.thread_id = :threadId AND q.lease_token = :token AND :hasRuns
    RETURNING 1),
  left_alone AS (
    DELETE FROM scenario_queues q
     WHERE q.account_id = :accountId AND q.thread_id = :threadId AND q.lease_token = :token AND NOT :hasRuns
    RETURNING 1)
  SELECT (SELECT count(*) FROM logged)::float8 AS logged FROM (SELECT 1 FROM kept UNION ALL SELECT 1 FROM left_alone) h`);
