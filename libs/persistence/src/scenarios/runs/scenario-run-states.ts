import type { States } from '../../database/state.statements';

/**
 * The states of a scenario's run, each with those that may follow it. People see a `due` run only once it has begun,
 * and an open run as `paused` while its scenario or its account's automation is paused.
 */
export const SCENARIO_RUN_STATES = {
  /** A move has asked for it. Whether it begins is decided by the scenario's rules for entering again. */
  due: ['running', 'waiting', 'done', 'failed', 'cancelled'],
  /** A step is under way, or next. */
  running: ['waiting', 'done', 'failed', 'cancelled'],
  /** For a time, a reply, the end of a takeover, or the hours in which it may write. */
  waiting: ['running', 'done', 'failed', 'cancelled'],
  done: [],
  /** By a step, or as a loop. A person may have it go on. */
  failed: ['running'],
  cancelled: ['running'],
} as const satisfies States;

export type ScenarioRunState = keyof typeof SCENARIO_RUN_STATES;
