import type { SendQueueKey } from '@app/persistence/messages/batches/send-queue.repository';
import { Injectable } from '@nestjs/common';

/** WhatsApp's pair limit: one message in 6 s to the same customer, and up to 45 at once. */
const RECIPIENT_GAP_MS = 6_000;
const RECIPIENT_BURST = 45;

/** After a time without messages a number may send at once what it may send in this time. */
const BURST_MS = 1_000;

/**
 * Most recipients that are remembered. Beyond it those known longest are forgotten, and the provider's limit applies.
 */
const MOST_RECIPIENTS = 20_000;

/** Milliseconds of a monotonic clock. */
type Clock = () => number;

/**
 * How fast one number may send: at most `perSecond` messages, the same number at once after a pause, and to each
 * recipient within WhatsApp's pair limit. For the number and each recipient it keeps the time at which their bucket
 * would be full again; a message moves that time on by one gap. The provider's limits decide in the end, so this is
 * not stored and ends with the process.
 */
export class SendPacer {
  private readonly gapMs: number;
  private fullAt = Number.NEGATIVE_INFINITY;
  /** In the order of last use. */
  private readonly recipients = new Map<string, number>();

  constructor(
    perSecond: number,
    private readonly now: Clock = () => performance.now(),
    private readonly mostRecipients = MOST_RECIPIENTS,
  ) {
    this.gapMs = 1000 / perSecond;
  }

  /** Milliseconds until this recipient may be sent to; 0: now. */
  waitFor(recipient: string): number {
    return Math.max(this.waitForNumber(), this.waitForRecipient(recipient));
  }

  /**
   * Milliseconds for which this recipient must wait after that many other messages to it, ignoring the number's pace.
   */
  waitForRecipient(recipient: string, before = 0): number {
    const fullAt = this.recipients.get(recipient) ?? Number.NEGATIVE_INFINITY;
    return Math.max(0, fullAt + (before + 1 - RECIPIENT_BURST) * RECIPIENT_GAP_MS - this.now());
  }

  /** Like {@link waitFor}; with 0 the time is taken. */
  slotInMs(recipient: string): number {
    const waitMs = this.waitFor(recipient);
    if (waitMs === 0) this.take(recipient);
    return waitMs;
  }

  /** Counts a message to the recipient, allowed or not. */
  take(recipient: string): void {
    const now = this.now();
    this.fullAt = Math.max(this.fullAt, now) + this.gapMs;
    this.remember(recipient, Math.max(this.recipients.get(recipient) ?? now, now) + RECIPIENT_GAP_MS);
  }

  /** Takes back the count of a message that was not sent after all. */
  giveBack(recipient: string): void {
    this.fullAt -= this.gapMs;
    const fullAt = this.recipients.get(recipient);
    if (fullAt !== undefined) this.remember(recipient, fullAt - RECIPIENT_GAP_MS);
  }

  /** Pauses sending to a recipient, who then gets the slow pace. */
  pauseRecipient(recipient: string, ms: number): void {
    const fullAt = this.now() + ms + (RECIPIENT_BURST - 1) * RECIPIENT_GAP_MS;
    this.remember(recipient, Math.max(this.recipients.get(recipient) ?? fullAt, fullAt));
  }

  private waitForNumber(): number {
    return Math.max(0, this.fullAt + this.gapMs - Math.max(BURST_MS, this.gapMs) - this.now());
  }

  private remember(recipient: string, fullAt: number): void {
    this.recipients.delete(recipient);
    this.recipients.set(recipient, fullAt);
    // The recipient used longest ago most likely has a full bucket, which need not be remembered.
    for (const [oldest, oldestFullAt] of this.recipients) {
      if (oldestFullAt > this.now() && this.recipients.size <= this.mostRecipients) return;
      this.recipients.delete(oldest);
    }
  }
}

/** Most numbers whose pace is kept. Beyond it, the number used longest ago starts with full buckets again. */
const PACERS_MAX = 10_000;

/** The pace of each number that this process sends by. */
@Injectable()
export class SendPacers {
  private readonly pacers = new Map<string, SendPacer>();

  of({ accountId, botId, channel }: SendQueueKey, messagesPerSecond: number): SendPacer {
    const key = `${accountId}/${botId}/${channel}/${messagesPerSecond}`;
    const pacer = this.pacers.get(key) ?? new SendPacer(messagesPerSecond);
    this.pacers.delete(key);
    this.pacers.set(key, pacer);
    for (const oldest of this.pacers.keys()) {
      if (this.pacers.size <= PACERS_MAX) break;
      this.pacers.delete(oldest);
    }
    return pacer;
  }
}
