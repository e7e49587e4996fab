import type { WorkBacklog } from '@app/persistence/work/backlog.fragments';
import { Inject, Injectable } from '@nestjs/common';
import { WORKERS, type Worker, type WorkName } from './worker';

export type NamedBacklog = { name: WorkName } & WorkBacklog;

const NOTHING: WorkBacklog = { due: 0, oldest_due_seconds: null, in_flight: 0, failed_last_hour: 0 };

/** How much work of each kind there is, on all processes together. */
@Injectable()
export class WorkBacklogs {
  constructor(@Inject(WORKERS) private readonly workers: readonly Worker[]) {}

  /**
   * One kind after the other, on one connection: after an outage many rows may be due, and each of them is counted.
   * @param accountId null: of all accounts
   * @throws DatabaseUnavailableError
   */
  async of(accountId: string | null): Promise<NamedBacklog[]> {
    const all: NamedBacklog[] = [];
    for (const worker of this.workers)
      all.push({ name: worker.name, ...((await worker.backlog(accountId)) ?? NOTHING) });
    return all;
  }
}
