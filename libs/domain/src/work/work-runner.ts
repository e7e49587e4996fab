import { setTimeout as sleep } from 'node:timers/promises';
import { WaitingRowsRepository } from '@app/persistence/sweeps/waiting-rows.repository';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { SendingHold } from './sending-hold.service';
import { WorkCounts } from './work-counts';
import { WorkLoop } from './work-loop';
import { WorkNotifier } from './work-notifier';
import { WORKERS, type Worker, type WorkName } from './worker';

/** Enough for a provider's time limit and the storing of its outcome. A sweep finds what is cut off then. */
const LAST_RUNS_MS = 10_500;

/** Runs all workers of the process, from its start to its stop. */
@Injectable()
export class WorkRunner implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly loops: ReadonlyMap<WorkName, WorkLoop>;

  constructor(
    @Inject(WORKERS) workers: readonly Worker[],
    counts: WorkCounts,
    hold: SendingHold,
    rows: WaitingRowsRepository,
    private readonly notifier: WorkNotifier,
  ) {
    const logger = new Logger(WorkRunner.name);
    this.loops = new Map(
      workers.map((worker) => [worker.name, new WorkLoop(worker, counts, hold, rows, logger)]),
    );
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops.values()) loop.start();
    if (this.loops.size > 0) this.notifier.listen(this.loops);
  }

  /** From here on nothing new begins. */
  onModuleDestroy(): void {
    for (const loop of this.loops.values()) loop.end();
  }

  /** Waits for running items for a bounded time. Connections are still open, and items may notify. */
  async beforeApplicationShutdown(): Promise<void> {
    const timer = new AbortController();
    const late = sleep(LAST_RUNS_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(Array.from(this.loops.values(), (loop) => loop.over())), late]);
    timer.abort();
  }
}
