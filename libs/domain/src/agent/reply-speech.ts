import { randomUUIDv7 } from 'node:crypto';
import { ReplyPartRepository } from '@app/persistence/agent/reply-part.repository';
import { ReplyRepository } from '@app/persistence/agent/reply.repository';
import { RowBusyError } from '@app/persistence/database/database.errors';
import type { SendQueueKey } from '@app/persistence/messages/batches/send-queue.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { ElapsedTime, TimedSendPermit } from '../messages/dispatch/elapsed-time';
import { MessageDispatcher } from '../messages/dispatch/message-dispatcher.service';
import { MessageSenders, type SendOutcome } from '../messages/dispatch/message-sender.port';
import type { Attempt } from '../messages/dispatch/send-outcome.rules';
import type { OpenChannel } from '../messages/sending/channel-connections.service';
import { MessengerLimits } from '../messages/sending/messenger-limits';
import type { ReplyRun } from './reply-run';

/** Shows the customer that their message was read and is being answered. */
@Injectable()
export class Typing {
  constructor(private readonly senders: MessageSenders) {}

  /**
   * Best effort, not awaited.
   * @param providerId of the customer's message, where it is known
   */
  show({ connection }: OpenChannel, providerId: string | null): void {
    if (providerId === null) return;
    this.senders
      .of(connection.channel)
      .markRead(connection, providerId, true)
      .catch(() => undefined);
  }
}

/** The time between two parts, as if they were typed: a second, and more for longer parts. */
const PAUSE_MS = { least: 800, perCharacter: 15, most: 4_000 };
/** Most tries of one part, each of which certainly sent nothing or was not accepted. */
const TRIES_MAX = 3;
const TRY_AGAIN_MS = 500;
/** How long a written reply waits for its number. After a longer pause, the model is asked again. */
const NUMBER_WAIT_MS_MAX = 60_000;

/** Half of the time that the database gives a send permit, so that nothing is begun that others count as void. */
const PERMIT_MS = 500;

/** The outcome of a reply's parts. */
export interface Spoken {
  /** How many were handed to the messenger. */
  parts: number;
  /**
   * `all`: all were handed over; `stopped`: the agent was silenced, or the process stops; `refused`: by the
   * messenger; `unknown`: the last part may or may not have been accepted; `not_now`: it could not be handed over.
   */
  end: 'all' | 'stopped' | 'refused' | 'unknown' | 'not_now';
}

/** Sends the parts of a reply one after the other, each through the gate. */
@Injectable()
export class ReplySpeech {
  constructor(
    private readonly replies: ReplyRepository,
    private readonly parts: ReplyPartRepository,
    private readonly dispatcher: MessageDispatcher,
    private readonly limits: MessengerLimits,
    private readonly typing: Typing,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async say(run: ReplyRun, open: OpenChannel, texts: readonly string[]): Promise<Spoken> {
    for (const [index, text] of texts.entries()) {
      if (index > 0) {
        this.typing.show(open, run.claim.provider_id);
        await run.pause(pauseFor(text));
      }
      const end = await this.sayOne(run, open, text, index === 0);
      if (end === 'unknown') return { parts: index + 1, end };
      if (end !== 'all') return { parts: index, end };
    }
    return { parts: texts.length, end: 'all' };
  }

  /** For how many milliseconds the number is paused, if that is longer than a written reply waits; else 0. */
  async pausedMs(open: OpenChannel): Promise<number> {
    const pausedMs = await this.dispatcher.pausedMs(open);
    return pausedMs > NUMBER_WAIT_MS_MAX ? pausedMs : 0;
  }

  private async sayOne(
    run: ReplyRun,
    open: OpenChannel,
    text: string,
    isFirst: boolean,
  ): Promise<Spoken['end']> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      if (tries > 1) await run.pause(TRY_AGAIN_MS);
      const isInTime = await this.keepPace(run, open);
      if (run.isStopped(isFirst)) return 'stopped';
      if (!isInTime) return 'not_now';
      const outcome = await this.grantSendPermit(run, open, { text, isFirst, tries });
      if (outcome === 'closed') return 'stopped';
      if (outcome === 'busy') continue;
      if (outcome.kind === 'accepted') return 'all';
      if (outcome.kind === 'unknown') return 'unknown';
      await this.parts.notSent(run.held);
      if (outcome.kind === 'refused') return 'refused';
    }
    return run.isStopped(isFirst) ? 'stopped' : 'not_now';
  }

  /**
   * @returns `closed`: the gate is closed; `busy`: another transaction holds the row, and nothing was checked.
   */
  private async grantSendPermit(
    run: ReplyRun,
    open: OpenChannel,
    { text, isFirst, tries }: { text: string; isFirst: boolean; tries: number },
  ): Promise<SendOutcome | 'closed' | 'busy'> {
    const { accountId, threadId, claim } = run;
    const content = { type: 'text', text } as const;
    const part = {
      messageId: randomUUIDv7(),
      text,
      content,
      token: randomUUIDv7(),
      claimMs: this.limits.claimMs,
    };
    const thread = { threadId, epoch: claim.epoch, answers: isFirst ? claim.message_id : null };
    const permit = new TimedSendPermit(new ElapsedTime(), PERMIT_MS, () => {
      // Not awaited: whoever waits for the permit continues after a second in any case.
      this.parts.permitUsed(accountId, part.messageId).catch(() => undefined);
    });
    const isPermitted = await this.parts.grantSendPermit(run.held, thread, part).catch(whereBusy);
    if (isPermitted === 'busy') return 'busy';
    if (!isPermitted) {
      const [found] = await this.replies.look([run.held]);
      run.silence(found?.closed ?? 'superseded');
      return 'closed';
    }
    // Boards show the part while it is being sent.
    this.eventNotifier.notify(accountId);
    const attempt: Attempt = {
      accountId,
      id: part.messageId,
      token: part.token,
      attempts: tries,
      waitedMs: 0,
      mayWait: false,
    };
    const dispatched = await this.dispatcher.request(open, attempt, {
      recipient: claim.recipient,
      content,
      permit,
    });
    await this.dispatcher.keep(queueOf(open), dispatched);
    return dispatched.outcome;
  }

  /**
   * Waits for the end of the number's pause, for its pace and for a slot. This comes before the gate, because a send
   * permit expires.
   * @returns false where the wait would be too long.
   */
  private async keepPace(run: ReplyRun, open: OpenChannel): Promise<boolean> {
    const giveUpAt = performance.now() + NUMBER_WAIT_MS_MAX;
    const waited = async (milliseconds: number): Promise<boolean> => {
      if (performance.now() + milliseconds > giveUpAt) return false;
      await run.pause(milliseconds);
      return true;
    };
    for (let ms = await this.dispatcher.pausedMs(open); ms > 0; ms = await this.dispatcher.pausedMs(open)) {
      if (run.isStopped(true)) return true;
      if (!(await waited(ms))) return false;
    }
    const reserved = this.dispatcher.reserve(open, run.claim.recipient, giveUpAt - performance.now());
    if (typeof reserved === 'number') return false;
    await reserved.use(run.signal);
    while (!run.isStopped(true) && !this.dispatcher.hasSlot(open))
      if (!(await waited(TRY_AGAIN_MS))) return false;
    return true;
  }
}

const pauseFor = (text: string): number =>
  Math.min(PAUSE_MS.least + text.length * PAUSE_MS.perCharacter, PAUSE_MS.most);

const queueOf = ({ connection: { accountId, botId, channel } }: OpenChannel): SendQueueKey => ({
  accountId,
  botId,
  channel,
});

/** The statement gave up waiting for the row and did nothing. */
const whereBusy = (error: unknown): 'busy' => {
  if (error instanceof RowBusyError) return 'busy';
  throw error;
};
