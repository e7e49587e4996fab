import type { RunState } from '@app/contracts/scenario.words';
import { threadIdOrNothing, idOrNothing } from '@app/contracts/uuid.format';
import { RunListRepository } from '@app/persistence/scenarios/runs/run-list.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../../accounts/principal.rules';
import { presentRun, type ShownRun } from './run.presenter';
import { RunNotFoundError } from '../definition/scenario.errors';

/** Which runs to list. Null matches any; an id of another form matches none. */
export interface RunQuery {
  scenarioId: string | null;
  threadId: string | null;
  state: RunState | null;
}

/** Runs of scenarios, for admins to read. */
@Injectable()
export class RunLists {
  constructor(private readonly runs: RunListRepository) {}

  /**
   * Newest first.
   * @param before the id of the run that the page follows
   */
  async list(
    by: Principal,
    { scenarioId, threadId, state }: RunQuery,
    before: string | null,
    limit: number,
  ): Promise<ShownRun[]> {
    const reach = reachOf(by);
    const filter = {
      scenarioId: scenarioId && idOrNothing(scenarioId),
      threadId: threadId && threadIdOrNothing(threadId),
      state,
    };
    return (await this.runs.list(reach, filter, before, limit)).map(presentRun);
  }

  /** @throws RunNotFoundError */
  async get(by: Principal, id: string): Promise<ShownRun> {
    const run = await this.runs.find(reachOf(by), idOrNothing(id));
    if (!run) throw new RunNotFoundError();
    return presentRun(run);
  }

  /** How many runs of all accounts are open, by state; none while the database is away. */
  async countOpen(): Promise<{ shown: string; runs: number }[]> {
    return this.runs.countOpen().catch(() => []);
  }
}
