import { isOfStatement } from '@app/persistence/database/database.errors';
import type { WorkBacklog } from '@app/persistence/work/work.statements';
import { Injectable, Inject, Logger } from '@nestjs/common';
import { WORK_NAMES, type WorkName, WORKERS, type Worker } from './worker';

interface WorkCount {
  /** Items that ended or failed since the process began. */
  done: number;
  failed: number;
  /** Items that are running now. */
  inFlight: number;
}

/** What this process has done of each kind of due work, for metrics. */
@Injectable()
export class WorkCounts {
  private readonly counts = new Map<WorkName, WorkCount>(
    WORK_NAMES.map((name) => [name, { done: 0, failed: 0, inFlight: 0 }]),
  );

  of(name: WorkName): WorkCount {
    const count = this.counts.get(name);
    if (!count) throw new Error(`there is no due work by the name ${name}`);
    return count;
  }

  all(): ReadonlyMap<WorkName, Readonly<WorkCount>> {
    return this.counts;
  }
}

export type NamedBacklog = { name: WorkName } & WorkBacklog;

const NOTHING: WorkBacklog = { due: 0, oldest_due_seconds: null, in_flight: 0, failed_last_hour: 0 };

/** How much work of each kind there is, on all processes together. */
@Injectable()
export class WorkBacklogs {
  private readonly logger = new Logger(WorkBacklogs.name);

  constructor(@Inject(WORKERS) private readonly workers: readonly Worker[]) {}

  /**
   * One kind after the other, on one connection: after an outage many rows may be due, and each of them is counted. A kind of
   * which there is too much to be counted in time is left out.
   * @param accountId null: of all accounts
   * @throws DatabaseUnavailableError where none can be counted
   */
  async of(accountId: string | null): Promise<NamedBacklog[]> {
    const all: NamedBacklog[] = [];
    let failed: Error | null = null;
    for (const worker of this.workers)
      try {
        all.push({ name: worker.name, ...((await worker.backlog(accountId)) ?? NOTHING) });
      } catch (error) {
        if (!(error instanceof Error) || !isOfStatement(error)) throw error;
        failed = error;
        this.logger.warn(
          { err: error, work: worker.name },
          'How much is due of this kind of work cannot be counted.',
        );
      }
    if (all.length === 0 && failed) throw failed;
    return all;
  }
}
