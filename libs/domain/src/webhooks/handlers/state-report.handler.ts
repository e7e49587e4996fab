import type { MessageError } from '@app/contracts/message.words';
import { isUuid } from '@app/contracts/uuid.format';
import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import { ControlRepository } from '@app/persistence/messages/incoming/handover.repository';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { ReplyAbility } from '../../leads/reply-ability';
import { DeliveryStates } from '../../messages/delivery/delivery-states.service';
import { threadAddressOf } from '../incoming-message';
import type { StateReport, Handover } from '../provider-events';

const UNEXPLAINED: MessageError = {
  code: 'PROVIDER_ERROR',
  message: 'The provider could not deliver the message and gave no reason.',
  provider_code: null,
};

/** The state of a message of ours. */
@Injectable()
export class StateReportHandler {
  constructor(private readonly states: DeliveryStates) {}

  /** @returns whether the message is one of an erased customer */
  async apply(at: ReceivingNumber, event: StateReport, arrival: Arrival): Promise<boolean> {
    const { state, providerId, whatsappId, reference, optedOut, trouble, pricing } = event;
    return this.states.take(at, {
      state,
      providerId,
      whatsappId,
      // A reference that another sender with the same number passed along is no id of ours.
      reference: reference !== null && isUuid(reference) ? reference : null,
      at: event.at,
      arrival,
      error: state === 'failed' ? (event.error ?? UNEXPLAINED) : null,
      optedOut,
      trouble,
      pricing,
      recipient: event.recipient && threadAddressOf(event.recipient),
    });
  }
}

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
