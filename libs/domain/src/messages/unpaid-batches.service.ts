import { OutcomeRepository } from '@app/persistence/messages/outcome.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import { BatchNews } from './batch.news';

/** What the rest of a batch is told. */
export const NOT_PAID =
  'Not tried: the provider reported a payment problem for another message of the batch.';

/** Batches whose account cannot pay, as the provider says in an answer or later by webhook. */
@Injectable()
export class UnpaidBatches {
  constructor(
    private readonly outcomes: OutcomeRepository,
    private readonly bell: EventBell,
    private readonly news: BatchNews,
  ) {}

  /**
   * Fails what is queued of a batch, whichever process sends it, and gives its quota back. What is claimed already is
   * left to who has claimed it. Again without effect.
   */
  async stop(accountId: string, batchId: string): Promise<void> {
    // As many at once as one statement can.
    while ((await this.outcomes.failRest(accountId, batchId, NOT_PAID)) > 0) this.bell.ring();
    this.news.tell(batchId);
  }
}
