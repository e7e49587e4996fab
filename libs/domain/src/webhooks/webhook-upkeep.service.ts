import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { Injectable } from '@nestjs/common';
import { DeliveryStates } from '../messages/delivery-states.service';
import { OptOuts } from '../messages/opt-outs.service';

const PURGE_EVERY_MS = 3_600_000;
const PURGED_AT_ONCE = 1_000;

/** What is left to do beside the webhooks that are due: for states that were left waiting, and against growth. */
@Injectable()
export class WebhookUpkeep {
  private purgeAt = 0;

  constructor(
    private readonly states: DeliveryStates,
    private readonly optOuts: OptOuts,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  /** To be called each second or so; once an hour it also deletes what nobody needs any more. */
  async sweep(): Promise<void> {
    await this.states.sweepParked();
    if (performance.now() < this.purgeAt) return;
    await this.purge();
    this.purgeAt = performance.now() + PURGE_EVERY_MS;
  }

  private async purge(): Promise<void> {
    await this.states.forgetParked();
    await this.optOuts.forgetMarks();
    while ((await this.deliveries.purgeDone(PURGED_AT_ONCE)) === PURGED_AT_ONCE);
  }
}
