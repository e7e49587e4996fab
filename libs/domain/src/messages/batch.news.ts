import { Injectable } from '@nestjs/common';

/** Tells whoever waits for a batch, in this process, that something of it was settled. */
@Injectable()
export class BatchNews {
  private readonly waiting = new Map<string, Set<() => void>>();

  tell(batchId: string): void {
    for (const hear of this.waiting.get(batchId) ?? []) hear();
  }

  /** @returns how to stop listening */
  listen(batchId: string, hear: () => void): () => void {
    const hearers = this.waiting.get(batchId) ?? new Set();
    this.waiting.set(batchId, hearers.add(hear));
    return () => {
      hearers.delete(hear);
      if (hearers.size === 0) this.waiting.delete(batchId);
    };
  }
}
