import { formatThreadId, threadIdOrNothing } from '@app/contracts/thread-id.format';
import { idOrNothing } from '@app/contracts/uuid.format';
import {
  ScenarioStartRepository,
  type StartedScenario,
  type WouldStart,
} from '@app/persistence/scenarios/scenario-start.repository';
import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../accounts/api-keys.service';
import { requireScope, type Principal } from '../accounts/principal.rules';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { WorkNotifier } from '../work/work.notifier';
import { RunStateError, ScenarioNotFoundError } from './scenario.errors';

/** Leads whose threads one statement locks. */
const LEADS_AT_ONCE = 500;
/** The worker is notified of so many; its sweep finds the others within a second. */
const NOTIFIED_MAX = 100;

export interface StartAnswer {
  /** Runs that were asked for. */
  started: number;
  /** Of the named dialogs, those that are not in the stage. */
  skipped: { thread_id: string; reason: 'not_in_stage' }[];
  would_start: WouldStart;
}

/** Scenarios that an admin starts for leads that stand in the stage already. */
@Injectable()
export class ScenarioStarts {
  constructor(
    private readonly starts: ScenarioStartRepository,
    private readonly keys: ApiKeysService,
    private readonly work: WorkNotifier,
  ) {}

  /**
   * Asks for runs: whether each begins is decided by the scenario's rules, as after a move.
   * @param threadIds null: all leads of the stage that have had no run of the scenario since they entered it. It asks
   * for 500 runs a transaction. After a failure some have been asked for, and the same call asks for the others.
   * @throws ScenarioNotFoundError; RunStateError where the scenario is not on or its account's automation is paused;
   * ThreadNotFoundError where a dialog is not one of the scenario's agent: then none is asked for.
   */
  async start(
    by: Principal,
    scenarioId: string,
    threadIds: readonly string[] | null,
    dryRun: boolean,
  ): Promise<StartAnswer> {
    requireScope(by, ['admin']);
    const scenario = await this.require(scenarioId);
    const { ids, skipped } = threadIds
      ? await this.named(scenario, threadIds)
      : { ids: await this.starts.inStage(scenario), skipped: [] };
    const would = { runs: ids.length, messages: ids.length * scenario.sends };
    if (dryRun) return { started: 0, skipped, would_start: would };
    let started = 0;
    for (let at = 0; at < ids.length; at += LEADS_AT_ONCE) {
      if (at > 0) await this.keys.requireStillActive(by);
      const asked = ids.slice(at, at + LEADS_AT_ONCE);
      const begun = new Set(
        await this.starts.start(scenario, asked, { type: 'hand', id: by.keyId, name: by.keyName }),
      );
      for (const id of [...begun].slice(0, Math.max(0, NOTIFIED_MAX - started)))
        this.work.notify('scenarios', { accountId: scenario.account_id, id });
      started += begun.size;
      if (threadIds) skipped.push(...asked.filter((id) => !begun.has(id)).map(notInStage));
    }
    return { started, skipped, would_start: would };
  }

  private async named(scenario: StartedScenario, threadIds: readonly string[]) {
    const wanted = [...new Set(threadIds.map(threadIdOrNothing))];
    const found = await this.starts.standing(scenario, wanted);
    if (found.length < wanted.length) throw new ThreadNotFoundError();
    const { in: inside = [], out = [] } = Object.groupBy(found, ({ status_id }) =>
      status_id === scenario.status_id ? 'in' : 'out',
    );
    return { ids: inside.map(({ id }) => id), skipped: out.map(({ id }) => notInStage(id)) };
  }

  private async require(scenarioId: string): Promise<StartedScenario> {
    const scenario = await this.starts.find(idOrNothing(scenarioId));
    if (!scenario) throw new ScenarioNotFoundError();
    if (scenario.state !== 'on')
      throw new RunStateError(`The scenario is ${scenario.state}: it starts nothing before it is on.`);
    if (scenario.automation_paused)
      throw new RunStateError('The automation of the account is paused: nothing starts before it goes on.');
    return scenario;
  }
}

const notInStage = (id: string): StartAnswer['skipped'][number] => ({
  thread_id: formatThreadId(id),
  reason: 'not_in_stage',
});
