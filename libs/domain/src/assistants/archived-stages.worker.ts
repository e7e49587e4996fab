import { ArchivedStageRepository } from '@app/persistence/scenarios/stages/archived-stage.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { StageEmptying } from './stage-emptying.service';

/**
 * The worker that takes leads out of archived stages: what a killed process left, and what a statement moved there that
 * began before the stage was archived. An item is a stage.
 */
@Injectable()
export class ArchivedStagesWorker extends Worker {
  readonly name = 'archived-stages';
  readonly actsOutside = false;
  readonly concurrency = 2;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['stages'] as const;

  constructor(
    private readonly stages: ArchivedStageRepository,
    private readonly emptying: StageEmptying,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.stages.emptying();
  }

  backlog(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async run({ accountId, id }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId !== null) await this.emptying.sweep({ accountId, id }, stopping);
  }
}
