import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { Injectable } from '@nestjs/common';
import { DeliveryStates } from '../messages/delivery/delivery-states.service';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { MessageRevisions } from './message-revisions.service';
import { WebhookDeliveries } from './webhook-deliveries.service';
import { ANY_WEBHOOK } from './webhook-intake.service';

/** Processes stored webhooks that are due. */
@Injectable()
export class InboundWebhookWorker extends Worker {
  readonly name = 'inbound-webhooks';
  override readonly tracesItself = true;
  readonly actsOutside = false;
  /** A long history keeps one of them busy for seconds, and only one; the others continue. */
  readonly concurrency = 3;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = null;
  /** What came before its message becomes due when that is known. */
  override readonly maintenance = [
    { of: ['parked'] as const, act: () => this.states.sweepParked() },
    { of: ['parked'] as const, act: () => this.revisions.sweepParked() },
  ];

  constructor(
    private readonly deliveries: WebhookDeliveries,
    private readonly states: DeliveryStates,
    private readonly revisions: MessageRevisions,
    private readonly repository: WebhookDeliveryRepository,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return (await this.deliveries.isAnyDue()) ? [ANY_WEBHOOK] : [];
  }

  async backlog(accountId: string | null) {
    return this.repository.backlog(accountId);
  }

  async run(_: WorkItem, stopping: AbortSignal): Promise<void> {
    try {
      while (!stopping.aborted && (await this.deliveries.takeDue(stopping)));
    } finally {
      await this.deliveries.untilMarked();
    }
  }
}
