import { BatchRepository } from '@app/persistence/messages/batches/batch.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';

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
