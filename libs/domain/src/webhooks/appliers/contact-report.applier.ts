import { CustomerRepository } from '@app/persistence/messages/customer.repository';
import type { Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../../events/event-bell.service';
import { dialogAddressOf } from '../dialog.address';
import type { ContactReport } from '../provider.events';

/** A name of the phone's address book, for a customer who gave none. */
@Injectable()
export class ContactReportApplier {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly bell: EventBell,
  ) {}

  async apply(at: Inlet, event: ContactReport): Promise<void> {
    const address = dialogAddressOf(event.contact);
    if (address.name !== null && (await this.customers.name(at, address, address.name))) this.bell.ring();
  }
}
