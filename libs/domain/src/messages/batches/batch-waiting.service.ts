import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import { TooManyWaitingError } from '@app/contracts/in-flight-limiter';
import { SentMessageRepository } from '@app/persistence/messages/sending/sent-message.repository';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BatchNotifier } from './batch-notifier';

/** Polling sees the work of other processes. */
const LOOK_EVERY_MS = 250;
/** Between two polls, whatever is notified. */
const POLL_SPACING_MS = 40;

/** Waits for a batch to be settled, whichever process sends it. */
@Injectable()
export class BatchWaiting implements OnModuleDestroy {
  private readonly ending = new AbortController();

  constructor(
    private readonly messages: SentMessageRepository,
    private readonly batchNotifier: BatchNotifier,
  ) {}

  /** A process that stops ends the waits. Other processes continue the batch. */
  onModuleDestroy(): void {
    this.ending.abort();
  }

  /**
   * Resolves when everything of the batch is settled, after a time, or when the process stops. An outage of the
   * database does not end the wait, because messages are still sent.
   */
  async untilSettled(accountId: string, batchId: string, milliseconds: number): Promise<void> {
    const last = performance.now() + milliseconds;
    let heard: () => void = () => undefined;
    const stop = this.batchNotifier.listen(batchId, () => heard());
    try {
      while (await this.mayBeOpen(accountId, batchId)) {
        const leftMs = last - performance.now();
        if (leftMs <= 0 || this.ending.signal.aborted) return;
        const settled = new Promise<void>((resolve) => (heard = resolve));
        await this.pause(Math.min(POLL_SPACING_MS, leftMs));
        await Promise.race([settled, this.pause(Math.min(LOOK_EVERY_MS, leftMs))]);
      }
    } finally {
      stop();
    }
  }

  private async mayBeOpen(accountId: string, batchId: string): Promise<boolean> {
    try {
      return await this.messages.isOpen(accountId, batchId);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError || error instanceof TooManyWaitingError) return true;
      throw error;
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }
}
