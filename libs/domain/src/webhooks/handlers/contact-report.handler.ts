import { hash } from 'node:crypto';
import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { CustomerRepository, toldBy } from '@app/persistence/messages/incoming/customer.repository';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { OptOuts } from '../../messages/dialog/opt-outs.service';
import { threadAddressOf } from '../incoming-message';
import type { ContactReport, AddressChange, Preference } from '../provider-events';

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

/**
 * The customer has a new number or user id. The dialog keeps the customer; where another dialog has that address, both
 * are known to be of one customer.
 */
@Injectable()
export class AddressChangeHandler {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply(at: ReceivingNumber, event: AddressChange): Promise<void> {
    const address = threadAddressOf(event.from);
    const moves = event.to.phone === null ? 'userId' : 'number';
    const to =
      moves === 'number'
        ? toldBy(threadAddressOf({ ...event.to, name: null }))
        : { ...toldBy(address), userId: event.to.userId };
    const mark = hash('sha256', JSON.stringify(['address', at.botId, at.channel, event.messageId]), 'buffer');
    const of = { address, phoneFirst: event.phoneFirst };
    if (await this.customers.learn(at, of, to, { moves, mark })) this.eventNotifier.notify(at.accountId);
  }
}

/** The provider's opt-out control. Lifting it there changes nothing here: only the customer's START does. */
@Injectable()
export class PreferenceHandler {
  constructor(
    private readonly optOuts: OptOuts,
    private readonly customers: CustomerRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply(at: ReceivingNumber, event: Preference, arrival: Arrival): Promise<void> {
    const address = threadAddressOf(event.contact);
    const teaches = address.phone !== null && address.userId !== null;
    if (teaches && (await this.customers.learn(at, { address }, toldBy(address))))
      this.eventNotifier.notify(at.accountId);
    if (event.value !== 'stop') return;
    await this.optOuts.toldByControl(at, address, { at: event.at, arrival }, [
      // Without a time a repeated report cannot be told from a second request, so the opt-out stays.
      event.at?.toISOString() ?? `${arrival.receivedAt} ${arrival.position}`,
    ]);
  }
}
