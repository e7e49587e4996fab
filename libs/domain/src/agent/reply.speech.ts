import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReplyPartRepository } from '@app/persistence/agent/reply-part.repository';
import { ReplyTurnRepository, type ClaimedTurn } from '@app/persistence/agent/reply-turn.repository';
import { RowBusyError } from '@app/persistence/database/database.errors';
import { LaneRepository, type Lane } from '@app/persistence/messages/lane.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import type { OpenChannel } from '../messages/channel-connections.service';
import { MessageDispatcher } from '../messages/message-dispatcher.service';
import type { SendOutcome } from '../messages/message-sender.port';
import { MessengerLimits } from '../messages/messenger.limits';
import { SendPacers } from '../messages/send-pacers.service';
import { recipientRestMs, type Attempt } from '../messages/send-outcome.rules';
import { HandOffPermission } from './hand-off.permission';
import { Typing } from './typing.service';
import type { WatchedTurn } from './turn.watch';

/** Between two parts, as if they were typed: a second, and more for longer ones. */
const PAUSE_MS = { least: 800, perCharacter: 15, most: 4_000 };
/** Tries of one part of which certainly no byte, or nothing that was taken, went out. */
const TRIES_MAX = 3;
const TRY_AGAIN_MS = 500;
/** Longest wait for the number with a reply in hand; a longer rest begins before the model is asked, or asks it anew. */
const PATIENCE_MS = 60_000;

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
    private readonly lanes: LaneRepository,
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

  /** For how many milliseconds the number rests, where that is longer than a reply waits that is written; else 0. */
  async pausedMs(claimed: ClaimedTurn, watched: WatchedTurn): Promise<number> {
    const pausedMs = await this.lanes.pausedMs(laneOf(claimed, watched));
    return pausedMs > PATIENCE_MS ? pausedMs : 0;
  }

  private async sayOne(
    claimed: ClaimedTurn,
    open: OpenChannel,
    watched: WatchedTurn,
    text: string,
    isFirst: boolean,
  ): Promise<Said['end']> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      if (tries > 1) await this.rest(TRY_AGAIN_MS, watched);
      const isInTime = await this.keepPace(claimed, open, watched);
      if (isSilenced(watched, isFirst)) return 'stopped';
      if (!isInTime) return 'not_now';
      const outcome = await this.handOff(claimed, open, watched, { text, isFirst, tries });
      if (outcome === 'closed') return 'stopped';
      if (outcome === 'busy') continue;
      if (outcome.kind === 'accepted') return 'all';
      if (outcome.kind === 'unknown') return 'unknown';
      await this.parts.notSaid(watched.held);
      if (outcome.kind === 'refused') return 'refused';
      if (outcome.kind === 'throttled' && outcome.scope === 'recipient') {
        const pacer = this.pacers.of(open.connection, open.messagesPerSecond);
        pacer.pauseRecipient(claimed.recipient, recipientRestMs({ attempts: tries }, outcome));
      }
    }
    return isSilenced(watched, isFirst) ? 'stopped' : 'not_now';
  }

  /** @returns `closed`: the gate is; `busy`: somebody holds the dialog, and nothing was asked of it. */
  private async handOff(
    claimed: ClaimedTurn,
    open: OpenChannel,
    watched: WatchedTurn,
    { text, isFirst, tries }: { text: string; isFirst: boolean; tries: number },
  ): Promise<SendOutcome | 'closed' | 'busy'> {
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
    const permission = new HandOffPermission(() => {
      // Not waited for: whoever waits for it goes on after a second by itself.
      this.parts.handedOff(accountId, part.messageId).catch(() => undefined);
    });
    const isPermitted = await this.parts.handOff(watched.held, dialog, part).catch(whereBusy);
    if (isPermitted === 'busy') return 'busy';
    if (!isPermitted) {
      const [found] = await this.turns.look([watched.held]);
      watched.close(found?.closed ?? 'superseded');
      return 'closed';
    }
    // Boards show the part while it is on its way.
    this.bell.ring();
    const attempt: Attempt = {
      accountId,
      id: part.messageId,
      threadId: claimed.thread_id,
      token: part.token,
      attempts: tries,
      waitedMs: 0,
      mayWait: false,
    };
    const dispatched = await this.dispatcher.request(
      open.connection,
      attempt,
      claimed.recipient,
      content,
      permission,
    );
    await this.dispatcher.keep(laneOf(claimed, watched), dispatched);
    return dispatched.outcome;
  }

  /**
   * Waits for the end of the number's rest, for its pace and for a place: before the gate, whose permission does not wait.
   * @returns false where that takes too long.
   */
  private async keepPace(claimed: ClaimedTurn, open: OpenChannel, watched: WatchedTurn): Promise<boolean> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    const waited = async (milliseconds: number): Promise<boolean> => {
      if (performance.now() + milliseconds > giveUpAt) return false;
      await this.rest(milliseconds, watched);
      return true;
    };
    const lane = laneOf(claimed, watched);
    for (let ms = await this.lanes.pausedMs(lane); ms > 0; ms = await this.lanes.pausedMs(lane)) {
      if (isSilenced(watched, true)) return true;
      if (!(await waited(ms))) return false;
    }
    const pacer = this.pacers.of(open.connection, open.messagesPerSecond);
    const paceMs = pacer.waitFor(claimed.recipient);
    if (performance.now() + paceMs > giveUpAt) return false;
    // Taken before it comes: a list, which always waits for the next one, would be first each time.
    pacer.take(claimed.recipient);
    await this.rest(paceMs, watched);
    while (!isSilenced(watched, true) && !this.dispatcher.hasPlace(open.connection))
      if (!(await waited(TRY_AGAIN_MS))) return false;
    return true;
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

const laneOf = ({ bot_id: botId, channel }: ClaimedTurn, { held }: WatchedTurn): Lane => ({
  accountId: held.accountId,
  botId,
  channel,
});

/** The statement gave up waiting for the row, so that nothing of it was done. */
const whereBusy = (error: unknown): 'busy' => {
  if (error instanceof RowBusyError) return 'busy';
  throw error;
};
