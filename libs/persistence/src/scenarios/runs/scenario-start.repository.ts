import { SENDING_STEP_KINDS, type KeptCause } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import type { AccountEntity } from '../../accounts/account.entity';
import type { OrNull } from '../../database/row-types';
import { withinReach, reachValues, type Reach } from '../../accounts/reach-scope';
import { statement } from '../../database/sql.statements';
import type { ThreadEntity } from '../../threads/thread.entity';
import { takeoverRuns } from '../../threads/thread.rules';
import { queueRuns, uuidV7 } from '../../threads/run.statements';
import type { ScenarioEntity } from '../definition/scenario.entity';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Database } from '../../database/database.service';
import { COUNTS, earlierRuns, isOfScenario, type EarlierRuns } from './dialog-runs.statements';

/** What would begin, at most. */
export interface WouldStart {
  runs: number;
  messages: number;
}

/** How many steps of a revision `v` write to the customer. */
const SENDS = `(SELECT count(*) FROM jsonb_array_elements(v.steps) e WHERE e ->> 'kind' IN (${SENDING_STEP_KINDS.map((kind) => `'${kind}'`).join(', ')}))`;

/** A scenario that an admin starts. */
export interface StartedScenario
  extends
    Pick<
      ScenarioEntity,
      | ('account_id' | 'id' | 'name' | 'assistant_id' | 'status_id' | 'state')
      | ('on_leave' | 'on_reply' | 'on_takeover' | 'reentry' | 'cooldown_seconds')
    >,
    Pick<AccountEntity, 'automation_paused'> {
  /** How many of its steps write to the customer. */
  sends: number;
}

/** @param which a condition on the scenario `c` */
const started = (which: string): string => `
  SELECT c.account_id, c.id, c.name, c.assistant_id, c.status_id, c.state, c.on_leave, c.on_reply, c.on_takeover, c.reentry,
         c.cooldown_seconds, o.automation_paused, ${SENDS}::int AS sends
    FROM accounts o
    JOIN scenarios c ON c.account_id = o.id AND c.archived_at IS NULL AND ${which}
    JOIN scenario_revisions v ON v.account_id = c.account_id AND v.scenario_id = c.id AND v.revision = c.revision`;

const FIND = statement('scenario-start-find')
  .takes('scenarioId', 'reachAccount', 'reachAssistants')
  .returns<StartedScenario>(started(`c.id = :scenarioId AND ${withinReach('c')}`));

/** Those that a lead starts which enters one of these stages now. */
const OF_STAGES = statement('scenario-start-of-stages')
  .takes('accountId', 'statusIds')
  .returns<StartedScenario>(
    started(
      `o.id = :accountId AND NOT o.automation_paused AND c.status_id = ANY (:statusIds::uuid[]) AND c.state = 'on'`,
    ),
  );

/** The leads of a stage. */
const IN_STAGE = statement('scenario-start-stage').takes('accountId', 'assistantId', 'statusId').returns<
  Pick<ThreadEntity, 'id'>
>(`
  SELECT id FROM threads WHERE account_id = :accountId AND assistant_id = :assistantId AND status_id = :statusId
   ORDER BY id`);

/**
 * The scenario's lock first: a pause that is answered has been seen by whoever starts it after that, and one that is not
 * waits until the runs are there, which it holds.
 */
const LOCK_SCENARIO = statement('scenario-start-lock').takes('accountId', 'scenarioId').returns<
  Pick<ScenarioEntity, 'id'>
>(`
  SELECT id FROM scenarios WHERE account_id = :accountId AND id = :scenarioId FOR SHARE`);

/** Then those of the threads, in the order of their ids: a run of any other statement is there, or not asked for yet. */
const LOCK_THREADS = statement('scenario-start-lock-threads').takes('accountId', 'threadIds').returns<
  Pick<ThreadEntity, 'id'>
>(`
  SELECT id FROM threads WHERE account_id = :accountId AND id = ANY (:threadIds::uuid[]) ORDER BY id FOR NO KEY UPDATE`);

/** A dialog for which a scenario is to begin. Runs that are asked for count as begun. */
export interface StartFacts
  extends
    Pick<ThreadEntity, 'id' | 'opted_out'>,
    Pick<EarlierRuns, 'in_ten_minutes' | 'in_day'>,
    OrNull<Pick<EarlierRuns, 'seconds_ago'>> {
  /** Whether its lead stands in the scenario's stage. */
  in_stage: boolean;
  takeover: boolean;
  /** Whether a run of the scenario has not ended. */
  has_open: boolean;
  /** Whether the scenario has had a run since the lead entered the stage. */
  has_had: boolean;
}

/** Dialogs of the scenario's agent in the order in which they are named; others are missing. */
const FACTS = statement('scenario-start-facts').takes('accountId', 'scenarioId', 'threadIds')
  .returns<StartFacts>(`
  SELECT t.id, coalesce(t.status_id = c.status_id, false) AS in_stage, t.opted_out,
         ${takeoverRuns('t', 'clock_timestamp()')} AS takeover,
         e.in_ten_minutes, e.in_day, e.seconds_ago, e.has_open, e.has_had
    FROM threads t
    JOIN scenarios c ON c.account_id = t.account_id AND c.id = :scenarioId AND c.assistant_id = t.assistant_id
    CROSS JOIN LATERAL (
      SELECT ${earlierRuns(COUNTS)},
             coalesce(bool_or(r.finished_at IS NULL), false) AS has_open,
             coalesce(bool_or(r.entered_at = t.status_set_at), false) AS has_had
        FROM scenario_runs r
       WHERE r.account_id = t.account_id AND r.thread_id = t.id AND ${isOfScenario('r', 'c.id')}) e
   WHERE t.account_id = :accountId AND t.id = ANY (:threadIds::uuid[])
   ORDER BY array_position(:threadIds::uuid[], t.id)`);

/** Due runs, as a move's, in threads that are locked. */
const START = statement('scenario-start').takes('accountId', 'scenarioId', 'threadIds', 'cause').returns<
  Pick<ThreadEntity, 'id'>
>(`
  WITH timed AS MATERIALIZED (
    SELECT t.account_id, t.id, t.status_set_at, c.id AS scenario_id, c.status_id, c.revision, clock_timestamp() AS at
      FROM threads t JOIN scenarios c ON c.account_id = t.account_id AND c.id = :scenarioId
     WHERE t.account_id = :accountId AND t.id = ANY (:threadIds::uuid[])),
  runs AS (
    INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, cause, next_at,
                               due_since, started_at)
    SELECT m.account_id, ${uuidV7('m.at')}, m.scenario_id, m.id, m.status_id, m.status_set_at, m.revision, :cause::jsonb,
           m.at, m.at, m.at
      FROM timed m
    RETURNING thread_id),
  marked AS (
    UPDATE threads t SET has_runs = true
      FROM timed m WHERE t.account_id = :accountId AND t.id = m.id AND NOT t.has_runs),
  queued AS (${queueRuns('SELECT account_id, id, at FROM timed')})
  SELECT thread_id AS id FROM runs`);

/** Scenarios that begin for leads that stand in their stage, and what would begin. */
@Injectable()
export class ScenarioStartRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** @returns null for one that does not exist, or is archived. */
  async find(reach: Reach, scenarioId: string): Promise<StartedScenario | null> {
    const [scenario] = await this.database.runFor('lists of runs', FIND, {
      scenarioId,
      ...reachValues(reach),
    });
    return scenario ?? null;
  }

  /** The scenarios that a lead starts which enters one of these stages now. */
  async ofStages(accountId: string, statusIds: readonly string[]): Promise<StartedScenario[]> {
    return this.database.runFor(accountId, OF_STAGES, { accountId, statusIds });
  }

  /** The leads of the scenario's stage. */
  async inStage(scenario: StartedScenario): Promise<string[]> {
    const { account_id: accountId, assistant_id: assistantId, status_id: statusId } = scenario;
    const rows = await this.database.runFor(accountId, IN_STAGE, { accountId, assistantId, statusId });
    return rows.map(({ id }) => id);
  }

  /** Those of these threads that are of the scenario's agent. */
  async facts(
    { account_id: accountId, id: scenarioId }: StartedScenario,
    threadIds: readonly string[],
  ): Promise<StartFacts[]> {
    return this.database.runFor(accountId, FACTS, { accountId, scenarioId, threadIds });
  }

  /**
   * Asks for runs, all or none.
   * @param decide in which of the threads, with the scenario as it is now, null for one that was archived. It may throw,
   * and then nothing is started; it may be called again after a deadlock.
   * @returns what it decided, once it is stored
   */
  async start<Decided extends { threadIds: readonly string[] }>(
    { account_id: accountId, id: scenarioId }: StartedScenario,
    threadIds: readonly string[],
    cause: KeptCause,
    decide: (scenario: StartedScenario | null, facts: readonly StartFacts[]) => Decided,
    entryOf: AuditEntryOf<Decided>,
  ): Promise<Decided> {
    return this.database.transactFor(accountId, async (tx) => {
      await tx.run(LOCK_SCENARIO, { accountId, scenarioId });
      const [scenario] = await tx.run(FIND, { scenarioId, reachAccount: accountId, reachAssistants: null });
      await tx.run(LOCK_THREADS, { accountId, threadIds });
      const facts = await tx.run(FACTS, { accountId, scenarioId, threadIds });
      const decided = decide(scenario ?? null, facts);
      if (decided.threadIds.length > 0) {
        const values = { accountId, scenarioId, threadIds: decided.threadIds, cause: JSON.stringify(cause) };
        await tx.run(START, values);
        await this.audit.append(tx, entryOf(decided));
      }
      return decided;
    });
  }
}
