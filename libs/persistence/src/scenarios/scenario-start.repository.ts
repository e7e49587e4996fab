import type { RunCause } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import type { AccountEntity } from '../accounts/account.entity';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statement';
import type { ThreadEntity } from '../threads/thread.entity';
import { queueRuns, uuidV7 } from '../threads/run.fragments';
import type { ScenarioEntity } from './scenario.entity';

/** What would begin, at most. */
export interface WouldStart {
  runs: number;
  messages: number;
}

/** How many steps of a revision `v` write to the customer. */
const SENDS = `(SELECT count(*) FROM jsonb_array_elements(v.steps) e WHERE e ->> 'kind' IN ('send_template', 'send_text'))`;

/** A scenario that an admin starts. */
export interface StartedScenario
  extends
    Pick<ScenarioEntity, 'account_id' | 'id' | 'assistant_id' | 'status_id' | 'state'>,
    Pick<AccountEntity, 'automation_paused'> {
  /** How many of its steps write to the customer. */
  sends: number;
}

const FIND = statement('scenario-start-find').takes('scenarioId').returns<StartedScenario>(`
  SELECT c.account_id, c.id, c.assistant_id, c.status_id, c.state, o.automation_paused, ${SENDS}::int AS sends
    FROM accounts o
    JOIN scenarios c ON c.account_id = o.id AND c.id = :scenarioId AND c.archived_at IS NULL
    JOIN scenario_revisions v ON v.account_id = c.account_id AND v.scenario_id = c.id AND v.revision = c.revision`);

const WOULD_START = statement('scenario-would-start').takes('accountId', 'statusIds').returns<WouldStart>(`
  SELECT count(*)::int AS runs, coalesce(sum(${SENDS}), 0)::int AS messages
    FROM unnest(:statusIds::uuid[]) q (id)
    JOIN accounts o ON o.id = :accountId AND NOT o.automation_paused
    JOIN scenarios c ON c.account_id = o.id AND c.status_id = q.id AND c.state = 'on' AND c.archived_at IS NULL
    JOIN scenario_revisions v ON v.account_id = c.account_id AND v.scenario_id = c.id AND v.revision = c.revision`);

const STANDING = statement('scenario-start-threads').takes('accountId', 'assistantId', 'threadIds').returns<
  Pick<ThreadEntity, 'id' | 'status_id'>
>(`
  SELECT id, status_id FROM threads
   WHERE account_id = :accountId AND id = ANY (:threadIds::uuid[]) AND assistant_id = :assistantId`);

/** Those that have had a run of the scenario since they entered the stage are not asked twice. */
const IN_STAGE = statement('scenario-start-stage').takes('accountId', 'assistantId', 'statusId', 'scenarioId')
  .returns<Pick<ThreadEntity, 'id'>>(`
  SELECT t.id FROM threads t
   WHERE t.account_id = :accountId AND t.assistant_id = :assistantId AND t.status_id = :statusId AND NOT EXISTS (
     SELECT 1 FROM scenario_runs r
      WHERE r.account_id = t.account_id AND r.thread_id = t.id AND r.scenario_id = :scenarioId
        AND r.entered_at = t.status_set_at)
   ORDER BY t.id`);

/** Due runs, as a move's: the worker decides whether each begins. Threads are locked in the order of their ids. */
const START = statement('scenario-start').takes('accountId', 'scenarioId', 'threadIds', 'cause').returns<
  Pick<ThreadEntity, 'id'>
>(`
  WITH scenario AS MATERIALIZED (
    SELECT c.id, c.status_id, c.revision FROM scenarios c JOIN accounts o ON o.id = c.account_id AND NOT o.automation_paused
     WHERE c.account_id = :accountId AND c.id = :scenarioId AND c.state = 'on' AND c.archived_at IS NULL),
  cur AS MATERIALIZED (
    SELECT account_id, id, status_set_at FROM threads
     WHERE account_id = :accountId AND id = ANY (:threadIds::uuid[]) AND status_id = (SELECT status_id FROM scenario)
     ORDER BY id FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  runs AS (
    INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, cause, next_at,
                               due_since, started_at)
    SELECT m.account_id, ${uuidV7('m.at')}, s.id, m.id, s.status_id, m.status_set_at, s.revision, :cause::jsonb, m.at, m.at, m.at
      FROM timed m CROSS JOIN scenario s
    RETURNING thread_id),
  told AS (
    UPDATE threads t SET has_runs = true
      FROM timed m WHERE t.account_id = :accountId AND t.id = m.id AND NOT t.has_runs),
  queued AS (${queueRuns('SELECT account_id, id, at FROM timed')})
  SELECT thread_id AS id FROM runs`);

/** Scenarios that begin for leads that stand in their stage, and what would begin. */
@Injectable()
export class ScenarioStartRepository {
  constructor(private readonly database: Database) {}

  /** @returns null for one that does not exist, or is archived. */
  async find(scenarioId: string): Promise<StartedScenario | null> {
    const [scenario] = await this.database.runFor('lists of runs', FIND, { scenarioId });
    return scenario ?? null;
  }

  /**
   * What leads that enter these stages would start, at most.
   * @param statusIds a stage for each entry
   */
  async wouldStart(accountId: string, statusIds: readonly string[]): Promise<WouldStart> {
    const [would] = await this.database.runFor(accountId, WOULD_START, { accountId, statusIds });
    return would ?? { runs: 0, messages: 0 };
  }

  /** Which of these threads are of the scenario's agent, with their stages. */
  async standing(
    { account_id: accountId, assistant_id: assistantId }: StartedScenario,
    threadIds: readonly string[],
  ): Promise<Pick<ThreadEntity, 'id' | 'status_id'>[]> {
    return this.database.runFor(accountId, STANDING, { accountId, assistantId, threadIds });
  }

  /** All leads of the stage that have had no run of the scenario since they entered it. */
  async inStage(scenario: StartedScenario): Promise<string[]> {
    const {
      account_id: accountId,
      assistant_id: assistantId,
      status_id: statusId,
      id: scenarioId,
    } = scenario;
    const values = { accountId, assistantId, statusId, scenarioId };
    return (await this.database.runFor(accountId, IN_STAGE, values)).map(({ id }) => id);
  }

  /**
   * Asks for a run in each of these threads that stands in the stage, all or none.
   * @returns the threads; none where the scenario is not on any more
   */
  async start(
    { account_id: accountId, id: scenarioId }: StartedScenario,
    threadIds: readonly string[],
    cause: RunCause,
  ): Promise<string[]> {
    const values = { accountId, scenarioId, threadIds, cause: JSON.stringify(cause) };
    return (await this.database.runFor(accountId, START, values)).map(({ id }) => id);
  }
}
