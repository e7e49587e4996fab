import { setTimeout as sleep } from 'node:timers/promises';
import { TooManyWaitingError } from '@app/contracts/in-flight-limiter';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import { BatchRepository } from '@app/persistence/messages/batches/batch.repository';
import { OutcomeRepository } from '@app/persistence/messages/delivery/outcome.repository';
import { SentMessageRepository } from '@app/persistence/messages/sending/sent-message.repository';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';

/** Notifies those who wait for a batch in this process that part of it was settled. */
@Injectable()
export class BatchNotifier {
  private readonly waiting = new Map<string, Set<() => void>>();

  notify(batchId: string): void {
    for (const listener of this.waiting.get(batchId) ?? []) listener();
  }

  /** @returns how to stop listening */
  listen(batchId: string, listener: () => void): () => void {
    const listeners = this.waiting.get(batchId) ?? new Set();
    this.waiting.set(batchId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.waiting.delete(batchId);
    };
  }
}

/** Tells once when nothing of a list is left to be sent, whichever process sent the last of it. */
@Injectable()
export class BatchClosing {
  constructor(
    private readonly batches: BatchRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** Of lists of any account. Call it every second or so. */
  async sweep(): Promise<void> {
    if ((await this.batches.closeDone()) > 0) this.eventNotifier.notify(null);
  }

  /** Of lists that this process has just sent from. What this misses, the sweep finds. */
  async look(accountId: string, batchIds: readonly string[]): Promise<void> {
    if (batchIds.length === 0) return;
    if ((await this.batches.close(accountId, batchIds)) > 0) this.eventNotifier.notify(accountId);
  }
}

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

/** The error of messages of a batch that are not sent after a payment problem. */
export const NOT_PAID =
  'Not tried: the provider reported a payment problem for another message of the batch.';

/** Stops batches whose account cannot pay, as the provider says in an answer, or later by webhook. */
@Injectable()
export class UnpaidBatches {
  constructor(
    private readonly outcomes: OutcomeRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly batchNotifier: BatchNotifier,
  ) {}

  /**
   * Fails the queued messages of a batch, whichever process sends it, and gives their quota back. Claimed messages
   * are left to the process that claimed them. Idempotent.
   */
  async stop(accountId: string, batchId: string): Promise<void> {
    // As many at once as one statement can.
    while ((await this.outcomes.failRest(accountId, batchId, NOT_PAID)) > 0)
      this.eventNotifier.notify(accountId);
    this.batchNotifier.notify(batchId);
  }
}
