import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReplyPartRepository } from '@app/persistence/agent/reply-part.repository';
import { ReplyTurnRepository, type ClaimedTurn } from '@app/persistence/agent/reply-turn.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import type { OpenChannel } from '../messages/channel-connections.service';
import { MessageDispatcher } from '../messages/message-dispatcher.service';
import type { SendOutcome } from '../messages/message-sender.port';
import { MessengerLimits } from '../messages/messenger.limits';
import { SendPacers } from '../messages/send-pacers.service';
import { retryInMs, type Attempt } from '../messages/send-outcome.rules';
import { HandOffPermission } from './hand-off.permission';
import { Typing } from './typing.service';
import type { WatchedTurn } from './turn.watch';

/** Between two parts, as if they were typed: a second, and more for longer ones. */
const PAUSE_MS = { least: 800, perCharacter: 15, most: 4_000 };
/** Tries of one part of which certainly no byte, or nothing that was taken, went out. */
const TRIES_MAX = 3;
const TRY_AGAIN_MS_MAX = 5_000;
const TRY_AGAIN_MS = 500;

/** What became of a reply's parts. */
export interface Said {
  /** How many were handed to the messenger. */
  parts: number;
  /**
   * `all`; `stopped`: the agent was silenced, or the process ends; `refused` by the messenger; `unknown`: the last one may
   * or may not have been taken; `not_now`: it could not be handed over.
   */
  end: 'all' | 'stopped' | 'refused' | 'unknown' | 'not_now';
}

/** Hands the parts of a reply to the messenger, one after the other, each through the gate. */
@Injectable()
export class ReplySpeech {
  constructor(
    private readonly turns: ReplyTurnRepository,
    private readonly parts: ReplyPartRepository,
    private readonly dispatcher: MessageDispatcher,
    private readonly pacers: SendPacers,
    private readonly limits: MessengerLimits,
    private readonly typing: Typing,
    private readonly bell: EventBell,
  ) {}

  async say(
    claimed: ClaimedTurn,
    open: OpenChannel,
    watched: WatchedTurn,
    texts: readonly string[],
  ): Promise<Said> {
    for (const [index, text] of texts.entries()) {
      if (index > 0) {
        this.typing.show(open, claimed.provider_id);
        await this.rest(pauseFor(text), watched);
      }
      const end = await this.sayOne(claimed, open, watched, text, index === 0);
      if (end === 'unknown') return { parts: index + 1, end };
      if (end !== 'all') return { parts: index, end };
    }
    return { parts: texts.length, end: 'all' };
  }

  private async sayOne(
    claimed: ClaimedTurn,
    open: OpenChannel,
    watched: WatchedTurn,
    text: string,
    isFirst: boolean,
  ): Promise<Said['end']> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      await this.keepPace(claimed, open, watched);
      if (isSilenced(watched, isFirst)) return 'stopped';
      const outcome = await this.handOff(claimed, open, watched, text, isFirst);
      if (outcome === null) return 'stopped';
      if (outcome.kind === 'accepted') return 'all';
      if (outcome.kind === 'unknown') return 'unknown';
      await this.parts.notSaid(watched.held);
      if (outcome.kind === 'refused') return 'refused';
      const waitMs = retryInMs({ attempts: 1 }, outcome) ?? TRY_AGAIN_MS;
      await this.rest(Math.min(waitMs, TRY_AGAIN_MS_MAX), watched);
    }
    return isSilenced(watched, isFirst) ? 'stopped' : 'not_now';
  }

  /** @returns null when the gate is closed. */
  private async handOff(
    claimed: ClaimedTurn,
    open: OpenChannel,
    watched: WatchedTurn,
    text: string,
    isFirst: boolean,
  ): Promise<SendOutcome | null> {
    const { accountId } = watched.held;
    const content = { type: 'text', text } as const;
    const part = {
      messageId: randomUUIDv7(),
      text,
      content,
      token: randomUUIDv7(),
      claimMs: this.limits.claimMs,
    };
    const dialog = {
      threadId: claimed.thread_id,
      epoch: claimed.epoch,
      answers: isFirst ? claimed.message_id : null,
    };
    // Before the statement: the permission runs from within it.
    const askedAt = performance.now();
    if (!(await this.parts.handOff(watched.held, dialog, part))) {
      const [found] = await this.turns.look([watched.held]);
      watched.close(found?.closed ?? 'superseded');
      return null;
    }
    const attempt: Attempt = {
      accountId,
      id: part.messageId,
      threadId: claimed.thread_id,
      token: part.token,
      attempts: 1,
      waitedMs: 0,
      mayWait: false,
    };
    const permission = new HandOffPermission(askedAt, () => {
      // Not waited for: whoever waits for it goes on after a second by itself.
      this.parts.handedOff(accountId, part.messageId).catch(() => undefined);
    });
    const dispatched = await this.dispatcher.request(
      open.connection,
      attempt,
      claimed.recipient,
      content,
      permission,
    );
    await this.dispatcher.keep({ accountId, botId: claimed.bot_id, channel: claimed.channel }, dispatched);
    this.bell.ring();
    return dispatched.outcome;
  }

  /** Waits for the number's pace and for a place: before the gate, whose permission does not wait. */
  private async keepPace({ recipient }: ClaimedTurn, open: OpenChannel, watched: WatchedTurn): Promise<void> {
    const pacer = this.pacers.of(open.connection, open.messagesPerSecond);
    const paceMs = pacer.waitFor(recipient);
    pacer.take(recipient);
    await this.rest(paceMs, watched);
    while (!isSilenced(watched, true) && !this.dispatcher.hasPlace(open.connection))
      await this.rest(TRY_AGAIN_MS, watched);
  }

  /** Ends at once when the turn is stopped. */
  private async rest(milliseconds: number, { signal }: WatchedTurn): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** A process that ends begins no reply, but says the rest of one at once. */
const isSilenced = ({ closed, signal }: WatchedTurn, isFirst: boolean): boolean =>
  closed !== null || (isFirst && signal.aborted);

const pauseFor = (text: string): number =>
  Math.min(PAUSE_MS.least + text.length * PAUSE_MS.perCharacter, PAUSE_MS.most);
