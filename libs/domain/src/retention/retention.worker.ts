import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work.times';
import { Worker, type WorkItem } from '../work/worker';
import { Retention } from './retention.service';

const ALL: WorkItem = { accountId: null, id: 'all' };

/** The worker that deletes expired rows. */
@Injectable()
export class RetentionWorker extends Worker {
  readonly name = 'retention';
  readonly concurrency = 1;
  readonly sweepEveryMs = WORK_TIMES.retentionMs;

  constructor(private readonly retention: Retention) {
    super();
  }

  findDue(): Promise<readonly WorkItem[]> {
    return Promise.resolve([ALL]);
  }

  backlog(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async run(_: WorkItem, stopping: AbortSignal): Promise<void> {
    await this.retention.run(stopping);
  }
}
