import type { Logger } from '@nestjs/common';

/** One that comes and goes several times a second is told of once in this time. */
const QUIET_MS = 60_000;

/** Counts the queue's failures, and has an outage logged once instead of at each look of each worker. */
export class QueueOutages {
  /** Since the process began. */
  errors = 0;
  private failing = false;
  private told = false;
  private toldAt = -Infinity;

  constructor(private readonly logger: Pick<Logger, 'log' | 'warn'>) {}

  /** @param error what pg-boss gives may be a copy that is no error, with rows and parameters among its parts. */
  failed(error: unknown): void {
    this.errors += 1;
    if (this.failing) return;
    this.failing = true;
    this.told = performance.now() - this.toldAt > QUIET_MS;
    if (!this.told) return;
    this.toldAt = performance.now();
    const { message } = error as Error;
    const err = error instanceof Error ? error : new Error(message);
    this.logger.warn({ err }, 'The queue of jobs fails; the sweeps ring again for what is lost.');
  }

  worked(): void {
    if (this.failing && this.told) this.logger.log('The queue of jobs works again.');
    this.failing = false;
  }
}
