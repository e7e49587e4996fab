import { Injectable } from '@nestjs/common';
import type { OpenChannel } from '../messages/channel-connections.service';
import { MessageDispatcher } from '../messages/message-dispatcher.service';
import { SendReservation } from '../messages/send.reservation';

/**
 * How far ahead runs take their number's times. An operator's message waits for at most as long behind them, and is
 * refused only where its own wait would exceed 3 s.
 */
const AHEAD_MS_MAX = 500;
const NO_SLOT_MS = 100;

/**
 * The line of runs at each number. A run for which the number has no time soon is put off, each one by as much more as
 * the number's pace needs, so that thousands of them do not all come back at the same moment.
 */
@Injectable()
export class RunPaces {
  private readonly promisedUntil = new Map<string, number>();

  constructor(private readonly dispatcher: MessageDispatcher) {}

  /** @returns the milliseconds to wait instead, where the number has no time or no slot soon */
  reserve(open: OpenChannel, recipient: string): SendReservation | number {
    const slot = this.dispatcher.keepSlot(open);
    if (slot === null) return NO_SLOT_MS;
    const pace = this.dispatcher.reserve(open, recipient, AHEAD_MS_MAX);
    if (typeof pace !== 'number') return new SendReservation(pace, slot);
    slot.release();
    return pace;
  }

  /** The end of the line, if the number is free in so many milliseconds. */
  inLine({ connection, messagesPerSecond }: OpenChannel, freeInMs: number): number {
    const { botId, channel } = connection;
    const key = `${botId}/${channel}`;
    const now = performance.now();
    const at = Math.max(now + freeInMs, this.promisedUntil.get(key) ?? 0);
    this.promisedUntil.set(key, at + 1_000 / messagesPerSecond);
    return at - now;
  }
}
