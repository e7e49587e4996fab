import { setTimeout as sleep } from 'node:timers/promises';
import type { SendSlot } from './message-sender.port';
import type { SendPacer } from './send-pacer';

/** The time at which a number may send one message, reserved before the message is stored. */
export class PaceReservation {
  private isUsed = false;

  private constructor(
    private readonly pacer: SendPacer,
    private readonly recipient: string,
    private readonly startsAt: number,
  ) {}

  /**
   * Takes the next free time in advance. Otherwise a list, which always waits for the next one, would get it each
   * time.
   * @returns the milliseconds to wait instead, where they are more than `waitMsMax`
   */
  static make(pacer: SendPacer, recipient: string, waitMsMax: number): PaceReservation | number {
    const waitMs = pacer.waitFor(recipient);
    if (waitMs > waitMsMax) return waitMs;
    pacer.take(recipient);
    return new PaceReservation(pacer, recipient, performance.now() + waitMs);
  }

  /**
   * Resolves when the time has come. From then on it counts as used.
   * @param signal ends the wait at once
   */
  async use(signal?: AbortSignal): Promise<void> {
    this.isUsed = true;
    const waitMs = this.startsAt - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }

  /** Releases the time unless it was used. */
  release(): void {
    if (!this.isUsed) this.pacer.giveBack(this.recipient);
    this.isUsed = true;
  }
}

/** What a message needs to go out, kept before it is stored: its number's time to send, and a slot for its request. */
export class SendReservation {
  constructor(
    private readonly pace: PaceReservation,
    private readonly slot: SendSlot,
  ) {}

  /** Resolves with the slot when the time has come. */
  async use(): Promise<SendSlot> {
    await this.pace.use();
    return this.slot;
  }

  /** Gives back what was not used. */
  release(): void {
    this.pace.release();
    this.slot.release();
  }
}
