import type { States } from '../database/state.fragments';

/** The states of a scenario's run, each with those that may follow it. A move inserts a run as `due`; nothing takes it up yet. */
export const SCENARIO_RUN_STATES = {
  /** It is to start. */
  due: ['done'],
  /** It is over. */
  done: [],
} as const satisfies States;

export type ScenarioRunState = keyof typeof SCENARIO_RUN_STATES;
