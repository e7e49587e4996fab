import type { SendSlot } from './message-sender.port';
import type { PaceReservation } from './pace-reservation';

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
