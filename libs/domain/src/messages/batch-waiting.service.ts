import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import { CrowdedError } from '@app/persistence/database/in-flight.limiter';
import { SentMessageRepository } from '@app/persistence/messages/sent-message.repository';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BatchNews } from './batch.news';

/** Other processes' work is seen by looking. */
const LOOK_EVERY_MS = 250;
/** Between two looks, whatever is heard. */
const REST_MS = 40;

/** Waits for a batch to be settled, whichever processes send it. */
@Injectable()
export class BatchWaiting implements OnModuleDestroy {
  private readonly ending = new AbortController();

  constructor(
    private readonly messages: SentMessageRepository,
    private readonly news: BatchNews,
  ) {}

  /** A process that ends keeps nobody waiting: what is left goes on elsewhere. */
  onModuleDestroy(): void {
    this.ending.abort();
  }

  /**
   * Resolves when everything of the batch is settled, after a time, or when the process ends. Its messages go out
   * whether the database can be asked or not, so nothing of that ends the wait.
   */
  async untilSettled(accountId: string, batchId: string, milliseconds: number): Promise<void> {
    const last = performance.now() + milliseconds;
    let heard: () => void = () => undefined;
    const stop = this.news.listen(batchId, () => heard());
    try {
      while (await this.mayBeOpen(accountId, batchId)) {
        const leftMs = last - performance.now();
        if (leftMs <= 0 || this.ending.signal.aborted) return;
        const news = new Promise<void>((resolve) => (heard = resolve));
        await this.rest(Math.min(REST_MS, leftMs));
        await Promise.race([news, this.rest(Math.min(LOOK_EVERY_MS, leftMs))]);
      }
    } finally {
      stop();
    }
  }

  private async mayBeOpen(accountId: string, batchId: string): Promise<boolean> {
    try {
      return await this.messages.isOpen(accountId, batchId);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError || error instanceof CrowdedError) return true;
      throw error;
    }
  }

  private async rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }
}
