import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { CustomerRepository, toldBy } from '@app/persistence/messages/incoming/customer.repository';
import {
  IncomingRepository,
  type ReceivingNumber,
  type TakenMessage,
} from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { AgentLimits } from '../../agent/reply-run';
import { EventNotifier } from '../../events/event-notifier.service';
import { OptOuts } from '../../messages/dialog/opt-outs.service';
import { Slots } from '../../work/work-slots';
import { MediaNotices } from '../../media/media-files.service';
import { incomingMessage, threadAddressOf } from '../incoming-message';
import { MessageRevisions } from '../message-revisions.service';
import { optRequestOf } from '../opt-out.words';
import type { ContactAddress, CustomerMessage, SharedPhone } from '../provider-events';
import type { WebhookNumber } from '../webhook-source';

/** Threads of which this process waits for whoever holds them: each takes a connection. */
const HELD_THREADS_AT_ONCE = 3;

/** A customer's message waits in its thread, and silences the agent where it says STOP. */
@Injectable()
export class CustomerMessageHandler {
  private readonly heldThreads = new Slots(HELD_THREADS_AT_ONCE);

  constructor(
    private readonly incoming: IncomingRepository,
    private readonly customers: CustomerRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly media: MediaNotices,
    private readonly agent: AgentLimits,
    private readonly revisions: MessageRevisions,
    private readonly optOuts: OptOuts,
  ) {}

  /** @returns whether the message is one of an erased customer */
  async apply(at: WebhookNumber, event: CustomerMessage, arrival: Arrival): Promise<boolean> {
    if (this.revisions.revises(event)) {
      const isErased = await this.revisions.apply(
        at,
        event,
        { customer: event.from, byCustomer: true },
        arrival,
        (original) => this.receive(at, { ...event, ...original }, arrival),
      );
      if (!isErased) await this.takeStop(at, event, arrival);
      return isErased;
    }
    const taken = await this.receive(at, event, arrival);
    if (!taken.isOvertaken) return taken.isErased;
    // It is here as what an edit has made of it, but this is what it said.
    if (!taken.isErased && !taken.isStored) await this.takeStop(at, event, arrival);
    await this.revisions.overtook(at, event, event.from, arrival, taken);
    return taken.isErased;
  }

  private async takeStop(at: WebhookNumber, event: CustomerMessage, arrival: Arrival): Promise<void> {
    if (optRequestOf(event.body.words, at.optWords) !== 'stop') return;
    const optRequest = { at: event.sentAt, arrival };
    await this.optOuts.toldByEdit(at, threadAddressOf(event.from), optRequest, event.messageId);
  }

  private async receive(at: WebhookNumber, event: CustomerMessage, arrival: Arrival): Promise<TakenMessage> {
    const message = incomingMessage(event, event.from, arrival, at.channel, this.agent.transcribes);
    const optRequest = message.quiet ? null : optRequestOf(event.body.words, at.optWords);
    const quietMs = this.agent.answers ? this.agent.quietMs : null;
    const received = { at, message, optRequest, standby: event.standby ?? false, quietMs };
    const taken =
      (await this.incoming.receiveTogether(received)) ??
      (await this.heldThreads.run(() => this.incoming.receive(received)));
    const isLearnt =
      !taken.isErased && event.shared !== undefined && (await this.learn(at, event.from, event.shared));
    if (taken.isLogged || isLearnt) this.eventNotifier.notify(at.accountId);
    this.media.cameBy(at.accountId, message);
    return taken;
  }

  private async learn(
    at: ReceivingNumber,
    from: ContactAddress,
    { phone, waId }: SharedPhone,
  ): Promise<boolean> {
    const told = toldBy(threadAddressOf({ phone, waId, userId: null, name: null }));
    return this.customers.learn(at, { address: threadAddressOf(from) }, told, { proven: true });
  }
}
