import { SCENARIO_LIMITS, type RunReason } from '@app/contracts/scenario.words';
import type { Dialog, EarlierRuns, OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';

/** What ends a run: itself, its dialog, and the open runs there that were asked for after it. */
export interface RunSituation {
  run: Pick<
    OpenRun,
    | (
        | 'id'
        | 'scenario_id'
        | 'archived'
        | 'all_cancelled'
        | 'in_stage'
        | 'detached'
        | 'handed_over'
        | 'replied'
      )
    | ('on_leave' | 'on_takeover' | 'on_reply')
  >;
  dialog: Pick<Dialog, 'opted_out' | 'takeover'>;
  later: readonly Pick<OpenRun, 'scenario_id' | 'state' | 'by_run'>[];
}

/** A later run of the same scenario, which this one did not bring about by moving the lead itself. */
const isFollowed = ({ run, later }: RunSituation): boolean =>
  later.some(
    (other) => other.scenario_id === run.scenario_id && other.state !== 'due' && other.by_run !== run.id,
  );

/**
 * What ends a run before its next effect: the first that applies. A run that moved its lead itself has no stage to
 * leave any more, and one that handed its dialog over is not ended by that takeover.
 */
export const RUN_ENDS: readonly { reason: RunReason; applies: (at: RunSituation) => boolean }[] = [
  { reason: 'archived', applies: ({ run }) => run.archived },
  { reason: 'person', applies: ({ run }) => run.all_cancelled },
  { reason: 'opted_out', applies: ({ dialog }) => dialog.opted_out },
  {
    reason: 'left_stage',
    applies: ({ run }) => run.on_leave === 'cancel' && !run.in_stage && !run.detached,
  },
  { reason: 'restarted', applies: isFollowed },
  {
    reason: 'takeover',
    applies: ({ run, dialog }) => run.on_takeover === 'cancel' && dialog.takeover && !run.handed_over,
  },
  { reason: 'replied', applies: ({ run }) => run.on_reply === 'cancel' && run.replied },
];

export const endOf = (at: RunSituation): RunReason | null =>
  RUN_ENDS.find(({ applies }) => applies(at))?.reason ?? null;

/** Whether a run makes no step for now, because its scenario or all of its account's automation is paused. */
export const isHeld = ({
  run,
  dialog,
}: {
  run: Pick<OpenRun, 'scenario_state'>;
  dialog: Pick<Dialog, 'automation_paused'>;
}): boolean => run.scenario_state === 'paused' || dialog.automation_paused;

/** What becomes of a run that a move asked for: it begins; it never began; or it would be a loop. */
export type Beginning = 'begins' | 'skipped' | 'loop';

/** Why it did not begin. */
export const NOT_BEGUN = ['once', 'already_running', 'cooldown', 'loop'] as const;
export type NotBegun = (typeof NOT_BEGUN)[number];

export interface AskedRun {
  run: Pick<OpenRun, 'scenario_id' | 'reentry' | 'cooldown_seconds' | 'depth'>;
  dialog: RunSituation['dialog'];
  /** The other open runs of the dialog. */
  others: readonly Pick<OpenRun, 'scenario_id' | 'state'>[];
  /** Of its scenario in its dialog; undefined: it never ran there. */
  earlier: EarlierRuns | undefined;
}

/** The first that applies decides; else it begins. */
export const RUN_BEGINNINGS: readonly {
  becomes: Exclude<Beginning, 'begins'>;
  because: NotBegun;
  applies: (at: AskedRun) => boolean;
}[] = [
  // A scenario that was paused, switched off or archived since the move does begin: then the run is held, goes on, or is
  // cancelled at once, and the history tells of it.
  {
    ...{ becomes: 'skipped', because: 'once' },
    applies: ({ run, earlier }) => run.reentry === 'once' && earlier !== undefined,
  },
  {
    ...{ becomes: 'skipped', because: 'already_running' },
    applies: ({ run, others }) =>
      run.reentry === 'ignore' &&
      others.some((other) => other.scenario_id === run.scenario_id && other.state !== 'due'),
  },
  {
    ...{ becomes: 'skipped', because: 'cooldown' },
    applies: ({ run, earlier }) => earlier !== undefined && earlier.seconds_ago < run.cooldown_seconds,
  },
  {
    ...{ becomes: 'loop', because: 'loop' },
    applies: ({ run }) => run.depth > SCENARIO_LIMITS.depthMax,
  },
  {
    ...{ becomes: 'loop', because: 'loop' },
    applies: ({ earlier }) =>
      earlier !== undefined &&
      (earlier.in_ten_minutes >= SCENARIO_LIMITS.inTenMinutesMax ||
        earlier.in_day >= SCENARIO_LIMITS.inDayMax),
  },
];

const heldBack = (at: AskedRun) => RUN_BEGINNINGS.find(({ applies }) => applies(at));

export const beginningOf = (at: AskedRun): Beginning => heldBack(at)?.becomes ?? 'begins';

/** Why an asked run does not begin; null: it does. */
export const whyNotBegun = (at: AskedRun): NotBegun | null => heldBack(at)?.because ?? null;
