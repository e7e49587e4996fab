import type { AccountEntity } from '../../accounts/account.entity';
import type { AssistantEntity, StageEntity } from '../../assistants/assistant.entity';
import type { NotNull, OrNull, Prefixed } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { EventEntity } from '../../events/event.entity';
import type { MessageEntity } from '../../messages/dialog/message.entity';
import {
  agentConducts,
  isWaiting,
  shownName,
  takeoverEnd,
  takeoverRuns,
  windowIsOpen,
} from '../../threads/thread.rules';
import type { ThreadEntity } from '../../threads/thread.entity';
import type { ScenarioQueueEntity, ScenarioRunEntity } from './scenario-run.entity';
import type { ScenarioRevisionEntity, ScenarioEntity } from '../definition/scenario.entity';

/** A dialog as its runs see it. `at` is the database's clock: after the lock, where there is one. */
export interface SeenDialog
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

const dialogs = (lock: '' | 'FOR NO KEY UPDATE' | 'FOR NO KEY UPDATE SKIP LOCKED'): string => `
  WITH cur AS MATERIALIZED (
    SELECT id, assistant_id, bot_id, channel, contact, phone, user_id, customer_name, name_override, status_id, opted_out, ai_enabled,
           takeover_until, waiting_message_id, waiting_at, answer_count, replied_at, last_inbound_at
      FROM threads WHERE account_id = :accountId AND id = ANY (:threadIds::uuid[]) ORDER BY id ${lock}),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur)
  SELECT t.id, t.assistant_id, t.bot_id, t.channel, t.contact, t.phone, ${shownName('t')} AS customer_name, t.status_id, t.opted_out, t.at,
         coalesce(t.phone, t.user_id, t.contact) AS recipient, ${takeoverRuns('t', 't.at')} AS takeover, ${takeoverEnd('t')} AS takeover_until,
         ${agentConducts('t', 't.at')} AS by_agent, ${isWaiting('t')} AS waiting,
         ${windowIsOpen('t', 't.at')} AS window_open
    FROM timed t`;

/** Without a lock, for what need not be exact. */
export const LOOK = statement('scenario-dialogs-look')
  .takes('accountId', 'threadIds')
  .returns<SeenDialog>(dialogs(''));

/** The lock first, alone: what is read after it is not older than what any other statement has committed. */
export const LOCK = statement('scenario-dialogs-lock')
  .takes('accountId', 'threadIds')
  .returns<SeenDialog>(dialogs('FOR NO KEY UPDATE'));

/** Those that nobody else has locked. */
export const LOCK_FREE = statement('scenario-dialogs-lock-free')
  .takes('accountId', 'threadIds')
  .returns<SeenDialog>(dialogs('FOR NO KEY UPDATE SKIP LOCKED'));

/** The dialogs that this process still serves. Their rows of the queue stay as they are until the end of the transaction. */
export const LOCK_HELD = statement('scenario-queues-lock').takes('accountId', 'threadIds', 'tokens').returns<
  Pick<ScenarioQueueEntity, 'lease_token'>
>(`
  SELECT q.lease_token FROM scenario_queues q
   WHERE q.account_id = :accountId AND q.thread_id = ANY (:threadIds::uuid[]) AND q.lease_token = ANY (:tokens::uuid[])
   ORDER BY q.thread_id FOR NO KEY UPDATE`);

/** What a dialog's runs see besides its row. */
export interface DialogSurroundings
  extends
    Pick<AccountEntity, 'automation_paused'>,
    Prefixed<'assistant_', Pick<AssistantEntity, 'name'>>,
    OrNull<Prefixed<'status_', Pick<StageEntity, 'name' | 'kind'>>> {}

export const SURROUNDINGS = statement('scenario-dialogs-surroundings').takes('accountId', 'threadIds')
  .returns<DialogSurroundings & Pick<ScenarioQueueEntity, 'thread_id'>>(`
  SELECT t.id AS thread_id, o.automation_paused, a.name AS assistant_name, s.name AS status_name, s.kind AS status_kind
    FROM threads t
    JOIN accounts o ON o.id = t.account_id
    JOIN assistants a ON a.account_id = t.account_id AND a.id = t.assistant_id
    LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = :accountId AND t.id = ANY (:threadIds::uuid[])`);

/** An open run with its scenario's settings, which count as they are now, and its last message. */
export interface OpenRun
  extends
    Pick<
      ScenarioRunEntity,
      | (
          | 'id'
          | 'thread_id'
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
      | ('name' | 'on_leave' | 'on_reply' | 'on_takeover' | 'reentry' | 'cooldown_seconds' | 'send_hours')
      | 'stopped_by'
    >,
    Prefixed<'scenario_', Pick<ScenarioEntity, 'state'>>,
    OrNull<
      Prefixed<
        'message_',
        Pick<MessageEntity, 'status' | 'error_code' | 'error_message' | 'provider_code' | 'due_at'>
      >
    > {
  archived: boolean;
  /** All runs of its scenario that began before an instant were cancelled. */
  all_cancelled: boolean;
  /** Whether the lead has been in the run's stage since the run began. */
  in_stage: boolean;
  /** Whether the customer replied since the run's last message or, before any, since its start. */
  replied: boolean;
}

/**
 * Runs of dialogs by their beginning, and those that one move began by the order of their scenarios.
 * @param which a condition on the run `r`
 */
const runsOfDialogs = (which: string): string => `
  SELECT r.id, r.thread_id, r.scenario_id, r.status_id,
         -- A run takes the steps as they are when it begins.
         CASE WHEN r.state = 'due' THEN c.revision ELSE r.revision END AS revision, r.state, r.reason, r.cause, r.depth, r.by_run, r.at_step, r.progress,
         r.next_at, r.due_since, r.spoke_at, r.last_message_id, r.customer_after, r.detached, r.handed_over, r.started_at,
         c.name, c.on_leave, c.on_reply, c.on_takeover, c.reentry, c.cooldown_seconds, c.send_hours,
         c.state AS scenario_state, c.archived_at IS NOT NULL AS archived, c.stopped_by,
         coalesce(greatest(r.started_at, (r.retried_by ->> 'at')::timestamptz) < c.cancel_before, false) AS all_cancelled,
         coalesce(t.status_id = r.status_id AND t.status_set_at = r.entered_at, false) AND NOT r.detached AS in_stage,
         coalesce(t.replied_at > coalesce(r.spoke_at, r.started_at), false) AS replied,
         m.status AS message_status, m.error_code AS message_error_code, m.error_message AS message_error_message, m.provider_code AS message_provider_code, m.due_at AS message_due_at
    FROM scenario_runs r
    JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
    JOIN scenarios c ON c.account_id = r.account_id AND c.id = r.scenario_id
    -- Each by its key: a planner that knows little of a new account reads all of its messages.
    LEFT JOIN LATERAL (
      SELECT status, error_code, error_message, provider_code, due_at FROM messages
       WHERE account_id = r.account_id AND id = r.last_message_id OFFSET 0) m ON true
   WHERE r.account_id = :accountId AND ${which}
   ORDER BY r.started_at, c."order", c.id, r.id`;

export const OPEN_RUNS = statement('scenario-dialogs-runs')
  .takes('accountId', 'threadIds')
  .returns<OpenRun>(runsOfDialogs('r.thread_id = ANY (:threadIds::uuid[]) AND r.finished_at IS NULL'));

/** Also a run that may have ended. */
export const RUN_AND_OPEN_RUNS = statement('scenario-run-and-open-runs')
  .takes('accountId', 'threadId', 'runId')
  .returns<OpenRun>(runsOfDialogs('r.thread_id = :threadId AND (r.finished_at IS NULL OR r.id = :runId)'));

/** How often a scenario began in a dialog before. */
export interface EarlierRuns extends Pick<ScenarioRunEntity, 'scenario_id'> {
  in_ten_minutes: number;
  in_day: number;
  /** Seconds since its last run began. */
  seconds_ago: number;
}

/**
 * Whether the run `r` counts as one that its scenario has had in its dialog. One that seemed to be of a loop was not
 * begun. One whose move a person undid had no effect: it waits with that, and hears of the undoing within two seconds.
 * Where an attempt was made within these, the run counts.
 */
export const COUNTS = `(r.reason IS DISTINCT FROM 'loop' AND NOT coalesce(
           r.reason = 'left_stage' AND r.finished_at < r.customer_after + interval '2 seconds'
           AND NOT jsonb_path_exists(r.progress, '$[*] ? (@.attempts > 0)'), false))`;

/**
 * Whether a run of a dialog is of a scenario. IS TRUE keeps the planner from the index by scenario, which it prefers
 * while the table's statistics are older than its rows, or know nothing of a new scenario: 500 dialogs then took 3 s
 * beside 4,000 runs of the scenario.
 */
export const isOfScenario = (run: string, id: string): string => `(${run}.scenario_id = ${id}) IS TRUE`;

/** Of runs `r` that began, which are those that meet a condition. */
export const earlierRuns = (began: string): string => `
         count(*) FILTER (WHERE ${began} AND r.started_at > clock_timestamp() - interval '10 minutes')::int AS in_ten_minutes,
         count(*) FILTER (WHERE ${began} AND r.started_at > clock_timestamp() - interval '1 day')::int AS in_day,
         extract(epoch FROM clock_timestamp() - max(r.started_at) FILTER (WHERE ${began}))::float8 AS seconds_ago`;

export const EARLIER = statement('scenario-dialogs-earlier-runs').takes(
  'accountId',
  'threadIds',
  'scenarioIds',
).returns<EarlierRuns & Pick<ScenarioRunEntity, 'thread_id'>>(`
  SELECT d.*, e.*
    FROM (SELECT DISTINCT * FROM unnest(:threadIds::uuid[], :scenarioIds::uuid[]) a (thread_id, scenario_id)) d
    CROSS JOIN LATERAL (
      SELECT ${earlierRuns('true')}
        FROM scenario_runs r
       WHERE r.account_id = :accountId AND r.thread_id = d.thread_id AND ${isOfScenario('r', 'd.scenario_id')}
         AND r.state <> 'due' AND ${COUNTS}
      HAVING count(*) > 0) e`);

export const STEPS = statement('scenario-revision-steps').takes('accountId', 'scenarioId', 'revision')
  .returns<Pick<ScenarioRevisionEntity, 'steps'>>(`
  SELECT steps FROM scenario_revisions
   WHERE account_id = :accountId AND scenario_id = :scenarioId AND revision = :revision`);
