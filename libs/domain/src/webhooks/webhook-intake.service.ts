import { isUuid } from '@app/contracts/uuid.format';
import type { WebhookProvider } from '@app/persistence/webhooks/webhook-delivery.entity';
import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../work/work-notifier';
import type { WorkItem } from '../work/worker';
import { WebhookDeliveries } from './webhook-deliveries.service';
import type { SigningNumber } from './number-secrets.service';
import { UnknownAddressError } from './webhook-rejects.service';

/** Workers take whatever is due, so webhooks that come together need no separate items. */
export const ANY_WEBHOOK: WorkItem = { accountId: null, id: 'any' };

/** Meta names the business's number before anything that a customer wrote, within the first 300 bytes. */
const NUMBER = /"phone_number_id"\s*:\s*"(\d{1,20})"/;
const NUMBER_WITHIN_BYTES = 1_024;

/**
 * The number that a body is for, without parsing it; empty when it is not found at once. Used only to share claims
 * fairly.
 */
const numberIn = (body: Buffer): string =>
  NUMBER.exec(body.toString('latin1', 0, NUMBER_WITHIN_BYTES))?.[1] ?? '';

/** Stores webhooks durably, as they came, before the provider gets its answer. A worker reads them later. */
@Injectable()
export class WebhookIntake {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly claims: WebhookDeliveries,
    private readonly work: WorkNotifier,
  ) {}

  /**
   * A body that names its number.
   * @param signers the numbers by whose own app secret it is signed; null: an app of the installation signed it
   */
  async take(
    provider: WebhookProvider,
    body: Buffer,
    signers: readonly SigningNumber[] | null,
  ): Promise<void> {
    // A number's own app must not take the turns of a number that it only names.
    const group = signers ? (signers[0]?.sender ?? '') : numberIn(body);
    const signedFor = signers && signers.map(({ identity }) => identity);
    await this.deliveries.store({ provider, botId: null, group, signedFor, body });
    this.notify();
  }

  /**
   * A body that came to a bot's address.
   * @throws UnknownAddressError
   */
  async takeForBot(provider: WebhookProvider, botId: string, body: Buffer): Promise<void> {
    const isStored =
      isUuid(botId) &&
      (await this.deliveries.store({ provider, botId, group: botId, signedFor: null, body }));
    if (!isStored) throw new UnknownAddressError();
    this.notify();
  }

  private notify(): void {
    if (!this.claims.isClaimComing) this.work.notify('inbound-webhooks', ANY_WEBHOOK);
  }
}
