import type { WorkBacklog } from '@app/persistence/work/backlog.fragments';
import { Inject, Injectable } from '@nestjs/common';
import { WORKERS, type Worker, type WorkName } from './worker';

export type NamedBacklog = { name: WorkName } & WorkBacklog;

const NOTHING: WorkBacklog = { due: 0, oldest_due_seconds: null, in_flight: 0, failed_last_hour: 0 };

/** How much work of each kind there is, on all processes together. */
@Injectable()
export class WorkBacklogs {
  constructor(@Inject(WORKERS) private readonly workers: readonly Worker[]) {}

  /** @throws DatabaseUnavailableError */
  async all(): Promise<NamedBacklog[]> {
    const backlogs = await Promise.all(this.workers.map((worker) => worker.backlog()));
    return this.workers.map(({ name }, index) => ({ name, ...(backlogs[index] ?? NOTHING) }));
  }
}
