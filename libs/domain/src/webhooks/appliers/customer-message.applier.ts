import type { Arrival } from '@app/persistence/messages/arrival.time';
import { IncomingRepository, type Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { AgentLimits } from '../../agent/agent.limits';
import { EventBell } from '../../events/event-bell.service';
import { incomingMessage } from '../incoming.message';
import { wishOf } from '../opt-out.words';
import type { CustomerMessage } from '../provider.events';

/** A customer's message: waits in its dialog, and silences the agent where it says STOP. */
@Injectable()
export class CustomerMessageApplier {
  constructor(
    private readonly incoming: IncomingRepository,
    private readonly bell: EventBell,
    private readonly agent: AgentLimits,
  ) {}

  async apply(at: Inlet, event: CustomerMessage, arrival: Arrival): Promise<void> {
    const message = incomingMessage(event, event.from, arrival);
    const wish = message.quiet ? null : wishOf(event.body.words);
    const quietMs = this.agent.answers ? this.agent.quietMs : null;
    if (await this.incoming.receive(at, message, wish, quietMs)) this.bell.ring();
  }
}
