import type { Arrival } from '@app/persistence/messages/arrival.time';
import type { Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { OptOuts } from '../../messages/opt-outs.service';
import { dialogAddressOf } from '../dialog.address';
import type { Preference } from '../provider.events';

/** The provider's own opt-out control. That it was lifted there changes nothing here: only the customer's own START does. */
@Injectable()
export class PreferenceApplier {
  constructor(private readonly optOuts: OptOuts) {}

  async apply(at: Inlet, event: Preference, arrival: Arrival): Promise<void> {
    if (event.value !== 'stop') return;
    await this.optOuts.toldByControl(at, dialogAddressOf(event.contact), { at: event.at, arrival }, [
      // Without a time nothing tells a repetition from a second wish, and a wish to be left alone goes first.
      event.at?.toISOString() ?? `${arrival.receivedAt} ${arrival.place}`,
    ]);
  }
}
