import type { ClaimedMessage } from '@app/persistence/messages/lane.repository';

/** What comes into the queue with an earlier time is found within so long. */
const FROM_THE_BEGINNING_MS = 500;

/**
 * Where in its queue a lane's next claim begins to look: behind what the last one took, but from time to time at the
 * beginning, for a list is seen when it is committed, and its times are from before that.
 */
export class QueueFront {
  private upTo: string | null = null;
  private beganAt = -Infinity;

  /** @returns the time at which to begin, null for the beginning. */
  place(): string | null {
    const now = performance.now();
    if (this.upTo !== null && now - this.beganAt < FROM_THE_BEGINNING_MS) return this.upTo;
    this.beganAt = now;
    return null;
  }

  /** There may be more behind these. */
  claimed(messages: readonly ClaimedMessage[]): void {
    this.upTo = messages.at(-1)?.up_to ?? null;
  }

  /** The next look begins at the beginning. */
  reset(): void {
    this.upTo = null;
  }
}
