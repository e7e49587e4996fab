import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { ControlRepository } from '@app/persistence/messages/incoming/handover.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { ReplyAbility } from '../../leads/reply-ability';
import type { Handover } from '../provider-events';
import { threadAddressOf } from '../thread-address';

/** Another AI on the number took a dialog, or passed it to us. A customer without a dialog has nobody to silence. */
@Injectable()
export class HandoverHandler {
  constructor(
    private readonly control: ControlRepository,
    private readonly ability: ReplyAbility,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply(
    at: ReceivingNumber,
    { contact, to, at: reportedAt }: Handover,
    arrival: Arrival,
  ): Promise<void> {
    const control = { elsewhere: to === 'elsewhere', reportedAt };
    if (await this.control.report(at, threadAddressOf(contact), control, this.ability, arrival))
      this.eventNotifier.notify(at.accountId);
  }
}
