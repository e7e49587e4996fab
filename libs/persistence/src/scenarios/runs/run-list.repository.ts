import type { RunState } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { reachValues, type Reach } from '../../accounts/reach-scope';
import { Database, WorkDatabase } from '../../database/database.service';
import {
  COUNT_OPEN_RUNS,
  FIND_RUN,
  LIST_RUNS,
  PURGE_RUNS,
  type ListedRun,
  type RunMessage,
} from './run-list.statements';

export type { ListedRun, RunMessage };

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
