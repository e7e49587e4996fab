import { SCENARIO_LIMITS, type RunState } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import type { AccountEntity } from '../../accounts/account.entity';
import type { Prefixed } from '../../database/row-types';
import { withinReach, reachValues, type Reach } from '../../accounts/reach-scope';
import { statement, purgeOf } from '../../database/sql.statements';
import { shownState } from '../../threads/run.statements';
import type { MessageEntity } from '../../messages/dialog/message.entity';
import type { ScenarioRevisionEntity, ScenarioEntity } from '../definition/scenario.entity';
import { Database, WorkDatabase } from '../../database/database.service';
import type { ScenarioRunEntity } from './scenario-run.entity';

/** A message of a run, as it is now. */
export type RunMessage = Pick<
  MessageEntity,
  'id' | 'status' | 'error_code' | 'error_message' | 'provider_code'
>;

/** A run with its scenario's name, its own steps, and its messages as they are now. */
export interface ListedRun
  extends
    Pick<
      ScenarioRunEntity,
      | ('account_id' | 'id' | 'scenario_id' | 'thread_id' | 'status_id' | 'revision' | 'state' | 'reason')
      | ('cause' | 'depth' | 'at_step' | 'progress' | 'next_at' | 'retried_by' | 'started_at' | 'finished_at')
    >,
    Pick<ScenarioRevisionEntity, 'steps'>,
    Pick<AccountEntity, 'automation_paused'>,
    Prefixed<'scenario_', Pick<ScenarioEntity, 'name' | 'state'>> {
  messages: RunMessage[];
}

/** The messages `m` of the run `r`, one of each step: that of its last try. */
const MESSAGES_OF_R = `jsonb_array_elements(r.progress) p
            JOIN messages m ON m.account_id = r.account_id AND m.id = (p ->> 'message_id')::uuid`;

export const MESSAGES_OF_RUN = statement('scenario-run-messages').takes('accountId', 'runId')
  .returns<RunMessage>(`
  SELECT m.id, m.status, m.error_code, m.error_message, m.provider_code
    FROM scenario_runs r CROSS JOIN ${MESSAGES_OF_R}
   WHERE r.account_id = :accountId AND r.id = :runId`);

const SHOWN = `
  SELECT r.account_id, r.id, r.scenario_id, r.thread_id, r.status_id, r.revision, r.state, r.reason, r.cause, r.depth,
         r.at_step, r.progress, r.next_at, r.retried_by, r.started_at, r.finished_at, coalesce(v.steps, '[]') AS steps, o.automation_paused,
         c.name AS scenario_name, c.state AS scenario_state,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'status', m.status, 'error_code', m.error_code,
                                                       'error_message', m.error_message, 'provider_code', m.provider_code)), '[]')
            FROM ${MESSAGES_OF_R}) AS messages`;

const OF_SCENARIO = `
    JOIN scenarios c ON c.account_id = r.account_id AND c.id = r.scenario_id
    LEFT JOIN scenario_revisions v
      ON v.account_id = r.account_id AND v.scenario_id = r.scenario_id AND v.revision = r.revision`;

/** Account by account along the primary key: an admin names a run by its id alone. */
const FIND_RUN = statement('scenario-run-find').takes('runId', 'reachAccount', 'reachAssistants')
  .returns<ListedRun>(`
  ${SHOWN}
    FROM accounts o
    JOIN LATERAL (SELECT * FROM scenario_runs h WHERE h.account_id = o.id AND h.id = :runId AND h.state <> 'due') r ON true
    ${OF_SCENARIO}
   WHERE ${withinReach('c')}`);

/**
 * Newest first, in the order of the ids, which never change. Each account is read along an index, so that reading ends
 * with the page. Which index depends on the filter: a plan for any filter reads all runs. `state` is one that people
 * see, or null.
 */
const LIST_RUNS = statement('scenario-run-list').takes(
  'scenarioId',
  'threadId',
  'state',
  'before',
  'limit',
  'reachAccount',
  'reachAssistants',
).returns<ListedRun>(`
  ${SHOWN}
    FROM accounts o
    CROSS JOIN LATERAL (
      SELECT h.* FROM scenario_runs h
       WHERE h.account_id = o.id AND h.state <> 'due'
         AND h.id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         AND (:scenarioId::uuid IS NULL OR h.scenario_id = :scenarioId)
         AND (:threadId::uuid IS NULL OR h.thread_id = :threadId)
         AND (:state::text IS NULL OR ${shownState('h', 'o.automation_paused')} = :state)
         AND (:reachAssistants::uuid[] IS NULL OR EXISTS (
           SELECT FROM scenarios own WHERE own.account_id = h.account_id AND own.id = h.scenario_id
              AND own.assistant_id = ANY (:reachAssistants::uuid[])))
       ORDER BY h.id DESC LIMIT :limit) r
    ${OF_SCENARIO}
   WHERE :reachAccount::uuid IS NULL OR o.id = :reachAccount
   ORDER BY r.id DESC LIMIT :limit`);

/** How many runs of all accounts are open, by the state that people see. Dialogs with open runs are in the queue. */
const COUNT_OPEN_RUNS = statement('scenario-runs-open').returns<{ shown: string; runs: number }>(`
  SELECT ${shownState('r', 'o.automation_paused')} AS shown, count(*)::int AS runs
    FROM scenario_queues q
    JOIN accounts o ON o.id = q.account_id
    JOIN scenario_runs r ON r.account_id = q.account_id AND r.thread_id = q.thread_id
   WHERE r.finished_at IS NULL AND r.state <> 'due'
   GROUP BY 1`);

/**
 * Runs are kept for 180 days after their end. Those of a scenario that is carried out once in a dialog are kept as long
 * as it is not archived: without them it would be carried out once more.
 */
const PURGE_RUNS = statement('scenario-runs-purge')
  .takes('limit')
  .returns(
    purgeOf('scenario_runs', {
      where: `o.finished_at < now() - interval '${SCENARIO_LIMITS.runsKeptDays} days' AND NOT EXISTS (
       SELECT 1 FROM scenarios c WHERE c.account_id = o.account_id AND c.id = o.scenario_id
          AND c.reentry = 'once' AND c.archived_at IS NULL)`,
      by: 'finished_at',
    }),
  );

/** Which runs to list. Null matches any. */
export interface RunFilter {
  scenarioId: string | null;
  threadId: string | null;
  state: RunState | null;
}

const OWNER = 'lists of runs';

/** Runs of all accounts, for admins. Those that a move has only asked for are hidden. */
@Injectable()
export class RunListRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  async find(reach: Reach, runId: string): Promise<ListedRun | null> {
    const [run] = await this.database.runFor(OWNER, FIND_RUN, { runId, ...reachValues(reach) });
    return run ?? null;
  }

  /**
   * Newest first.
   * @param before the id of the run that the page follows; null for the newest
   */
  async list(reach: Reach, filter: RunFilter, before: string | null, limit: number): Promise<ListedRun[]> {
    return this.database.runPlanned(OWNER, LIST_RUNS, { ...filter, before, limit, ...reachValues(reach) });
  }

  /** How many are open, by the state that people see. */
  async countOpen(): Promise<{ shown: string; runs: number }[]> {
    return this.work.run(COUNT_OPEN_RUNS);
  }

  /** Deletes runs that ended long ago, up to a number. @returns how many were deleted. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE_RUNS, { limit })).length;
  }
}
