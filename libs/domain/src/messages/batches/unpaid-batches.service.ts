import { OutcomeRepository } from '@app/persistence/messages/delivery/outcome.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { BatchNotifier } from './batch-notifier';

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
