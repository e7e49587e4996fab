import type { StoredOutcome } from '@app/persistence/messages/delivery/outcome.repository';
import { Injectable } from '@nestjs/common';
import { BEGIN_WITHIN_MS } from '../../work/work-times';
import type { OpenChannel } from './channel-connections.service';
import { type ElapsedTime, TimedSendPermit } from '../dispatch/elapsed-time';
import { dispatchedAs, MessageDispatcher, type Dispatched } from '../dispatch/message-dispatcher.service';
import { NoSlotError, NumberBusyError } from '../dialog/message.errors';
import type { OutgoingContent, SendOutcome, SendSlot } from '../dispatch/message-sender.port';
import { retryInMs, type Attempt } from '../dispatch/send-outcome.rules';
import { SendReservation } from '../dispatch/send-reservation';

/** Longest wait of a caller for its number's pace. Beyond it the call is refused with a time to try again. */
const PACE_MS_MAX = 3_000;
const NOT_BEGUN: SendOutcome = {
  kind: 'not_connected',
  message: 'The service was held up before it could ask the provider: nothing was sent.',
};

export interface SingleMessage {
  id: string;
  recipient: string;
  content: object;
  token: string;
  /** Since before it was stored. */
  claimed: ElapsedTime;
  /** How long the number is paused; null when it is not. */
  paused_ms: number | null;
}

export interface SingleResult {
  stored: StoredOutcome;
  /** When the caller may try again, where that helps. */
  retryAfterSeconds?: number;
  /** The provider's number for the error; null where it named none. */
  providerCode: number | null;
}

/** Sends one message whose caller waits for the outcome. It is claimed already. */
@Injectable()
export class SingleSending {
  constructor(private readonly dispatcher: MessageDispatcher) {}

  /**
   * Reserves a time of the number and a slot for a message that is about to be stored. The caller must release them at the
   * end.
   * @throws NoSlotError, and NumberBusyError when the time is too far off.
   */
  reserve(open: OpenChannel, recipient: string): SendReservation {
    const slot = this.dispatcher.keepSlot(open);
    if (slot === null) throw new NoSlotError();
    const pace = this.dispatcher.reserve(open, recipient, PACE_MS_MAX);
    if (typeof pace !== 'number') return new SendReservation(pace, slot);
    slot.release();
    throw new NumberBusyError(Math.ceil(pace / 1_000));
  }

  /** Resolves when the outcome is stored. */
  async send(open: OpenChannel, message: SingleMessage, reservation: SendReservation): Promise<SingleResult> {
    const { accountId, botId, channel } = open.connection;
    const attempt: Attempt = {
      accountId,
      id: message.id,
      token: message.token,
      attempts: 1,
      waitedMs: 0,
      mayWait: false,
    };
    const dispatched =
      message.paused_ms === null
        ? await this.request(open, attempt, message, await reservation.use())
        : dispatchedAs(attempt, paused(message.paused_ms));
    await this.dispatcher.keep({ accountId, botId, channel }, dispatched);
    const { outcome, stored } = dispatched;
    const waitMs = retryInMs(attempt, outcome);
    const result = { stored, providerCode: stored.error?.provider_code ?? null };
    return waitMs === null ? result : { ...result, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
  }

  private async request(
    open: OpenChannel,
    attempt: Attempt,
    { recipient, content, claimed }: SingleMessage,
    slot: SendSlot,
  ): Promise<Dispatched> {
    const dispatched = await this.dispatcher.request(open, attempt, {
      recipient,
      content: content as OutgoingContent,
      permit: new TimedSendPermit(claimed, BEGIN_WITHIN_MS),
      slot,
    });
    return dispatched.outcome.kind === 'withheld' ? dispatchedAs(attempt, NOT_BEGUN) : dispatched;
  }
}

/**
 * The number is in a pause that its provider asked for. The provider was not asked now, so there is no answer to
 * show, and no new pause.
 */
const paused = (milliseconds: number): SendOutcome => ({
  kind: 'throttled',
  scope: 'recipient',
  retryAfterMs: milliseconds,
  providerCode: null,
  message: 'The provider takes no more messages from this number for a moment.',
  response: null,
});
