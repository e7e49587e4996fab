import type { DueMessage } from '@app/persistence/messages/send-queue.repository';

/** What comes into the queue with an earlier time is found within so long. */
const FROM_THE_BEGINNING_MS = 500;

/**
 * Where in its queue the next look begins: behind what the last one found, but from time to time at the beginning, for a
 * list is seen when it is committed, and its times are from before that.
 */
export class QueueCursor {
  private upTo: string | null = null;
  private beganAt = -Infinity;

  /** @returns the time at which to begin, null for the beginning. */
  position(): string | null {
    const now = performance.now();
    if (this.upTo !== null && now - this.beganAt < FROM_THE_BEGINNING_MS) return this.upTo;
    this.beganAt = now;
    return null;
  }

  /** There may be more behind these. */
  moveBehind(messages: readonly DueMessage[]): void {
    this.upTo = messages.at(-1)?.due_at ?? null;
  }

  /** The next look begins at the beginning. */
  reset(): void {
    this.upTo = null;
  }
}
