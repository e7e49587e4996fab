import { Injectable } from '@nestjs/common';

/** Notifies those who wait for a batch in this process that part of it was settled. */
@Injectable()
export class BatchNotifier {
  private readonly waiting = new Map<string, Set<() => void>>();

  notify(batchId: string): void {
    for (const listener of this.waiting.get(batchId) ?? []) listener();
  }

  /** @returns how to stop listening */
  listen(batchId: string, listener: () => void): () => void {
    const listeners = this.waiting.get(batchId) ?? new Set();
    this.waiting.set(batchId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.waiting.delete(batchId);
    };
  }
}
