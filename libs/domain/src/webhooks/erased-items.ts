import {
  CustomerWebhookRepository,
  type HeldWebhook,
} from '@app/persistence/privacy/customer-webhook.repository';
import { Injectable } from '@nestjs/common';
import { CustomerBodies } from '../privacy/customer-bodies';
import type { ContactAddress, ProviderEvent } from './provider-events';

/** An item about a message of an erased customer: a late report, or a message that came again. */
export interface ErasedItem {
  accountId: string;
  event: ProviderEvent;
}

/** Takes erased customers out of a webhook that tells of them once more, when all of it has been taken in. */
@Injectable()
export class ErasedItems {
  constructor(private readonly webhooks: CustomerWebhookRepository) {}

  /** What others' items say stays. An account's erasure touches no other account's items. */
  async drop(webhook: HeldWebhook, items: readonly ErasedItem[]): Promise<void> {
    const needles = new Map<string, string[]>();
    for (const { accountId, event } of items)
      needles.set(accountId, [...(needles.get(accountId) ?? []), ...namesOf(event)]);
    for (const [accountId, its] of needles)
      webhook = await this.webhooks.redactHeld(webhook, accountId, new CustomerBodies(its));
  }
}

/** What names the item's message and its customer, without a plus. Every such item has an id of the message. */
function namesOf(event: ProviderEvent): string[] {
  switch (event.kind) {
    case 'state':
      return [event.providerId, event.whatsappId, event.reference, ...addressesOf(event.recipient)].flatMap(
        (name) => name ?? [],
      );
    case 'message':
      return [event.messageId, ...addressesOf(event.from)];
    case 'echo':
      return [event.messageId, ...addressesOf(event.to)];
    case 'past':
      return [event.messageId, ...addressesOf(event.contact)];
    default:
      return [];
  }
}

const addressesOf = (customer: ContactAddress | null): string[] =>
  [customer?.phone, customer?.userId, customer?.waId].flatMap((address) => address?.replace(/^\+/, '') ?? []);
