import { isUuid } from '@app/contracts/uuid.format';
import type { WebhookProvider } from '@app/persistence/webhooks/webhook-delivery.entity';
import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../work/work.notifier';
import type { WorkItem } from '../work/worker';
import { WebhookDeliveries } from './webhook-deliveries.service';
import { UnknownAddressError } from './webhook.errors';

/** Workers take whatever is due, so webhooks that come together need no separate items. */
export const ANY_WEBHOOK: WorkItem = { accountId: null, id: 'any' };

/** Stores webhooks durably, as they came, before the provider gets its answer. A worker reads them later. */
@Injectable()
export class WebhookIntake {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly claims: WebhookDeliveries,
    private readonly work: WorkNotifier,
  ) {}

  /** A body that names its number. */
  async take(provider: WebhookProvider, body: Buffer): Promise<void> {
    await this.deliveries.store(provider, null, body);
    this.notify();
  }

  /**
   * A body that came to a bot's address.
   * @throws UnknownAddressError
   */
  async takeForBot(provider: WebhookProvider, botId: string, body: Buffer): Promise<void> {
    const isStored = isUuid(botId) && (await this.deliveries.store(provider, botId, body));
    if (!isStored) throw new UnknownAddressError();
    this.notify();
  }

  private notify(): void {
    if (!this.claims.isClaimComing) this.work.notify('inbound-webhooks', ANY_WEBHOOK);
  }
}
