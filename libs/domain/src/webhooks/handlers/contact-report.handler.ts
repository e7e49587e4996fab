import { CustomerRepository, toldBy } from '@app/persistence/messages/incoming/customer.repository';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { threadAddressOf } from '../thread-address';
import type { ContactReport } from '../provider-events';

/** A name from the phone's address book, for a customer without a name. */
@Injectable()
export class ContactReportHandler {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply(at: ReceivingNumber, event: ContactReport): Promise<void> {
    const address = threadAddressOf(event.contact);
    const isNamed = address.name !== null && (await this.customers.name(at, address, address.name));
    // Only both together tell something new of a dialog that one of them finds.
    const teaches = address.phone !== null && address.userId !== null;
    const isLearnt = teaches && (await this.customers.learn(at, { address }, toldBy(address)));
    if (isNamed || isLearnt) this.eventNotifier.notify(at.accountId);
  }
}
