import { Injectable } from '@nestjs/common';
import type { OpenChannel } from '../../messages/sending/channel-connections.service';
import { MessageDispatcher } from '../../messages/dispatch/message-dispatcher.service';
import { SendReservation } from '../../messages/dispatch/send-reservation';
import { WaitingLines } from './waiting-lines';

/**
 * How far ahead runs take their number's times. An operator's message waits for at most as long behind them, and is
 * refused only where its own wait would exceed 3 s.
 */
const AHEAD_MS_MAX = 500;
const NO_SLOT_MS = 100;

/**
 * The line of runs at each number. A run for which the number has no time soon is put off, at the number's pace. Whoever
 * comes first goes behind those who wait. Those for whom there is no time when they come back, as after a pause of the
 * number, have a line of their own, so that they do not go behind those again who came after them.
 */
@Injectable()
export class RunPaces {
  private readonly ahead = new WaitingLines();
  private readonly late = new WaitingLines();

  constructor(private readonly dispatcher: MessageDispatcher) {}

  /**
   * @param hasWaited whether the run was put off before
   * @returns the milliseconds to wait instead, where the number has no time or no slot soon, or the recipient is paused
   */
  reserve(open: OpenChannel, recipient: string, hasWaited: boolean): SendReservation | number {
    // A paused recipient is no reason for others to wait.
    const recipientMs = this.dispatcher.recipientWaitMs(open, recipient, 0);
    if (recipientMs > AHEAD_MS_MAX) return recipientMs;
    if (hasWaited) this.ahead.comesBack(numberOf(open));
    const isBehind = !hasWaited && this.ahead.isOccupied(numberOf(open));
    const taken = isBehind ? 0 : this.take(open, recipient);
    return typeof taken === 'number' ? this.putOff(open, taken, hasWaited) : taken;
  }

  /** @returns the milliseconds to wait where the number is free in so many */
  putOff(open: OpenChannel, freeInMs: number, hasWaited: boolean): number {
    const lines = hasWaited ? this.late : this.ahead;
    return lines.join(numberOf(open), freeInMs, open.messagesPerSecond);
  }

  private take(open: OpenChannel, recipient: string): SendReservation | number {
    const slot = this.dispatcher.keepSlot(open);
    if (slot === null) return NO_SLOT_MS;
    const pace = this.dispatcher.reserve(open, recipient, AHEAD_MS_MAX);
    if (typeof pace !== 'number') return new SendReservation(pace, slot);
    slot.release();
    return pace;
  }
}

/** With its pace: a number whose pace was changed has another line. */
const numberOf = ({ connection, messagesPerSecond }: OpenChannel): string =>
  [connection.botId, connection.channel, connection.sender, messagesPerSecond].join('/');
