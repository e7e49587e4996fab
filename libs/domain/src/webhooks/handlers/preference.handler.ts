import type { Arrival } from '@app/persistence/messages/arrival.time';
import type { ReceivingNumber } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { OptOuts } from '../../messages/opt-outs.service';
import { threadAddressOf } from '../thread.address';
import type { Preference } from '../provider.events';

/** The provider's own opt-out control. That it was lifted there changes nothing here: only the customer's own START does. */
@Injectable()
export class PreferenceHandler {
  constructor(private readonly optOuts: OptOuts) {}

  async apply(at: ReceivingNumber, event: Preference, arrival: Arrival): Promise<void> {
    if (event.value !== 'stop') return;
    await this.optOuts.toldByControl(at, threadAddressOf(event.contact), { at: event.at, arrival }, [
      // Without a time a repetition cannot be told from a second request, and an opt-out prevails.
      event.at?.toISOString() ?? `${arrival.receivedAt} ${arrival.position}`,
    ]);
  }
}
