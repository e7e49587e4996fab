import type { Logger } from '@nestjs/common';

/** One worker's sweep, again and again: never beside itself, and an outage is logged once, not each second. */
export class RepeatedSweep {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private failing = false;
  private stopped = false;
  private hurried = false;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly sweep: () => Promise<void>,
    private readonly logger: Pick<Logger, 'log' | 'warn'>,
  ) {}

  /** The first one at once, for what was left behind before this process began. */
  start(): void {
    this.timer = null;
    this.running = this.runOnce().then(() => {
      if (this.stopped) return;
      const waitMs = this.hurried ? 0 : this.everyMs;
      this.hurried = false;
      this.timer = setTimeout(() => this.start(), waitMs).unref();
    });
  }

  /** The next one begins now, or as soon as the one that runs is over. */
  hurry(): void {
    if (this.stopped) return;
    if (this.timer) {
      clearTimeout(this.timer);
      this.start();
    } else this.hurried = true;
  }

  /** No sweep begins any more. */
  end(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Resolves when the one that runs is over. */
  async over(): Promise<void> {
    await this.running;
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
