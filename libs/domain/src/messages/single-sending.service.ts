import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredOutcome } from '@app/persistence/messages/outcome.repository';
import { Injectable } from '@nestjs/common';
import type { OpenChannel } from './channel-connections.service';
import { dispatchedAs, MessageDispatcher } from './message-dispatcher.service';
import type { OutgoingContent, SendOutcome } from './message-sender.port';
import { recipientRestMs, retryInMs, type Attempt } from './send-outcome.rules';
import { SendPacers } from './send-pacers.service';

/** Longest that a caller waits for its number's turn before it is told to come again. */
const TURN_MS_MAX = 3_000;
/** Since it was claimed: what a process that was held up would begin later might be called unknown already. */
const BEGIN_WITHIN_MS = 4_500;
const HELD_UP: SendOutcome = {
  kind: 'not_connected',
  message: 'The service was held up before it could ask the provider.',
};

export interface SingleMessage {
  id: string;
  thread_id: string;
  recipient: string;
  content: object;
  token: string;
  /** By `performance.now()`, before it was stored. */
  claimedAt: number;
  /** How long the number is paused; null when it is not. */
  paused_ms: number | null;
}

export interface SingleResult {
  stored: StoredOutcome;
  /** When the caller may try again, where that helps. */
  retryAfterSeconds?: number;
  /** The provider's own number for the error; null where it named none. */
  providerCode: number | null;
}

/** Sends one message that its caller waits for. It is claimed already. */
@Injectable()
export class SingleSending {
  constructor(
    private readonly dispatcher: MessageDispatcher,
    private readonly pacers: SendPacers,
  ) {}

  /** Resolves when the outcome is kept. */
  async send(open: OpenChannel, message: SingleMessage): Promise<SingleResult> {
    const { connection } = open;
    const { accountId, botId, channel } = connection;
    const lane = { accountId, botId, channel };
    const attempt: Attempt = {
      accountId,
      id: message.id,
      threadId: message.thread_id,
      token: message.token,
      attempts: 1,
      waitedMs: 0,
      mayWait: false,
    };
    const refused = (await this.waitForTurn(open, message)) ?? heldUp(message);
    const content = message.content as OutgoingContent;
    const dispatched = refused
      ? dispatchedAs(attempt, refused)
      : await this.dispatcher.request(connection, attempt, message.recipient, content);
    await this.dispatcher.keep(lane, dispatched);
    const { outcome, stored } = dispatched;
    if (!refused && outcome.kind === 'throttled' && outcome.scope === 'recipient') {
      const pacer = this.pacers.of(lane, open.messagesPerSecond);
      pacer.pauseRecipient(message.recipient, recipientRestMs(attempt, outcome));
    }
    const waitMs = retryInMs(attempt, outcome);
    const result = { stored, providerCode: stored.error?.provider_code ?? null };
    return waitMs === null ? result : { ...result, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
  }

  /** @returns the refusal of a number that cannot take the message soon. */
  private async waitForTurn(
    { connection, messagesPerSecond }: OpenChannel,
    { recipient, paused_ms: pausedMs }: SingleMessage,
  ): Promise<SendOutcome | null> {
    if (pausedMs !== null) return resting(pausedMs);
    const pacer = this.pacers.of(connection, messagesPerSecond);
    const turnMs = pacer.waitFor(recipient);
    if (turnMs > TURN_MS_MAX) return resting(turnMs);
    // Its turn is taken before it comes: a batch, which always waits for the next one, would be first each time.
    pacer.take(recipient);
    if (turnMs > 0) await sleep(turnMs);
    return null;
  }
}

const heldUp = ({ claimedAt }: SingleMessage): SendOutcome | null =>
  performance.now() - claimedAt > BEGIN_WITHIN_MS ? HELD_UP : null;

/** Nobody was asked, so there is no answer of the provider's to show; and nothing new to rest for. */
const resting = (milliseconds: number): SendOutcome => ({
  kind: 'throttled',
  scope: 'recipient',
  retryAfterMs: milliseconds,
  providerCode: null,
  message: 'The provider takes no more messages from this number, or to this recipient, for a moment.',
  response: null,
});
