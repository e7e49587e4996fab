import { Injectable } from '@nestjs/common';
import { MessageDispatcher } from '../../messages/dispatch/message-dispatcher.service';
import { SendReservation } from '../../messages/dispatch/send-reservation';
import type { OpenChannel } from '../../messages/sending/channel-connections.service';

/** So many lines are kept before those are forgotten in which nobody waits any more. */
const LINES_KEPT = 1_000;
/** Who does not come back within this time, or three places, has left the line. */
const LEFT_AFTER_MS = 2_000;
/** Nobody has to wait for those whose time comes later than this, or two places. */
const SOON_MS = 500;

/** Places that have been over for so long are dropped, a hundred at a time. */
const KEPT_MS = 60_000;
const DROPPED_AT_ONCE = 100;

interface Line {
  /** The times of those who wait, by the process's clock. Those before `next` are over. */
  places: number[];
  next: number;
  gapMs: number;
  /** When somebody of the line last came back. */
  returnedAt: number;
}

/**
 * Lines of runs that come too early. Each is put off by as much more as those before it need, so that thousands of them
 * do not all come back at the same moment.
 */
export class WaitingLines {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly now = () => performance.now()) {}

  /**
   * Goes to the end of a line.
   * @param freeInMs when the first of the line may go on
   * @param perSecond how many may go on a second
   * @returns milliseconds to wait
   */
  join(name: string, freeInMs: number, perSecond: number): number {
    const now = this.now();
    if (this.lines.size >= LINES_KEPT) this.forgetUntil(now);
    const line = this.lines.get(name) ?? { places: [], next: 0, gapMs: 0, returnedAt: -Infinity };
    const at = Math.max(now + freeInMs, endOf(line));
    drop(line, now - KEPT_MS);
    line.places.push(at);
    line.gapMs = 1_000 / perSecond;
    this.lines.set(name, line);
    return at - now;
  }

  /** Somebody who waited comes back. */
  comesBack(name: string): void {
    const line = this.lines.get(name);
    if (line) line.returnedAt = this.now();
  }

  /**
   * Whether who comes now goes behind others. A line is forgotten when those whose time has passed do not come back: they
   * have left, as when their runs were cancelled.
   */
  isOccupied(name: string): boolean {
    const line = this.lines.get(name);
    if (!line) return false;
    const now = this.now();
    const left = now - Math.max(LEFT_AFTER_MS, 3 * line.gapMs);
    for (; nextOf(line) < left; line.next += 1) {
      if (line.returnedAt >= nextOf(line)) continue;
      this.lines.delete(name);
      return false;
    }
    return nextOf(line) <= now + Math.max(SOON_MS, 2 * line.gapMs);
  }

  private forgetUntil(now: number): void {
    for (const [name, line] of this.lines) if (endOf(line) < now) this.lines.delete(name);
  }
}

/** The first free place behind all others. */
const endOf = ({ places, gapMs }: Line): number => (places.at(-1) ?? -Infinity) + gapMs;

/** A line at which somebody always waits would grow for ever. */
function drop(line: Line, before: number): void {
  if ((line.places[DROPPED_AT_ONCE] ?? Infinity) >= before) return;
  line.places.splice(0, DROPPED_AT_ONCE);
  line.next = Math.max(0, line.next - DROPPED_AT_ONCE);
}

const nextOf = ({ places, next }: Line): number => places[next] ?? Infinity;

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
