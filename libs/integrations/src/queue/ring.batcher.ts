import { AsyncResource } from 'node:async_hooks';
import type { JobIds, JobKind } from '@app/domain/jobs/job.queue';

export interface Ring {
  key: string;
  ids: JobIds;
}

/** While the database is slow more may come than can be told; what is beyond this is left to the sweeps. */
const WAITING_MAX = 10_000;

/**
 * Puts together what is rung: rings of one kind and key in one turn of the event loop are one, those of one kind one
 * statement. One statement at a time: what comes meanwhile goes with the next.
 */
export class RingBatcher {
  private readonly waiting = new Map<JobKind, Map<string, JobIds>>();
  private size = 0;
  private sending: Promise<void> | null = null;
  /** Bound to no request: what is logged of a statement is not of the call that happened to ring first. */
  private readonly sendUnbound = AsyncResource.bind(() => this.sendAll());

  /** @param send fails when the rings are lost. */
  constructor(
    private readonly send: (kind: JobKind, rings: Ring[]) => Promise<void>,
    private readonly onLost: (error: unknown) => void,
  ) {}

  add(kind: JobKind, key: string, ids: JobIds): void {
    const rings = this.waiting.get(kind) ?? new Map<string, JobIds>();
    this.waiting.set(kind, rings);
    if (!rings.has(key)) {
      if (this.size >= WAITING_MAX) return;
      this.size += 1;
    }
    rings.set(key, ids);
    this.sending ??= this.sendUnbound();
  }

  /** Resolves when all that was rung is told, or lost. */
  async idle(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.size > 0) {
      const batches = [...this.waiting];
      this.waiting.clear();
      this.size = 0;
      for (const [kind, rings] of batches) {
        try {
          await this.send(
            kind,
            Array.from(rings, ([key, ids]) => ({ key, ids })),
          );
        } catch (error) {
          this.onLost(error);
        }
      }
    }
    this.sending = null;
  }
}
