import { Injectable } from '@nestjs/common';
import { DeliveryStates } from '../messages/delivery-states.service';
import { WORK_TIMES } from '../work/work.times';
import { Worker, type WorkItem } from '../work/worker';
import { WebhookDeliveries } from './webhook-deliveries.service';
import { ANY_WEBHOOK } from './webhook-intake.service';

/** Takes stored webhooks apart, whichever are due. */
@Injectable()
export class InboundWebhookWorker extends Worker {
  readonly name = 'inbound-webhooks';
  /** A long history keeps one of them busy for seconds, and no more than one; the others go on. */
  readonly concurrency = 3;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;

  constructor(
    private readonly deliveries: WebhookDeliveries,
    private readonly states: DeliveryStates,
  ) {
    super();
  }

  /** Reports that came before their messages were known are due when those are. */
  async findDue(): Promise<readonly WorkItem[]> {
    await this.states.sweepParked();
    return (await this.deliveries.isAnyDue()) ? [ANY_WEBHOOK] : [];
  }

  async run(_: WorkItem, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.deliveries.takeDue(stopping)));
  }
}
