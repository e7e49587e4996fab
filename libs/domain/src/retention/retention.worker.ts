import { Injectable } from '@nestjs/common';
import { UnusedDialogs } from '../privacy/unused-dialogs.service';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { Retention } from './retention.service';

const ROWS: WorkItem = { accountId: null, id: 'rows' };
const DIALOGS: WorkItem = { accountId: null, id: 'dialogs' };

/** The worker that deletes expired rows, and erases dialogs that are unused. Neither waits for the other. */
@Injectable()
export class RetentionWorker extends Worker {
  readonly name = 'retention';
  /** It deletes files, which another database may still name: that from which this one was restored. */
  readonly actsOutside = true;
  readonly concurrency = 2;
  readonly sweepEveryMs = WORK_TIMES.retentionMs;
  readonly finds = null;
  private readonly running = new Set<string>();

  constructor(
    private readonly retention: Retention,
    private readonly dialogs: UnusedDialogs,
  ) {
    super();
  }

  /** Each runs once at a time: else one that takes long would take the other's place at the next sweep. */
  findDue(): Promise<readonly WorkItem[]> {
    return Promise.resolve([ROWS, DIALOGS].filter(({ id }) => !this.running.has(id)));
  }

  backlog(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async run({ id }: WorkItem, stopping: AbortSignal): Promise<void> {
    this.running.add(id);
    try {
      await (id === ROWS.id ? this.retention.run(stopping) : this.dialogs.eraseDue(stopping));
    } finally {
      this.running.delete(id);
    }
  }
}
