import { JobQueue, type JobIds } from '@app/domain/jobs/job.queue';
import { DeliveryStates } from '@app/domain/messages/delivery-states.service';
import { WebhookDeliveries } from '@app/domain/webhooks/webhook-deliveries.service';
import { Injectable } from '@nestjs/common';
import { JobEdge } from '../jobs/job.edge';

/** Takes stored webhooks apart, whichever are due. */
@Injectable()
export class TakeWebhookJob extends JobEdge {
  readonly kind = 'take-webhook';
  /** A long history keeps one of them busy for seconds, and no more than one; the others go on. */
  readonly concurrency = 3;

  constructor(
    private readonly deliveries: WebhookDeliveries,
    private readonly states: DeliveryStates,
    private readonly queue: JobQueue,
  ) {
    super();
  }

  async handle(_ids: JobIds, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.deliveries.takeOne(stopping)));
  }

  async sweep(): Promise<void> {
    if (await this.deliveries.isAnyDue()) this.queue.ring(this.kind, 'due', {});
    await this.states.sweepParked();
  }
}
