import type { RunState } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { FIND_RUN, LIST_RUNS, type ListedRun, type RunMessage } from './run-list.statements';

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
  constructor(private readonly database: Database) {}

  async find(runId: string): Promise<ListedRun | null> {
    const [run] = await this.database.runFor(OWNER, FIND_RUN, { runId });
    return run ?? null;
  }

  /**
   * Newest first.
   * @param before the id of the run that the page follows; null for the newest
   */
  async list(filter: RunFilter, before: string | null, limit: number): Promise<ListedRun[]> {
    return this.database.runFor(OWNER, LIST_RUNS, { ...filter, before, limit });
  }
}
