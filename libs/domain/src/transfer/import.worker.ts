import { ImportWorkRepository } from '@app/persistence/transfer/import-work.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { ImportTurns } from './import-turns.service';

/** Takes in the rows of imports. */
@Injectable()
export class ImportWorker extends Worker {
  readonly name = 'imports';
  readonly actsOutside = true;
  /** Imports must leave room for everything else. Those of several accounts take turns. */
  readonly concurrency = 1;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['imports'] as const;

  constructor(
    private readonly turns: ImportTurns,
    private readonly imports: ImportWorkRepository,
  ) {
    super();
  }

  findDue(): Promise<readonly WorkItem[]> {
    return this.imports.due();
  }

  backlog(accountId: string | null) {
    return this.imports.backlog(accountId);
  }

  async run({ accountId, id }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId !== null) await this.turns.take({ accountId, id }, stopping);
  }
}
