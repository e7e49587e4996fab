import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import type { Arrival } from '@app/persistence/messages/arrival.time';
import { Injectable, Logger } from '@nestjs/common';
import { InboundEventHandler } from './inbound-event.handler';
import type { OpenItem } from './item.groups';
import { UnknownNumberError, type WebhookSource } from './webhook.source';

/** Where an item came from. */
export interface ItemOrigin {
  source: WebhookSource;
  arrival: Arrival;
}

/** Takes in one item of a webhook. What was taken in before has no second effect. */
@Injectable()
export class WebhookItemIntake {
  private readonly logger = new Logger(WebhookItemIntake.name);

  constructor(private readonly events: InboundEventHandler) {}

  /**
   * @returns why it cannot be taken in; null where it was
   * @throws DatabaseUnavailableError when it may be tried again
   */
  async take(item: OpenItem, { source, arrival }: ItemOrigin): Promise<string | null> {
    if ('reason' in item) return item.reason;
    try {
      await this.events.apply(source, item.event, arrival);
      return null;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      if (!(error instanceof UnknownNumberError)) {
        const about = { err: error, delivery: arrival.webhook, path: item.path };
        this.logger.error(about, 'An item of a webhook could not be applied; it is kept aside.');
      }
      return error instanceof Error ? error.message : String(error);
    }
  }
}
