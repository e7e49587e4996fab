import { SCENARIO_LIMITS } from '@app/contracts/scenario.words';
import {
  SCENARIO_ORDER_MAX,
  type NewScenario,
} from '@app/persistence/scenarios/definition/scenario.repository';

/** The defaults of a new scenario. */
export const SCENARIO_DEFAULTS: Readonly<Omit<NewScenario, 'name'>> = {
  state: 'on',
  order: null,
  on_leave: 'cancel',
  on_reply: 'continue',
  on_takeover: 'wait',
  reentry: 'restart',
  cooldown_seconds: 0,
  send_hours: null,
};

/** Longest name, in characters. */
export const SCENARIO_NAME_LONGEST = 200;
/** Least and most of its position. */
export const SCENARIO_ORDER: [least: number, most: number] = [0, SCENARIO_ORDER_MAX];
/** Runs are what says when a scenario last began, so it cannot exceed the time for which they are kept. */
export const COOLDOWN_SECONDS_MAX = SCENARIO_LIMITS.runsKeptDays * 86_400;
