import type { Arrival } from '@app/persistence/messages/arrival.time';
import { IncomingRepository, type Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../../events/event-bell.service';
import { incomingMessage } from '../incoming.message';
import type { PastMessage } from '../provider.events';

/** A message from before the number was connected: takes its place in the dialog and wakes nothing. */
@Injectable()
export class PastMessageApplier {
  constructor(
    private readonly incoming: IncomingRepository,
    private readonly bell: EventBell,
  ) {}

  async apply(at: Inlet, event: PastMessage, arrival: Arrival): Promise<void> {
    const role = event.fromCustomer ? 'USER' : 'OPERATOR';
    const status = event.fromCustomer ? 'received' : event.state;
    const message = incomingMessage(event, event.contact, arrival);
    if (await this.incoming.keepPast(at, message, role, status)) this.bell.ring();
  }
}
