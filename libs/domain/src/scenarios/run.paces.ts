import { Injectable } from '@nestjs/common';
import type { OpenChannel } from '../messages/channel-connections.service';
import { MessageDispatcher } from '../messages/message-dispatcher.service';
import { SendReservation } from '../messages/send.reservation';
import { WaitingLines } from './waiting.lines';

/**
 * How far ahead runs take their number's times. An operator's message waits for at most as long behind them, and is
 * refused only where its own wait would exceed 3 s.
 */
const AHEAD_MS_MAX = 500;
const NO_SLOT_MS = 100;

/** The line of runs at each number. A run for which the number has no time soon is put off, at the number's pace. */
@Injectable()
export class RunPaces {
  private readonly lines = new WaitingLines();

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
    return this.lines.join(`${botId}/${channel}`, freeInMs, messagesPerSecond);
  }
}
