import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { Injectable, Logger } from '@nestjs/common';
import { InboundEventHandler } from './inbound-event.handler';
import type { OpenItem } from './item-groups';
import { UnknownNumberError, type WebhookSource } from './webhook-source';

/** Where an item came from. */
export interface ItemOrigin {
  source: WebhookSource;
  arrival: Arrival;
}

/** What became of an item. */
export interface ItemOutcome {
  /** Why it cannot be taken in; null where it was. */
  reason: string | null;
  /** Whether it is about a message of an erased customer: then nothing has changed. */
  isErased: boolean;
}

const refused = (reason: string): ItemOutcome => ({ reason, isErased: false });

/** Takes in one item of a webhook. What was taken in before has no second effect. */
@Injectable()
export class WebhookItemIntake {
  private readonly logger = new Logger(WebhookItemIntake.name);

  constructor(private readonly events: InboundEventHandler) {}

  /** @throws DatabaseUnavailableError when it may be tried again */
  async take(item: OpenItem, { source, arrival }: ItemOrigin): Promise<ItemOutcome> {
    if ('reason' in item) return refused(item.reason);
    try {
      return { reason: null, isErased: await this.events.apply(source, item.event, arrival) };
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      if (!(error instanceof UnknownNumberError)) {
        const about = { err: error, delivery: arrival.webhook, path: item.path };
        this.logger.error(about, 'An item of a webhook could not be applied; it is kept aside.');
      }
      return refused(error instanceof Error ? error.message : String(error));
    }
  }
}
