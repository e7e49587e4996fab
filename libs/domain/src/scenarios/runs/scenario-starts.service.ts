import { activeTrace } from '@app/contracts/trace-recorder';
import { formatThreadId, threadIdOrNothing, idOrNothing } from '@app/contracts/uuid.format';
import type { EarlierRuns } from '@app/persistence/scenarios/runs/dialog-transaction';
import {
  type StartedScenario,
  type StartFacts,
  ScenarioStartRepository,
  type WouldStart,
} from '@app/persistence/scenarios/runs/scenario-start.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../../accounts/principal.rules';
import { Principals } from '../../accounts/principals.service';
import { Audit } from '../../audit/audit.service';
import { WorkNotifier } from '../../work/work-notifier';
import {
  DialogOfScenarioNotFoundError,
  RunStateError,
  ScenarioNotFoundError,
} from '../definition/scenario.errors';
import { ofScenario } from '../definition/scenario.presenter';
import { endOf, whyNotBegun } from './run.rules';

/** Why a scenario that is started by hand does not begin for a lead. */
export const SKIP_REASONS = [
  'not_in_stage',
  'already_started',
  'opted_out',
  'takeover',
  'once',
  'already_running',
  'cooldown',
  'loop',
] as const;
type SkipReason = (typeof SKIP_REASONS)[number];

/** What a run would be that has not begun yet. */
const NEW_RUN = {
  ...{ id: '', archived: false, all_cancelled: false, in_stage: true, detached: false, handed_over: false },
  ...{ replied: false, depth: 1, state: 'due' },
} as const;

/**
 * Why a run would not begin, or would end before its first step, by the rules that the worker follows; null: it begins.
 * @param ofStage whether the whole stage is started: then each lead has one run while it stays there
 */
export function skipReasonOf(
  scenario: StartedScenario,
  facts: StartFacts,
  ofStage: boolean,
): SkipReason | null {
  if (!facts.in_stage) return 'not_in_stage';
  if (ofStage && facts.has_had) return 'already_started';
  const { id: scenario_id, on_leave, on_reply, on_takeover, reentry, cooldown_seconds } = scenario;
  const run = {
    ...NEW_RUN,
    ...{ scenario_id, on_leave, on_reply, on_takeover, reentry, cooldown_seconds },
  };
  const end = endOf({ run, dialog: facts, later: [] });
  if (end === 'opted_out' || end === 'takeover') return end;
  const others = facts.has_open ? [{ scenario_id, state: 'running' as const }] : [];
  return whyNotBegun({ run, dialog: facts, others, earlier: earlierOf(scenario_id, facts) });
}

function earlierOf(scenario_id: string, facts: StartFacts): EarlierRuns | undefined {
  const { in_ten_minutes, in_day, seconds_ago } = facts;
  return seconds_ago === null ? undefined : { scenario_id, in_ten_minutes, in_day, seconds_ago };
}

/** Leads whose threads one transaction locks. */
const LEADS_AT_ONCE = 500;
/** The worker is notified of so many; its sweep finds the others within a second. */
const NOTIFIED_MAX = 100;

interface StartAnswer {
  /** Runs that begin. */
  started: number;
  /** Of the named dialogs, those for which none begins. */
  skipped: { thread_id: string; reason: SkipReason }[];
  /** How many leads were skipped, by reason; reasons without any are absent. */
  skipped_counts: Partial<Record<SkipReason, number>>;
  would_start: WouldStart;
}

/** What becomes of some of the leads. */
interface Decided {
  /** Where a run begins. */
  begins: string[];
  skipped: { id: string; reason: SkipReason }[];
  /** Where a run is asked for: also one that is a loop, which is stored as failed and asks for a person. */
  threadIds: string[];
}

/** Scenarios that an admin starts for leads that stand in the stage already. */
@Injectable()
export class ScenarioStarts {
  constructor(
    private readonly starts: ScenarioStartRepository,
    private readonly principals: Principals,
    private readonly work: WorkNotifier,
    private readonly audit: Audit,
  ) {}

  /**
   * Decides by the scenario's rules, as after a move, under the locks of the leads' threads.
   * @param threadIds null: all leads of the stage that have had no run of the scenario since they entered it. It starts
   * 500 runs a transaction. After a failure some have begun, and the same call starts the others.
   * @throws ScenarioNotFoundError; RunStateError where the scenario is not on or its account's automation is paused;
   * DialogOfScenarioNotFoundError: then none is started.
   */
  async start(
    by: Principal,
    scenarioId: string,
    threadIds: readonly string[] | null,
    dryRun: boolean,
  ): Promise<StartAnswer> {
    const scenario = requireOn(await this.starts.find(reachOf(by), idOrNothing(scenarioId)));
    const ids = threadIds ? await this.named(scenario, threadIds) : await this.starts.inStage(scenario);
    const all: Omit<Decided, 'threadIds'> = { begins: [], skipped: [] };
    const ofStage = threadIds === null;
    for (let at = 0; at < ids.length; at += LEADS_AT_ONCE) {
      const asked = ids.slice(at, at + LEADS_AT_ONCE);
      if (at > 0 && !dryRun) await this.principals.requireStillActive(by, 'scenario.start');
      const { begins, skipped } = dryRun
        ? decided(scenario, await this.starts.facts(scenario, asked), ofStage)
        : await this.startSome(by, scenario, asked, ofStage);
      all.begins.push(...begins);
      all.skipped.push(...skipped);
    }
    const runs = all.begins.length;
    return {
      started: dryRun ? 0 : runs,
      skipped: threadIds
        ? all.skipped.map(({ id, reason }) => ({ thread_id: formatThreadId(id), reason }))
        : [],
      skipped_counts: countsOf(all.skipped),
      would_start: { runs, messages: runs * scenario.sends },
    };
  }

  private async startSome(
    by: Principal,
    scenario: StartedScenario,
    asked: readonly string[],
    ofStage: boolean,
  ): Promise<Decided> {
    const trace = activeTrace() ?? undefined;
    const cause = { type: 'hand', id: by.id, name: by.name, request_id: by.requestId, trace } as const;
    const describe = ({ begins }: Decided) => ({
      subject: ofScenario(scenario),
      after: { started: begins.length, whole_stage: ofStage },
    });
    const made = await this.audit.act(by, 'scenario.start', describe, (entryOf) =>
      this.starts.start(
        ...([scenario, asked, cause] as const),
        (present, facts) => decided(requireOn(present), facts, ofStage),
        entryOf,
      ),
    );
    for (const id of made.threadIds.slice(0, NOTIFIED_MAX))
      this.work.notify('scenarios', { accountId: scenario.account_id, id });
    return made;
  }

  /** @throws DialogOfScenarioNotFoundError which names all that are wrong */
  private async named(scenario: StartedScenario, threadIds: readonly string[]): Promise<string[]> {
    const ids = threadIds.map(threadIdOrNothing);
    const found = new Set((await this.starts.facts(scenario, [...new Set(ids)])).map(({ id }) => id));
    const wrong = ids.flatMap((id, index) => (found.has(id) ? [] : [`thread_ids[${index}]`]));
    if (wrong.length > 0) throw new DialogOfScenarioNotFoundError(wrong);
    return [...new Set(ids)];
  }
}

function decided(scenario: StartedScenario, facts: readonly StartFacts[], ofStage: boolean): Decided {
  const of = facts.map((each) => ({ id: each.id, reason: skipReasonOf(scenario, each, ofStage) }));
  return {
    begins: of.flatMap(({ id, reason }) => (reason === null ? [id] : [])),
    skipped: of.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }])),
    threadIds: of.flatMap(({ id, reason }) => (reason === null || reason === 'loop' ? [id] : [])),
  };
}

const countsOf = (skipped: Decided['skipped']): StartAnswer['skipped_counts'] =>
  Object.fromEntries(
    Object.entries(Object.groupBy(skipped, ({ reason }) => reason)).map(([reason, of]) => [
      reason,
      of.length,
    ]),
  );

/** @throws ScenarioNotFoundError, RunStateError */
function requireOn(scenario: StartedScenario | null): StartedScenario {
  if (!scenario) throw new ScenarioNotFoundError();
  const { state, automation_paused: isPaused } = scenario;
  if (state !== 'on') throw new RunStateError(`The scenario is ${state}: it starts nothing before it is on.`);
  if (isPaused)
    throw new RunStateError('The automation of the account is paused: nothing starts before it goes on.');
  return scenario;
}
