import { RowBusyError } from '@app/persistence/database/database.errors';
import {
  SendQueueRepository,
  type SendQueueKey,
} from '@app/persistence/messages/batches/send-queue.repository';
import { OutcomeRepository, type StoredOutcome } from '@app/persistence/messages/delivery/outcome.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { Slots } from '../../work/work-slots';
import {
  MessageSenders,
  type OutgoingMessage,
  type Recipient,
  type SendOutcome,
  type SendSlot,
} from './message-sender.port';
import type { OpenChannel } from '../sending/channel-connections.service';
import { BotTroubles } from '../delivery/bot-troubles.service';
import { OptOuts } from '../dialog/opt-outs.service';
import { PaceReservation } from './send-reservation';
import { retryThroughOutages } from './outage-retry';
import { recipientBackOffMs, backOffMs, ruleOutcome, type Attempt } from './send-outcome.rules';
import { SendPacers, type SendPacer } from './send-pacer';

/**
 * Only this process knows what the provider did, so it keeps trying for as long as a caller may wait for the outcome.
 */
const KEEP_TRYING_MS = 60_000;

/** How soon a number whose requests have no slot tries again. */
const NO_SLOT_MS = 50;

/** Outcomes of which this process waits for whoever holds their threads: each takes a connection. */
const HELD_THREADS_AT_ONCE = 3;

/** The time of a refusal that answers a request of ours. */
const JUST_NOW = { at: null, arrival: null };

/** The outcome of one attempt, and what is stored of it. */
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

/**
 * Makes the one request of a claimed message, at a time when its number may send, and stores the outcome. It decides
 * pace, pauses and slots of numbers, for lists, single messages and replies.
 */
@Injectable()
export class MessageDispatcher {
  private readonly logger = new Logger(MessageDispatcher.name);
  private readonly heldThreads = new Slots(HELD_THREADS_AT_ONCE);

  constructor(
    private readonly senders: MessageSenders,
    private readonly outcomes: OutcomeRepository,
    private readonly queues: SendQueueRepository,
    private readonly optOuts: OptOuts,
    private readonly troubles: BotTroubles,
    private readonly pacers: SendPacers,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** What sending came to in this process, for metrics. `queued` was put back, and is tried again. */
  readonly outcomesKept: Record<StoredOutcome['status'], number> = {
    ...{ sent: 0, failed: 0, unknown: 0, queued: 0, dropped: 0 },
  };

  /** Whether a request that begins in this tick would get a slot. */
  hasSlot({ connection }: OpenChannel): boolean {
    return this.senders.of(connection.channel).hasSlot(connection);
  }

  /** Milliseconds until the number's pace allows a message to this recipient; 0: now. */
  waitMs(open: OpenChannel, recipient: string): number {
    return this.pacerOf(open).waitFor(recipient);
  }

  /** Like {@link waitMs}, or until a slot may be free. With 0 the time is taken. */
  takeTime(open: OpenChannel, recipient: string): number {
    return this.hasSlot(open) ? this.pacerOf(open).slotInMs(recipient) : NO_SLOT_MS;
  }

  /**
   * Milliseconds for which this recipient must wait after that many other messages to it, ignoring the number's pace.
   */
  recipientWaitMs(open: OpenChannel, recipient: string, before: number): number {
    return this.pacerOf(open).waitForRecipient(recipient, before);
  }

  /**
   * Reserves the number's next free time for one message.
   * @returns the milliseconds to wait instead, where they are more than `waitMsMax`
   */
  reserve(open: OpenChannel, recipient: string, waitMsMax: number): PaceReservation | number {
    return PaceReservation.make(this.pacerOf(open), recipient, waitMsMax);
  }

  /** Keeps a slot for one message's request. @returns null when none is free. */
  keepSlot({ connection }: OpenChannel): SendSlot | null {
    return this.senders.of(connection.channel).keepSlot(connection);
  }

  /** For how many more milliseconds the number is paused, as its provider asked; 0: it is not. */
  async pausedMs({ connection }: OpenChannel): Promise<number> {
    return this.queues.pausedMs(connection);
  }

  private pacerOf({ connection, messagesPerSecond }: OpenChannel): SendPacer {
    return this.pacers.of(connection, messagesPerSecond);
  }

  /**
   * Gives the message to its provider, and pauses a recipient where the provider asks for it.
   * @returns the outcome, which {@link keep} must store
   */
  async request(
    open: OpenChannel,
    attempt: Attempt,
    { recipient, ...message }: Omit<OutgoingMessage, 'reference' | 'to'> & { recipient: string },
  ): Promise<Dispatched> {
    const { connection } = open;
    const outgoing = { ...message, reference: attempt.id, to: recipientOf(recipient) };
    const outcome = await this.senders.of(connection.channel).send(connection, outgoing);
    if (outcome.kind === 'throttled' && outcome.scope === 'recipient')
      this.pacerOf(open).pauseRecipient(recipient, recipientBackOffMs(attempt, outcome));
    return dispatchedAs(attempt, outcome);
  }

  /**
   * Stores an outcome, also through an outage of the database, and pauses its number where the provider asks for it. What
   * keeps the number from sending is told.
   * @throws DatabaseUnavailableError when the outage lasts: the claim's deadline then makes the message unknown.
   */
  async keep(queue: SendQueueKey, { attempt, outcome, stored }: Dispatched): Promise<void> {
    if (outcome.kind === 'throttled' && outcome.scope === 'number') {
      await this.retryThroughOutages(() => this.queues.pause(queue, backOffMs(attempt, outcome)));
    }
    try {
      // Before the outcome, because nothing would come back to it afterwards. An opt-out is applied once, however
      // often it comes.
      if (outcome.kind === 'refused' && outcome.optedOut) {
        await this.retryThroughOutages(() => this.optOuts.toldByRefusal(queue, attempt.id, JUST_NOW));
      }
      if (outcome.kind === 'refused' && outcome.trouble) {
        const trouble = { code: outcome.trouble, message: outcome.message };
        await this.retryThroughOutages(() => this.troubles.begin(queue, trouble));
      }
    } finally {
      await this.retryThroughOutages(() => this.store(queue, stored));
      this.outcomesKept[stored.status] += 1;
      this.eventNotifier.notify(queue.accountId);
    }
  }

  /**
   * An outcome without a slot is tried again with others, not put in line: an account with many locked threads then
   * delays no other one.
   * @throws RowBusyError while somebody holds its thread.
   */
  private async store(at: SendQueueKey, stored: StoredOutcome): Promise<void> {
    if (await this.outcomes.storeTogether(stored)) return;
    const alone = this.heldThreads.runIfFree(() => this.outcomes.store(at, stored));
    if (!alone)
      throw new RowBusyError(new Error('as many outcomes as may wait for their threads do so already'));
    await alone;
  }

  private async retryThroughOutages<T>(act: () => Promise<T>): Promise<T> {
    let isLogged = false;
    return retryThroughOutages(act, KEEP_TRYING_MS, (error) => {
      if (!isLogged)
        this.logger.warn({ err: error }, 'What became of a message cannot be kept yet; it is tried again.');
      isLogged = true;
    });
  }
}

/** A phone begins with its plus. Anything else is a provider's user id. */
const recipientOf = (recipient: string): Recipient =>
  recipient.startsWith('+') ? { phone: recipient } : { userId: recipient };
