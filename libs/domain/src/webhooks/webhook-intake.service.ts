import { isUuid } from '@app/contracts/uuid.format';
import {
  WebhookDeliveryRepository,
  type WebhookProvider,
} from '@app/persistence/webhooks/webhook-delivery.repository';
import { Injectable } from '@nestjs/common';
import { JobQueue } from '../jobs/job.queue';
import { UnknownAddressError } from './webhook.errors';

/** Keeps webhooks durably, as they came, before the provider is answered; what they say is looked at by a job. */
@Injectable()
export class WebhookIntake {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly jobs: JobQueue,
  ) {}

  /** A body that says itself whose it is. */
  async take(provider: WebhookProvider, body: Buffer): Promise<void> {
    await this.deliveries.store(provider, body);
    this.ring();
  }

  /**
   * A body that came to a bot's own address.
   * @throws UnknownAddressError
   */
  async takeForBot(provider: WebhookProvider, botId: string, body: Buffer): Promise<void> {
    const isStored = isUuid(botId) && (await this.deliveries.storeOfBot(provider, botId, body));
    if (!isStored) throw new UnknownAddressError();
    this.ring();
  }

  /** Workers take whatever is due: webhooks that come together need no job each. */
  private ring(): void {
    this.jobs.ring('take-webhook', 'due', {});
  }
}
