import { setTimeout as sleep } from 'node:timers/promises';
import { uuidOf } from '../database/thread.uuid';
import { clearStage, type TimedCall } from '../clients/switch.client';
import { eventually } from '../eventually';
import { plantedWords } from '../faults/planted.words';
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

interface RacedDialog {
  threadId: string;
  phone: string;
}

/** One trial: a step of a run that is due, and the move out of its stage, aimed at one moment. */
export interface LeaveTrial extends RacedDialog {
  move: TimedCall;
  base: number;
}

interface StoppedGroup {
  trials: LeaveTrial[];
  resumedAt: number;
}

const until = (moment: number): Promise<unknown> => sleep(Math.max(0, moment - performance.now()));

/** Leads that leave a stage at one process while another begins a step of their run. */
export class StageRace {
  readonly trials: LeaveTrial[] = [];
  /** From a base to the permit, less a call's way to the move: it is learned, for it is the machine's. */
  private readonly latencies: number[] = [10];

  constructor(
    private readonly scene: ScenarioScene,
    private readonly worker: ServerProcess,
    private readonly stage: number,
  ) {}

  /** Adds a group of trials. */
  async run(count: number): Promise<void> {
    const dialogs = await this.entered(count);
    const begin = performance.now() + LEAD_MS;
    const trials = await Promise.all(
      dialogs.map((dialog, index) => this.trial(dialog, begin + index * STEP_MS)),
    );
    await this.untilOver(dialogs);
    this.trials.push(...trials);
    this.learn(trials);
  }

  /** Steps that are due at once at a worker that is stopped meanwhile: their leads leave before it goes on. */
  async stopAmid(count: number, afterMs: number, stoppedMs: number): Promise<StoppedGroup> {
    const dialogs = await this.entered(count);
    const base = performance.now();
    await Promise.all(dialogs.map(({ threadId }) => this.makeDue(uuidOf(threadId))));
    await sleep(afterMs);
    await this.worker.kill('SIGSTOP');
    const stopped = sleep(stoppedMs);
    const moves = dialogs.map(async (dialog) => ({
      ...dialog,
      move: await clearStage(this.scene.apiAt(0), dialog.threadId),
      base,
    }));
    const trials = await Promise.all(moves);
    await stopped;
    const resumedAt = performance.now();
    await this.worker.kill('SIGCONT');
    await this.untilOver(dialogs);
    return { trials, resumedAt };
  }

  /** Leads that stand in the stage, whose runs wait. */
  private async entered(count: number): Promise<RacedDialog[]> {
    const { scene } = this;
    const dialogs = await Promise.all(Array.from({ length: count }, () => scene.dialog()));
    await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, this.stage)));
    await this.untilOpen(dialogs, 'waiting', count);
    return dialogs;
  }

  /** Waits until no run of these is open. */
  private async untilOver(dialogs: readonly RacedDialog[]): Promise<void> {
    await this.untilOpen(dialogs, null, 0);
  }

  private async trial({ threadId, phone }: RacedDialog, base: number): Promise<LeaveTrial> {
    const due = until(base).then(() => this.makeDue(uuidOf(threadId)));
    await until(base + this.latency + AROUND_MS * (2 * Math.random() - 1) ** 3);
    const move = await clearStage(this.scene.apiAt(0), threadId);
    await due;
    return { threadId, phone, move, base };
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

  private async untilOpen(
    dialogs: readonly RacedDialog[],
    state: string | null,
    count: number,
  ): Promise<void> {
    const ids = dialogs.map(({ threadId }) => uuidOf(threadId));
    const open = `SELECT count(*)::int AS n FROM scenario_runs
                   WHERE thread_id = ANY ($1) AND finished_at IS NULL AND state = coalesce($2, state)`;
    await eventually(
      async () =>
        (await this.scene.database.pool.query<{ n: number }>(open, [ids, state])).rows[0]?.n === count,
      SETTLED_WITHIN_MS,
      `not ${count} runs became ${state ?? 'open'}`,
    );
  }

  private get latency(): number {
    const sorted = this.latencies.slice(-KEPT_LATENCIES).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }

  private learn(trials: readonly LeaveTrial[]): void {
    const timesOf = this.times();
    const aimed = this.latency;
    for (const trial of trials) {
      const { permit, moved } = timesOf(trial);
      // None was granted: the move came too early. Learning from the others alone would only ever aim earlier.
      if (permit === undefined) this.latencies.push(aimed + TOO_EARLY_MS);
      else if (moved !== undefined) this.latencies.push(permit - trial.base - (moved - trial.move.sentAt));
    }
  }

  /** When the one process had its permit, and the other the answer to its move; undefined: no permit was granted. */
  times(): (trial: LeaveTrial) => { permit?: number; moved?: number } {
    const permits = new Map<string, number>();
    for (const { word, about, at, yes } of plantedWords(this.worker))
      if (word === 'gate' && yes) permits.set(about, at);
    const moves = new Map<string, number>();
    for (const { word, about, at } of plantedWords(this.scene.server))
      if (word === 'move') moves.set(about, at);
    return ({ threadId }) => ({ permit: permits.get(uuidOf(threadId)), moved: moves.get(uuidOf(threadId)) });
  }

  /** Requests to the customer that began when nothing might begin any more. */
  begunAfter({ phone, move }: LeaveTrial): number {
    return this.scene.provider.sendsTo(phone).filter(({ begunAt }) => begunAt > move.silentFrom).length;
  }
}
