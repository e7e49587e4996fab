import type { Arrival } from '@app/persistence/messages/arrival.time';
import { IncomingRepository, type ReceivingNumber } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { AgentLimits } from '../../agent/agent.limits';
import { EventNotifier } from '../../events/event-notifier.service';
import { incomingMessage } from '../incoming.message';
import { optRequestOf } from '../opt-out.words';
import type { CustomerMessage } from '../provider.events';

/** A customer's message: it waits in its dialog, and silences the agent when it says STOP. */
@Injectable()
export class CustomerMessageHandler {
  constructor(
    private readonly incoming: IncomingRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly agent: AgentLimits,
  ) {}

  async apply(at: ReceivingNumber, event: CustomerMessage, arrival: Arrival): Promise<void> {
    const message = incomingMessage(event, event.from, arrival);
    const optRequest = message.quiet ? null : optRequestOf(event.body.words);
    const quietMs = this.agent.answers ? this.agent.quietMs : null;
    if (await this.incoming.receive(at, message, optRequest, quietMs)) this.eventNotifier.notify();
  }
}
