import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import {
  IncomingRepository,
  type ReceivingNumber,
  type TakenMessage,
} from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { MediaNotices } from '../../media/media-files.service';
import { incomingMessage } from '../incoming-message';
import { MessageRevisions } from '../message-revisions.service';
import type { PastMessage, Echo } from '../provider-events';

/** A message from before the number was connected. It is ordered by its own time and has no effects. */
@Injectable()
export class PastMessageHandler {
  constructor(
    private readonly incoming: IncomingRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly media: MediaNotices,
    private readonly revisions: MessageRevisions,
  ) {}

  /** @returns whether the message is one of an erased customer */
  async apply(at: ReceivingNumber, event: PastMessage, arrival: Arrival): Promise<boolean> {
    if (this.revisions.revises(event)) {
      return this.revisions.apply(
        at,
        event,
        { customer: event.contact, byCustomer: event.fromCustomer },
        arrival,
        (original) => this.keep(at, { ...event, ...original }, arrival),
      );
    }
    const taken = await this.keep(at, event, arrival);
    if (taken.isOvertaken) await this.revisions.overtook(at, event, event.contact, arrival, taken);
    return taken.isErased;
  }

  private async keep(at: ReceivingNumber, event: PastMessage, arrival: Arrival): Promise<TakenMessage> {
    const role = event.fromCustomer ? 'USER' : 'OPERATOR';
    const status = event.fromCustomer ? 'received' : event.state;
    const message = incomingMessage(event, event.contact, arrival, at.channel);
    const taken = await this.incoming.keepPast(at, message, role, status);
    if (taken.isLogged) this.eventNotifier.notify(at.accountId);
    this.media.cameBy(at.accountId, message);
    return taken;
  }
}

/** What an operator wrote in the phone's app, which starts a takeover; or what another AI on the number wrote. */
@Injectable()
export class EchoHandler {
  constructor(
    private readonly incoming: IncomingRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly media: MediaNotices,
    private readonly revisions: MessageRevisions,
  ) {}

  /** @returns whether the message is one of an erased customer */
  async apply(at: ReceivingNumber, event: Echo, arrival: Arrival): Promise<boolean> {
    if (this.revisions.revises(event)) {
      return this.revisions.apply(at, event, { customer: event.to, byCustomer: false }, arrival, (original) =>
        this.keep(at, { ...event, ...original }, arrival),
      );
    }
    const taken = await this.keep(at, event, arrival);
    if (taken.isOvertaken) await this.revisions.overtook(at, event, event.to, arrival, taken);
    return taken.isErased;
  }

  private async keep(at: ReceivingNumber, event: Echo, arrival: Arrival): Promise<TakenMessage> {
    const message = incomingMessage(event, event.to, arrival, at.channel);
    const taken = await (event.standby
      ? this.incoming.standbyEcho(at, message)
      : this.incoming.echo(at, message));
    if (taken.isLogged) this.eventNotifier.notify(at.accountId);
    this.media.cameBy(at.accountId, message);
    return taken;
  }
}
