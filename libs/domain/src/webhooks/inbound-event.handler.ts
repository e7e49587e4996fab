import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { Injectable } from '@nestjs/common';
import { AccountReportHandler } from './handlers/account-report.handler';
import { AddressChangeHandler } from './handlers/address-change.handler';
import { ContactReportHandler } from './handlers/contact-report.handler';
import { CustomerMessageHandler } from './handlers/customer-message.handler';
import { EchoHandler } from './handlers/echo.handler';
import { HandoverHandler } from './handlers/handover.handler';
import { PastMessageHandler } from './handlers/past-message.handler';
import { PreferenceHandler } from './handlers/preference.handler';
import { StateReportHandler } from './handlers/state-report.handler';
import { TemplateReportHandler } from './handlers/template-report.handler';
import type { ProviderEvent } from './provider-events';
import type { WebhookSource } from './webhook-source';

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
