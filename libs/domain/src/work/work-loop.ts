import { AsyncResource } from 'node:async_hooks';
import { asSpanOf } from '@app/contracts/trace-recorder';
import type { WaitingKind, WaitingRowsRepository } from '@app/persistence/sweeps/waiting-rows.repository';
import type { Logger } from '@nestjs/common';
import { RepeatedSweep } from './repeated-sweep';
import { spanOfWork, type Worker, type WorkItem } from './worker';
import { WaitingItems } from './waiting-items';
import type { SendingHold } from './sending-hold.service';
import type { WorkCounts } from './work-counts';

/** Most items that wait for their time here, and for how long. The sweeps find the others, up to their interval late. */
const TIMED_MAX = 10_000;
const TIMED_MS_MAX = 60_000;

/**
 * Runs one worker in this process, until it is stopped. It runs the items that it is notified of and those that its
 * sweep finds, a limited number at once.
 */
export class WorkLoop {
  private readonly stopping = new AbortController();
  private readonly waiting = new WaitingItems();
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly sweep: RepeatedSweep;
  private readonly maintenance: readonly RepeatedSweep[];
  /** Runs outside the request's context: an item's log lines do not belong to the call that notified of it. */
  private readonly runUnbound = AsyncResource.bind((item: WorkItem) => this.run(item));

  constructor(
    private readonly worker: Worker,
    private readonly counts: WorkCounts,
    private readonly hold: Pick<SendingHold, 'isHeld' | 'mayBeHeld'>,
    private readonly rows: Pick<WaitingRowsRepository, 'any'>,
    private readonly logger: Pick<Logger, 'log' | 'warn' | 'error'>,
  ) {
    const { name, sweepEveryMs, maintenance } = worker;
    this.sweep = new RepeatedSweep(name, sweepEveryMs, () => this.findDue(), logger);
    this.maintenance = maintenance.map((part) => {
      const act = async (): Promise<void> => {
        if ((await this.mayBe(part.of)) && !this.stopping.signal.aborted) await part.act();
      };
      return new RepeatedSweep(`${name} (maintenance)`, sweepEveryMs, act, logger);
    });
  }

  /** The first sweep runs at once, for work that was left before this process began. */
  start(): void {
    this.worker.prepare?.();
    this.sweep.start();
    for (const part of this.maintenance) part.start();
  }

  /**
   * @param isOurs whether the notification of the item comes from this process
   * @returns whether the item began at once; if not, another process may have it, or a free slot. While it is held, none has.
   */
  take(item: WorkItem, isOurs: boolean): boolean {
    if (this.isHeld) return true;
    const hasSlot = this.waiting.allows(item.accountId, this.freeSlots());
    const place = this.worker.notified?.(item, isOurs && hasSlot) ?? 'unknown';
    if (place !== 'unknown') return place === 'here';
    this.waiting.add(item);
    this.begin();
    return hasSlot;
  }

  /** Takes an item when its time has come, and not behind all others of its account. Best effort: the sweep finds it too. */
  takeIn(item: WorkItem, inMs: number): void {
    if (inMs > TIMED_MS_MAX || this.timers.size >= TIMED_MAX || this.stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.waiting.add(item, true);
      this.begin();
    }, inMs).unref();
    this.timers.add(timer);
  }

  /** Sweeps at once, because notifications may have been missed. */
  look(): void {
    this.sweep.hurry();
  }

  /** Nothing begins any more, and running items are asked to end. */
  end(): void {
    this.stopping.abort();
    for (const timer of this.timers) clearTimeout(timer);
    this.sweep.end();
    for (const part of this.maintenance) part.end();
  }

  /** Resolves when nothing is running. */
  async over(): Promise<void> {
    await this.sweep.over();
    await Promise.all(this.maintenance.map((part) => part.over()));
    await Promise.all(this.running);
    await this.worker.over?.();
  }

  /** What it would do on the outside waits in its rows, for the sweep that follows when nothing is held any more. */
  private get isHeld(): boolean {
    return this.worker.actsOutside && this.hold.mayBeHeld;
  }

  private freeSlots(): number {
    return this.stopping.signal.aborted || this.isHeld ? 0 : this.worker.concurrency - this.running.size;
  }

  private async findDue(): Promise<void> {
    if (this.worker.actsOutside && this.hold.isHeld) return;
    if (!(await this.mayBe(this.worker.finds))) return;
    const due = await this.worker.findDue();
    // A hold may have come meanwhile. Whether there is one is not known after an outage, until it was looked for again.
    if (this.isHeld) return;
    for (const item of due) this.waiting.add(item);
    this.begin();
  }

  private async mayBe(kinds: readonly WaitingKind[] | null): Promise<boolean> {
    return kinds === null || this.rows.any(kinds);
  }

  private begin(): void {
    for (;;) {
      const item = this.waiting.next(this.freeSlots());
      if (!item) break;
      const run = this.runUnbound(item).finally(() => {
        this.running.delete(run);
        this.waiting.done(item);
        this.begin();
      });
      this.running.add(run);
    }
    const isBusy = !this.isHeld && !this.stopping.signal.aborted;
    if (isBusy && this.waiting.count > 0) this.worker.makeRoom?.(this.waiting.count);
  }

  private async run(item: WorkItem): Promise<void> {
    const count = this.counts.of(this.worker.name);
    count.inFlight += 1;
    try {
      await this.runWorker(item);
      count.done += 1;
    } catch (error) {
      count.failed += 1;
      const about = { err: error, work: this.worker.name, item };
      this.logger.error(about, 'Due work failed; the next sweep finds what is left.');
    } finally {
      count.inFlight -= 1;
    }
  }

  private runWorker(item: WorkItem): Promise<void> {
    const { worker, stopping } = this;
    const run = (): Promise<void> => worker.run(item, stopping.signal);
    return worker.tracesItself ? run() : asSpanOf(null, () => spanOfWork(worker.name, item.accountId), run);
  }
}
