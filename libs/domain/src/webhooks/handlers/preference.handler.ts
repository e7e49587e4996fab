import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { CustomerRepository, toldBy } from '@app/persistence/messages/incoming/customer.repository';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { OptOuts } from '../../messages/dialog/opt-outs.service';
import { threadAddressOf } from '../thread-address';
import type { Preference } from '../provider-events';

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
