import { setTimeout as sleep } from 'node:timers/promises';
import { uuidOf } from '../database/thread.uuid';
import { clearStage, type TimedCall } from '../clients/switch.client';
import { eventually } from '../eventually';
import { faultReports } from '../faults/fault.reports';
import { RowLock } from '../faults/row.lock';
import type { ServerProcess } from '../programs/server.process';
import type { ScenarioScene } from './scenario.scene';

/** The first step of the raced scenario. It is over when a trial begins. */
export const WAIT_SECONDS = 3_600;

/** Between the beginnings of two trials of a group. */
const STEP_MS = 20;
const LEAD_MS = 30;
/** −10…10 ms, most of them near the middle. */
const AROUND_MS = 10;
const KEPT_LATENCIES = 25;
const TOO_EARLY_MS = 6;
const SETTLED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 1;
/** Less than the service waits for a row. */
const WAITING_WITHIN_MS = 1_000;
/** Between two steps that one call stops. */
const CLOSE_MS = 2;
/** What was permitted before has begun by then, or never does. */
const PERMITS_ARE_VOID_MS = 600;

export interface RacedDialog {
  threadId: string;
  phone: string;
  runId: string;
}

/**
 * How a call meets the step: it is aimed at the moment of the step's permit; it is made once the permit is there; or both
 * wait for the dialog's row, and go on at the same moment.
 */
export type Meeting = 'aimed' | 'permitted' | 'queued';

/** One trial: a step of a run that is due, and the call that stops it. */
export interface StepTrial extends RacedDialog {
  meeting: Meeting;
  call: TimedCall;
  base: number;
}

/** A call after whose answer no step of a dialog may begin. */
export interface StoppingCall {
  make: (dialog: RacedDialog) => Promise<TimedCall>;
  /** What the fault reports of its commit. Without it the middle of the call counts. */
  word?: string;
  /** When requests of the dialog's steps began; default: all to its customer. */
  requestsOf?: (dialog: RacedDialog) => number[];
}

interface StoppedGroup {
  trials: StepTrial[];
  resumedAt: number;
}

const until = (moment: number): Promise<unknown> => sleep(Math.max(0, moment - performance.now()));

/** Calls that stop a run at one process while another begins a step of it. */
export class StepRace {
  readonly trials: StepTrial[] = [];
  /** Trials whose step and call both waited for the dialog's row, and went on when it was free. */
  together = 0;
  /** From a base to the permit, less a call's way to the move: it is learned, for it is the machine's. */
  private readonly latencies: number[] = [10];

  constructor(
    private readonly scene: ScenarioScene,
    private readonly workers: readonly ServerProcess[],
    private readonly stage: number,
    private readonly stopping: StoppingCall,
  ) {}

  /** Adds a group of trials that meet in these ways by turns. */
  async run(count: number, meetings: readonly Meeting[] = ['aimed']): Promise<void> {
    const dialogs = await this.entered(count);
    const begin = performance.now() + LEAD_MS;
    const trials = await Promise.all(
      dialogs.map((dialog, index) =>
        this.trial(dialog, begin + index * STEP_MS, meetings[index % meetings.length] ?? 'aimed'),
      ),
    );
    await this.untilSettled(dialogs);
    this.trials.push(...trials);
    this.learn(trials);
  }

  /**
   * Steps that are due at once at a worker that is stopped meanwhile: their leads leave before it goes on.
   * @param when so many milliseconds after they are due, or as soon as a step has its permit
   */
  async stopAmid(
    worker: ServerProcess,
    count: number,
    when: number | 'permitted',
    stoppedMs: number,
  ): Promise<StoppedGroup> {
    const dialogs = await this.entered(count);
    const base = performance.now();
    await Promise.all(dialogs.map(({ threadId }) => this.makeDue(uuidOf(threadId))));
    await (when === 'permitted' ? this.untilPermitted(dialogs) : sleep(when));
    await worker.kill('SIGSTOP');
    const stopped = sleep(stoppedMs);
    const calls = dialogs.map(async (dialog) => ({
      ...dialog,
      call: await this.stopping.make(dialog),
      base,
      meeting: 'aimed' as const,
    }));
    const trials = await Promise.all(calls);
    await stopped;
    const resumedAt = performance.now();
    await worker.kill('SIGCONT');
    await this.untilSettled(dialogs);
    return { trials, resumedAt };
  }

  /** Adds a group of trials that one call stops together, in the midst of which their steps are due. */
  async runTogether(count: number, make: () => Promise<TimedCall>): Promise<void> {
    const dialogs = await this.entered(count);
    const begin = performance.now() + LEAD_MS;
    const due = dialogs.map(({ threadId }, n) =>
      until(begin + n * CLOSE_MS).then(() => this.makeDue(uuidOf(threadId))),
    );
    await this.untilPermitted(dialogs);
    const call = await make();
    await Promise.all(due);
    await sleep(PERMITS_ARE_VOID_MS);
    this.trials.push(
      ...dialogs.map((dialog) => ({ ...dialog, call, base: begin, meeting: 'aimed' as const })),
    );
  }

  /** Leads that stand in the stage, whose runs wait. */
  private async entered(count: number): Promise<RacedDialog[]> {
    const { scene } = this;
    const dialogs = await Promise.all(Array.from({ length: count }, () => scene.dialog()));
    await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, this.stage)));
    return Promise.all(
      dialogs.map(async (dialog) => ({
        ...dialog,
        runId: (await scene.untilRun(dialog.threadId, 'waiting', SETTLED_WITHIN_MS)).id,
      })),
    );
  }

  private async trial(dialog: RacedDialog, base: number, meeting: Meeting): Promise<StepTrial> {
    const { threadId } = dialog;
    if (meeting === 'queued') return { ...dialog, call: await this.behindLock(dialog, base), base, meeting };
    const due = until(base).then(() => this.makeDue(uuidOf(threadId)));
    if (meeting === 'permitted') await this.untilPermitted([dialog]);
    else await until(base + this.latency + AROUND_MS * (2 * Math.random() - 1) ** 3);
    const call = await this.stopping.make(dialog);
    await due;
    return { ...dialog, call, base, meeting };
  }

  /** The step and the call come to wait for the dialog's row in either order. */
  private async behindLock(dialog: RacedDialog, base: number): Promise<TimedCall> {
    await until(base);
    const lock = await RowLock.take(this.scene.database, dialog.threadId);
    const soon = (): Promise<unknown> => sleep(Math.random() * AROUND_MS);
    const due = soon().then(() => this.makeDue(uuidOf(dialog.threadId)));
    const calling = soon().then(() => this.stopping.make(dialog));
    const waited = lock.waiters(2, WAITING_WITHIN_MS).then(() => (this.together += 1));
    await waited.catch(() => undefined);
    await lock.release();
    const [call] = await Promise.all([calling, due]);
    return call;
  }

  /** The wait is over, and the worker hears of it. */
  private async makeDue(id: string): Promise<void> {
    await this.scene.database.pool.query(
      `WITH waited AS (
         UPDATE scenario_runs SET due_since = due_since - make_interval(secs => $2) WHERE thread_id = $1),
       woken AS (UPDATE scenario_queues SET due_at = clock_timestamp() WHERE thread_id = $1)
       SELECT pg_notify('leadline_work', gen_random_uuid() || jsonb_build_array('scenarios', $3::text, $1::text)::text)`,
      [id, WAIT_SECONDS, this.scene.account.id],
    );
  }

  /** Waits until a step of one of these has its permit. */
  private async untilPermitted(dialogs: readonly RacedDialog[]): Promise<void> {
    const reports = dialogs.map(({ threadId }) => `fault gate ${uuidOf(threadId)}`);
    const deadline = performance.now() + SETTLED_WITHIN_MS;
    const isThere = (): boolean =>
      this.workers.some((worker) => reports.some((each) => worker.output().includes(each)));
    while (!isThere()) {
      if (performance.now() > deadline) throw new Error('no step had its permit');
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Waits until nobody has anything to do for these. */
  private async untilSettled(dialogs: readonly RacedDialog[]): Promise<void> {
    const ids = dialogs.map(({ threadId }) => uuidOf(threadId));
    const busy = `SELECT count(*)::int AS n FROM scenario_queues
                   WHERE thread_id = ANY ($1) AND (due_at <= clock_timestamp() OR lease_token IS NOT NULL)`;
    await eventually(
      async () => (await this.scene.database.pool.query<{ n: number }>(busy, [ids])).rows[0]?.n === 0,
      SETTLED_WITHIN_MS,
      'the runs were not settled',
    );
  }

  private get latency(): number {
    const sorted = this.latencies.slice(-KEPT_LATENCIES).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }

  private learn(trials: readonly StepTrial[]): void {
    const timesOf = this.times();
    const aimed = this.latency;
    for (const trial of trials.filter(({ meeting }) => meeting === 'aimed')) {
      const { permit, stopped } = timesOf(trial);
      // None was granted: the call came too early. Learning from the others alone would only ever aim earlier.
      if (permit === undefined) this.latencies.push(aimed + TOO_EARLY_MS);
      else this.latencies.push(permit - trial.base - (stopped - trial.call.sentAt));
    }
  }

  /** How many trials met: the permit was granted no further from the stop than that. */
  metWithin(milliseconds: number): number {
    const timesOf = this.times();
    return this.trials.filter((trial) => {
      const { permit = -Infinity, stopped } = timesOf(trial);
      return Math.abs(permit - stopped) <= milliseconds;
    }).length;
  }

  /** When the one process had its permit, undefined where it had none, and the other the stop. */
  private times(): (trial: StepTrial) => { permit?: number; stopped: number } {
    const permits = new Map<string, number>();
    for (const { word, about, at, yes } of this.workers.flatMap((worker) => faultReports(worker)))
      if (word === 'gate' && yes) permits.set(about, at);
    const stops = new Map<string, number>();
    for (const { word, about, at } of faultReports(this.scene.server))
      if (word === this.stopping.word) stops.set(about, at);
    return ({ threadId, call }) => ({
      permit: permits.get(uuidOf(threadId)),
      stopped: stops.get(uuidOf(threadId)) ?? (call.sentAt + call.answeredAt) / 2,
    });
  }

  /** Trials in which a step's request began when nothing might begin any more. */
  leaks(): StepTrial[] {
    return this.trials.filter((trial) => this.begunAfter(trial) > 0);
  }

  /** Trials in which a step's request began at all. */
  begun(): StepTrial[] {
    return this.trials.filter((trial) => this.requestsOf(trial).length > 0);
  }

  /** How long the calls took, in milliseconds: the median, and the longest. */
  took(): string {
    const sorted = this.trials.map(({ call }) => call.answeredAt - call.sentAt).sort((a, b) => a - b);
    return `p50 ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)} ms, most ${sorted.at(-1)?.toFixed(1)} ms`;
  }

  /** Requests that began when nothing might begin any more. */
  begunAfter(trial: StepTrial): number {
    return this.requestsOf(trial).filter((begunAt) => begunAt > trial.call.silentFrom).length;
  }

  private requestsOf(trial: RacedDialog): number[] {
    const { requestsOf } = this.stopping;
    return requestsOf?.(trial) ?? this.scene.provider.sendsTo(trial.phone).map(({ begunAt }) => begunAt);
  }
}

/** Leads that leave their stage. */
export const leaving = (scene: ScenarioScene): StoppingCall => ({
  make: ({ threadId }) => clearStage(scene.apiAt(0), threadId),
  word: 'move',
});
