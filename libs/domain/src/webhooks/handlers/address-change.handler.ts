import { hash } from 'node:crypto';
import { CustomerRepository, toldBy } from '@app/persistence/messages/incoming/customer.repository';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { threadAddressOf } from '../thread-address';
import type { AddressChange } from '../provider-events';

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
