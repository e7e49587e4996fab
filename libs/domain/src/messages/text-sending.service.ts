import { randomUUIDv7 } from 'node:crypto';
import { threadIdOrNothing } from '@app/contracts/thread-id.format';
import { OutboxRepository } from '@app/persistence/messages/outbox.repository';
import { ThreadChannelRepository } from '@app/persistence/messages/thread-channel.repository';
import { Injectable } from '@nestjs/common';
import { callOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { untilEarlierPermitsAreVoid } from '../accounts/void.permits';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { RunPermits } from '../leads/run.permits';
import { ChannelConnections, type OpenChannel } from './channel-connections.service';
import { ElapsedTime } from './elapsed.time';
import { MessengerLimits } from './messenger.limits';
import { dataOf } from './stored.answer';
import type { SendReservation } from './send.reservation';
import { answerOf, type SentAnswer } from './single-answer.presenter';
import { SingleSending } from './single-sending.service';

/** An operator's text in an open dialog. */
@Injectable()
export class TextSending {
  constructor(
    private readonly threads: ThreadChannelRepository,
    private readonly channels: ChannelConnections,
    private readonly outbox: OutboxRepository,
    private readonly single: SingleSending,
    private readonly limits: MessengerLimits,
    private readonly eventNotifier: EventNotifier,
    private readonly runPermits: RunPermits,
  ) {}

  /**
   * Sends the text and starts a takeover, with any key. The provider judges whether the customer's 24 hours are over.
   * After it resolves or throws nothing begins any more that the takeover holds or ends.
   * @throws ThreadNotFoundError, ChannelNotConnectedError, CredentialSealedError, NumberBusyError, NoSlotError,
   * ProviderRefusalError
   */
  async send(by: Principal, threadId: string, text: string): Promise<SentAnswer> {
    const of = visibilityOf(by);
    const uuid = threadIdOrNothing(threadId);
    const thread = await this.threads.find(of, uuid);
    if (!thread) throw new ThreadNotFoundError();
    const { bot_id: botId, channel } = thread;
    const open = await this.channels.require(of.accountId, botId, channel, 'thread_id');
    const reservation = this.single.reserve(open, thread.recipient);
    try {
      return await this.sendBy(open, by, { threadId: uuid, text }, reservation);
    } finally {
      reservation.release();
    }
  }

  private async sendBy(
    open: OpenChannel,
    by: Principal,
    { threadId, text }: { threadId: string; text: string },
    reservation: SendReservation,
  ): Promise<SentAnswer> {
    const claim = { token: randomUUIDv7(), milliseconds: this.limits.claimMs };
    const claimed = new ElapsedTime();
    const content = { type: 'text', text };
    const words = { threadId, id: randomUUIDv7(), text, content, ...callOf(by) };
    const stored = await this.outbox.storeText(visibilityOf(by), words, claim);
    if (!stored) throw new ThreadNotFoundError();
    this.eventNotifier.notify();
    const message = { ...stored, content, token: claim.token, claimed };
    const [sent] = await Promise.allSettled([
      this.single.send(open, message, reservation),
      ...(stored.has_runs ? [this.untilRunsAreHeld(visibilityOf(by).accountId, threadId)] : []),
    ]);
    if (sent.status === 'rejected') throw sent.reason;
    return dataOf(answerOf(stored, sent.value.stored), sent.value);
  }

  /** What a run's step was permitted before the takeover has begun then, or never does. */
  private async untilRunsAreHeld(accountId: string, threadId: string): Promise<void> {
    // The text has perhaps been sent, so a permit that cannot be looked at is waited for by time.
    await this.runPermits.untilNone(accountId, threadId).catch(untilEarlierPermitsAreVoid);
  }
}
