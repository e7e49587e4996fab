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
} from './message-sender.port';
import { OptOuts } from './opt-outs.service';
import { throughOutages } from './outage.patience';
import { restMs, ruleOutcome, type Attempt } from './send-outcome.rules';

/** What a provider did is told to nobody else: it is kept for as long as anybody could still wait for it. */
const KEEP_TRYING_MS = 60_000;

/** What one attempt came to, and what was kept of it. */
export interface Dispatched {
  outcome: SendOutcome;
  stored: StoredOutcome;
}

/** Makes the one request of a claimed message and keeps what becomes of it. */
@Injectable()
export class MessageDispatcher {
  private readonly logger = new Logger(MessageDispatcher.name);
  private readonly keeping = new Set<Promise<void>>();

  constructor(
    private readonly senders: MessageSenders,
    private readonly outcomes: OutcomeRepository,
    private readonly lanes: LaneRepository,
    private readonly optOuts: OptOuts,
    private readonly bell: EventBell,
  ) {}

  /**
   * Hands the message to its provider.
   * @returns the outcome, which is not kept yet: {@link keep} does that.
   */
  async request(
    connection: ChannelConnection,
    attempt: Attempt,
    recipient: string,
    content: OutgoingContent,
  ): Promise<Dispatched> {
    const message: OutgoingMessage = { reference: attempt.id, to: recipientOf(recipient), content };
    const outcome = await this.senders.of(connection.channel).send(connection, message);
    return { outcome, stored: ruleOutcome(attempt, outcome) };
  }

  /**
   * Keeps an outcome, through an outage of the database too, and lets its number rest where the provider says so.
   * @throws DatabaseUnavailableError when the outage lasts: the claim's deadline then makes the message unknown.
   */
  async keep(lane: Lane, dispatched: Dispatched): Promise<void> {
    const kept = this.keepNow(lane, dispatched);
    this.keeping.add(kept);
    try {
      await kept;
    } finally {
      this.keeping.delete(kept);
    }
  }

  /** Resolves when every outcome so far is kept, or given up. */
  async allKept(): Promise<void> {
    await Promise.allSettled(this.keeping);
  }

  private async keepNow(lane: Lane, { outcome, stored }: Dispatched): Promise<void> {
    if (outcome.kind === 'throttled' && outcome.scope === 'number') {
      await this.throughOutages(() => this.lanes.pause(lane, restMs(outcome)));
    }
    const message = await this.throughOutages(() => this.outcomes.store(stored));
    this.bell.ring();
    const optedOut = outcome.kind === 'refused' && outcome.optedOut;
    if (message && optedOut) {
      const justNow = { at: null, arrival: null };
      await this.throughOutages(() =>
        this.optOuts.toldByRefusal(lane, message.thread_id, message.id, justNow),
      );
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
