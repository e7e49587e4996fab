import type { StartedScenario, StartFacts } from '@app/persistence/scenarios/runs/scenario-start.repository';
import type { EarlierRuns } from '@app/persistence/scenarios/runs/dialog-transaction';
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
export type SkipReason = (typeof SKIP_REASONS)[number];

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
