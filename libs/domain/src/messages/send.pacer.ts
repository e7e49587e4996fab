/** To one recipient at most 45 in a burst, then one each 6 s (Meta's pair limit, facts 3). */
const RECIPIENT_BURST = 45;
const RECIPIENT_REFILL_MS = 6_000;
/** Recipients with less than a full bucket; whoever is forgotten has a full one. */
const RECIPIENTS_MAX = 50_000;

/** A bucket of permissions that fills up with time. */
class Bucket {
  private level: number;
  private at: number;

  constructor(
    private readonly size: number,
    private readonly refillMs: number,
    now: number,
  ) {
    this.level = size;
    this.at = now;
  }

  /** Milliseconds until there is one. */
  waitMs(now: number): number {
    this.level = Math.min(this.size, this.level + (now - this.at) / this.refillMs);
    this.at = now;
    return this.level >= 1 ? 0 : Math.ceil((1 - this.level) * this.refillMs);
  }

  take(): void {
    this.level -= 1;
  }

  get isFull(): boolean {
    return this.level >= this.size;
  }
}

/** How fast one number may send: so many messages a second, and to one recipient not too many in a row. */
export class SendPacer {
  private readonly number: Bucket;
  private readonly recipients = new Map<string, Bucket>();

  constructor(
    messagesPerSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.number = new Bucket(messagesPerSecond, 1_000 / messagesPerSecond, now());
  }

  /** Milliseconds until the recipient may be sent to; with 0 the turn is taken. */
  turnInMs(recipient: string): number {
    const now = this.now();
    const bucket = this.recipients.get(recipient) ?? new Bucket(RECIPIENT_BURST, RECIPIENT_REFILL_MS, now);
    const waitMs = Math.max(this.number.waitMs(now), bucket.waitMs(now));
    if (waitMs > 0) return waitMs;
    this.number.take();
    bucket.take();
    // The one used last stands last.
    this.recipients.delete(recipient);
    this.recipients.set(recipient, bucket);
    if (this.recipients.size > RECIPIENTS_MAX) this.forget(now);
    return 0;
  }

  private forget(now: number): void {
    for (const [recipient, bucket] of this.recipients) {
      bucket.waitMs(now);
      if (!bucket.isFull && this.recipients.size <= RECIPIENTS_MAX) break;
      this.recipients.delete(recipient);
    }
  }
}
