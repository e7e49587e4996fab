import type { Lane } from '@app/persistence/messages/lane.repository';
import { LaneRepository } from '@app/persistence/messages/lane.repository';
import { OutcomeRepository, type StoredOutcome } from '@app/persistence/messages/outcome.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import {
  MessageSenders,
  type ChannelConnection,
  type OutgoingContent,
  type OutgoingMessage,
  type Recipient,
  type SendOutcome,
  type SendPermission,
} from './message-sender.port';
import { OptOuts } from './opt-outs.service';
import { throughOutages } from './outage.patience';
import { restMs, ruleOutcome, type Attempt } from './send-outcome.rules';

/** What a provider did is told to nobody else: it is kept for as long as anybody could still wait for it. */
const KEEP_TRYING_MS = 60_000;

/** When a refusal was told that answers a request of ours. */
const JUST_NOW = { at: null, arrival: null };

/** What one attempt came to, and what is kept of it. */
export interface Dispatched {
  attempt: Attempt;
  outcome: SendOutcome;
  stored: StoredOutcome;
}

export const dispatchedAs = (attempt: Attempt, outcome: SendOutcome): Dispatched => ({
  attempt,
  outcome,
  stored: ruleOutcome(attempt, outcome),
});

/** Makes the one request of a claimed message and keeps what becomes of it. */
@Injectable()
export class MessageDispatcher {
  private readonly logger = new Logger(MessageDispatcher.name);

  constructor(
    private readonly senders: MessageSenders,
    private readonly outcomes: OutcomeRepository,
    private readonly lanes: LaneRepository,
    private readonly optOuts: OptOuts,
    private readonly bell: EventBell,
  ) {}

  /** Whether a request that begins in the same tick would have a place among those under way. */
  hasPlace(connection: ChannelConnection): boolean {
    return this.senders.of(connection.channel).hasPlace(connection);
  }

  /**
   * Hands the message to its provider.
   * @param permission looked at when its first byte is written
   * @returns the outcome, which is not kept yet: {@link keep} does that.
   */
  async request(
    connection: ChannelConnection,
    attempt: Attempt,
    recipient: string,
    content: OutgoingContent,
    permission?: SendPermission,
  ): Promise<Dispatched> {
    const message: OutgoingMessage = {
      reference: attempt.id,
      to: recipientOf(recipient),
      content,
      permission,
    };
    const outcome = await this.senders.of(connection.channel).send(connection, message);
    return dispatchedAs(attempt, outcome);
  }

  /**
   * Keeps an outcome, through an outage of the database too, and lets its number rest where the provider says so.
   * @throws DatabaseUnavailableError when the outage lasts: the claim's deadline then makes the message unknown.
   */
  async keep(lane: Lane, { attempt, outcome, stored }: Dispatched): Promise<void> {
    if (outcome.kind === 'throttled' && outcome.scope === 'number') {
      await this.throughOutages(() => this.lanes.pause(lane, restMs(attempt, outcome)));
    }
    try {
      // Before the outcome, after which nobody would come back to it: an opt-out is told once, however often it comes.
      if (outcome.kind === 'refused' && outcome.optedOut) {
        await this.throughOutages(() =>
          this.optOuts.toldByRefusal(lane, attempt.threadId, attempt.id, JUST_NOW),
        );
      }
    } finally {
      await this.throughOutages(() => this.outcomes.store(stored));
      this.bell.ring();
    }
  }

  private async throughOutages<T>(act: () => Promise<T>): Promise<T> {
    return throughOutages(act, KEEP_TRYING_MS, (error) =>
      this.logger.warn({ err: error }, 'What became of a message cannot be kept yet; it is tried again.'),
    );
  }
}

/** A phone begins with its plus; anything else is a provider's user id. */
const recipientOf = (recipient: string): Recipient =>
  recipient.startsWith('+') ? { phone: recipient } : { userId: recipient };
