import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { Injectable, Logger } from '@nestjs/common';
import { AccountReportHandler } from './handlers/account-report.handler';
import {
  AddressChangeHandler,
  ContactReportHandler,
  PreferenceHandler,
} from './handlers/contact-report.handler';
import { CustomerMessageHandler } from './handlers/customer-message.handler';
import { EchoHandler, PastMessageHandler } from './handlers/past-message.handler';
import { HandoverHandler, StateReportHandler } from './handlers/state-report.handler';
import { TemplateReportHandler } from './handlers/template-report.handler';
import type { OpenItem } from './item-groups';
import type { ProviderEvent } from './provider-events';
import { type WebhookSource, UnknownNumberError } from './webhook-source';

/** The handlers of all kinds. */
export const INBOUND_EVENT_HANDLERS = [
  AccountReportHandler,
  AddressChangeHandler,
  ContactReportHandler,
  CustomerMessageHandler,
  EchoHandler,
  HandoverHandler,
  PastMessageHandler,
  PreferenceHandler,
  StateReportHandler,
  TemplateReportHandler,
];

/**
 * Gives an event to the handler of its kind. Each event has its effect once, however often it comes. Messages, opt
 * requests, states and reports of numbers are ordered by their times, in whatever order they are processed.
 */
@Injectable()
export class InboundEventHandler {
  constructor(
    private readonly accounts: AccountReportHandler,
    private readonly addresses: AddressChangeHandler,
    private readonly contacts: ContactReportHandler,
    private readonly messages: CustomerMessageHandler,
    private readonly echoes: EchoHandler,
    private readonly handovers: HandoverHandler,
    private readonly past: PastMessageHandler,
    private readonly preferences: PreferenceHandler,
    private readonly states: StateReportHandler,
    private readonly templates: TemplateReportHandler,
  ) {}

  /**
   * @returns whether it is about a message of an erased customer: then nothing has changed.
   * @throws UnknownNumberError when no bot of ours has the number.
   * @throws DatabaseUnavailableError when it may be tried again.
   */
  async apply(source: WebhookSource, event: ProviderEvent, arrival: Arrival): Promise<boolean> {
    switch (event.kind) {
      case 'message':
        return this.messages.apply(await source.receivingNumberOf(event.number), event, arrival);
      case 'echo':
        return this.echoes.apply(await source.receivingNumberOf(event.number), event, arrival);
      case 'handover':
        await this.handovers.apply(await source.receivingNumberOf(event.number), event, arrival);
        return false;
      case 'past':
        return this.past.apply(await source.receivingNumberOf(event.number), event, arrival);
      case 'state':
        return this.states.apply(await source.receivingNumberOf(event.number), event, arrival);
      case 'preference':
        await this.preferences.apply(await source.receivingNumberOf(event.number), event, arrival);
        return false;
      case 'contact':
        await this.contacts.apply(await source.receivingNumberOf(event.number), event);
        return false;
      case 'address':
        await this.addresses.apply(await source.receivingNumberOf(event.number), event);
        return false;
      case 'template':
        await this.templates.apply(source, event);
        return false;
      case 'account':
        await this.accounts.apply(source, event);
        return false;
    }
  }
}

/** Where an item came from. */
interface ItemOrigin {
  source: WebhookSource;
  arrival: Arrival;
}

/** What became of an item. */
interface ItemOutcome {
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
