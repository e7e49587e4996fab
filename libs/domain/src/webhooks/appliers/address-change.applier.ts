import { hash } from 'node:crypto';
import { CustomerRepository } from '@app/persistence/messages/customer.repository';
import type { Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../../events/event-bell.service';
import { dialogAddressOf } from '../dialog.address';
import type { AddressChange } from '../provider.events';

/** The customer has another number or user id: the dialog goes along, unless another one has it. */
@Injectable()
export class AddressChangeApplier {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly bell: EventBell,
  ) {}

  async apply(at: Inlet, event: AddressChange): Promise<void> {
    const to = dialogAddressOf({ ...event.to, name: null });
    const mark = hash('sha256', JSON.stringify(['address', at.botId, at.channel, event.messageId]), 'buffer');
    if (await this.customers.move(at, dialogAddressOf(event.from), to, mark)) this.bell.ring();
  }
}
