import { RunQueueRepository } from '@app/persistence/scenarios/runs/run-queue.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../../work/work-times';
import { Worker, type WorkItem } from '../../work/worker';
import { RunWakes } from './run-wakes';
import { ScenarioRuns } from './scenario-runs.service';

/** The worker that carries out scenarios. An item is a dialog. */
@Injectable()
export class ScenarioWorker extends Worker {
  readonly name = 'scenarios';
  override readonly tracesItself = true;
  readonly actsOutside = true;
  /** Most of a run's time is spent waiting for its number's pace, or for an answer from outside. */
  readonly concurrency = 100;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['runs'] as const;
  override readonly maintenance = [
    { of: ['accountWakes', 'scenarioWakes'] as const, act: () => this.wakes.wakeAll() },
  ];

  constructor(
    private readonly runs: ScenarioRuns,
    private readonly queues: RunQueueRepository,
    private readonly wakes: RunWakes,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.runs.findDue();
  }

  async backlog(accountId: string | null) {
    return this.queues.backlog(accountId);
  }

  override async over(): Promise<void> {
    await this.runs.over();
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    await this.runs.serve(item, stopping);
  }
}
