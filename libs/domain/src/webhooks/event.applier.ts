import type { Arrival } from '@app/persistence/messages/arrival.time';
import { Injectable } from '@nestjs/common';
import { AccountReportApplier } from './appliers/account-report.applier';
import { AddressChangeApplier } from './appliers/address-change.applier';
import { ContactReportApplier } from './appliers/contact-report.applier';
import { CustomerMessageApplier } from './appliers/customer-message.applier';
import { EchoApplier } from './appliers/echo.applier';
import { PastMessageApplier } from './appliers/past-message.applier';
import { PreferenceApplier } from './appliers/preference.applier';
import { StateReportApplier } from './appliers/state-report.applier';
import { TemplateReportApplier } from './appliers/template-report.applier';
import type { ProviderEvent } from './provider.events';
import type { WebhookSource } from './webhook.source';

/** The appliers of all kinds. */
export const EVENT_APPLIERS = [
  AccountReportApplier,
  AddressChangeApplier,
  ContactReportApplier,
  CustomerMessageApplier,
  EchoApplier,
  PastMessageApplier,
  PreferenceApplier,
  StateReportApplier,
  TemplateReportApplier,
];

/**
 * Gives an event to the applier of its kind. Each has its effect once, however often the event comes; messages, wishes,
 * states and reports of numbers find their place by their times, in whatever order they are given.
 */
@Injectable()
export class EventApplier {
  constructor(
    private readonly accounts: AccountReportApplier,
    private readonly addresses: AddressChangeApplier,
    private readonly contacts: ContactReportApplier,
    private readonly messages: CustomerMessageApplier,
    private readonly echoes: EchoApplier,
    private readonly past: PastMessageApplier,
    private readonly preferences: PreferenceApplier,
    private readonly states: StateReportApplier,
    private readonly templates: TemplateReportApplier,
  ) {}

  /**
   * @throws UnknownNumberError when no bot of ours has the number.
   * @throws DatabaseUnavailableError when it may be tried again.
   */
  async apply(source: WebhookSource, event: ProviderEvent, arrival: Arrival): Promise<void> {
    switch (event.kind) {
      case 'message':
        return this.messages.apply(await source.inletOf(event.number), event, arrival);
      case 'echo':
        return this.echoes.apply(await source.inletOf(event.number), event, arrival);
      case 'past':
        return this.past.apply(await source.inletOf(event.number), event, arrival);
      case 'state':
        return this.states.apply(await source.inletOf(event.number), event, arrival);
      case 'preference':
        return this.preferences.apply(await source.inletOf(event.number), event, arrival);
      case 'contact':
        return this.contacts.apply(await source.inletOf(event.number), event);
      case 'address':
        return this.addresses.apply(await source.inletOf(event.number), event);
      case 'template':
        return this.templates.apply(source, event);
      case 'account':
        return this.accounts.apply(source, event);
    }
  }
}
