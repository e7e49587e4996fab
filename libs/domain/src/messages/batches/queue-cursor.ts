import type { DueMessage } from '@app/persistence/messages/batches/send-queue.repository';

/** How late an entry with an earlier time may be found. */
const FROM_THE_BEGINNING_MS = 500;

/**
 * Where the next read of the queue begins: after the last entry found, and from time to time at the beginning. A list
 * becomes visible when it is committed, and its times are from before that.
 */
export class QueueCursor {
  private upTo: string | null = null;
  private beganAt = -Infinity;

  /**
   * @returns the time at which to begin; null for the beginning
   */
  position(): string | null {
    const now = performance.now();
    if (this.upTo !== null && now - this.beganAt < FROM_THE_BEGINNING_MS) return this.upTo;
    this.beganAt = now;
    return null;
  }

  /** There may be more entries after these. */
  moveBehind(messages: readonly DueMessage[]): void {
    this.upTo = messages.at(-1)?.due_at ?? null;
  }

  /** The next read begins at the beginning. */
  reset(): void {
    this.upTo = null;
  }
}
