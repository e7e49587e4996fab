import { AsyncResource } from 'node:async_hooks';
import { TableStatisticsRepository } from '@app/persistence/database/table-statistics.repository';
import {
  Logger,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { WORK_TIMES } from './work-times';

/**
 * Repeats one worker's sweep. Two sweeps never overlap, and an outage is logged once, not every second. All sweeps of a process
 * run at multiples of their interval, so that what they have in common is asked once for all of them.
 */
export class RepeatedSweep {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private failing = false;
  private stopped = false;
  private hurried = false;
  /** Runs outside the context of the call that hurries it: neither its log lines nor its traces belong to that call. */
  private readonly startUnbound = AsyncResource.bind(() => this.start());

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly sweep: () => Promise<void>,
    private readonly logger: Pick<Logger, 'log' | 'warn'>,
  ) {}

  /** The first sweep runs at once, for work that was left before this process began. */
  start(): void {
    this.timer = null;
    this.running = this.runOnce().then(() => {
      if (this.stopped) return;
      const waitMs = this.hurried ? 0 : this.pauseMs();
      this.hurried = false;
      this.timer = setTimeout(() => this.start(), waitMs).unref();
    });
  }

  /** The next sweep begins now, or as soon as the running one is over. */
  hurry(): void {
    if (this.stopped) return;
    if (this.timer) {
      clearTimeout(this.timer);
      this.startUnbound();
    } else this.hurried = true;
  }

  /** No further sweep begins. */
  end(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Resolves when the running sweep is over. */
  async over(): Promise<void> {
    await this.running;
  }

  /** Until the next multiple of the interval, but that is half of it away at least. */
  private pauseMs(): number {
    const now = performance.now();
    return Math.ceil(now / this.everyMs + 0.5) * this.everyMs - now;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.sweep();
      if (this.failing) this.logger.log(`The sweep of ${this.name} succeeds again.`);
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn({ err: error }, `The sweep of ${this.name} failed; it goes on trying.`);
      this.failing = true;
    }
  }
}

/**
 * Keeps the planner's statistics in step with tables that grow fast. Autovacuum does so within a minute. Until then a new
 * installation that gets 10,000 leads at once would read them by the plans that were made for empty tables.
 */
@Injectable()
export class TableStatisticsRenewal
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly sweep: RepeatedSweep;

  constructor(statistics: TableStatisticsRepository) {
    const logger = new Logger(TableStatisticsRenewal.name);
    this.sweep = new RepeatedSweep(
      'table statistics',
      WORK_TIMES.statisticsMs,
      () => statistics.renew(),
      logger,
    );
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  onModuleDestroy(): void {
    this.sweep.end();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.over();
  }
}
