import { randomUUIDv7 } from 'node:crypto';
import type { Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { OptOuts } from '../../messages/opt-outs.service';
import { dialogAddressOf } from '../dialog.address';
import type { Preference } from '../provider.events';

/** The provider's own opt-out control. That it was lifted there changes nothing here: only the customer's own START does. */
@Injectable()
export class PreferenceApplier {
  constructor(private readonly optOuts: OptOuts) {}

  async apply(at: Inlet, event: Preference): Promise<void> {
    if (event.value !== 'stop') return;
    await this.optOuts.toldByControl(at, dialogAddressOf(event.contact), [
      // Without a time nothing tells a repetition from a second wish, and a wish to be left alone goes first.
      event.at?.toISOString() ?? randomUUIDv7(),
    ]);
  }
}
