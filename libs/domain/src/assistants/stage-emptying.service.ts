import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import {
  ArchivedStageRepository,
  type StageEntityKey,
  type StageKey,
} from '@app/persistence/scenarios/stages/archived-stage.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { ElapsedTime } from '../messages/dispatch/elapsed-time';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';

const LOOK_EVERY_MS = 10;
/** Longer than any statement of ours can hold a lead. */
const STUCK_AFTER_MS = 12_000;

/** Takes the leads out of archived stages. Any number of processes may do so at once. */
@Injectable()
export class StageEmptying {
  constructor(
    private readonly stages: ArchivedStageRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Resolves when no lead stands in the stage.
   * @returns whether any lead that moved had runs of scenarios
   * @throws DatabaseUnavailableError when another transaction holds a lead for too long; the worker goes on
   */
  async untilEmpty(stage: StageEntityKey): Promise<boolean> {
    const key = { accountId: stage.account_id, id: stage.id };
    let anyRuns = false;
    let progress = new ElapsedTime();
    for (;;) {
      const { moved, withRuns } = await this.moveSome(key);
      anyRuns ||= withRuns > 0;
      if (moved > 0) progress = new ElapsedTime();
      else if (!(await this.stages.anyLeft(stage))) return anyRuns;
      else if (progress.milliseconds > STUCK_AFTER_MS)
        throw new DatabaseUnavailableError(
          null,
          'The stage is archived. A lead that is held by another transaction still stands there; it moves as soon as that ends.',
        );
      else await sleep(LOOK_EVERY_MS);
    }
  }

  /**
   * Moves the leads that are left in a stage, or came to stand there meanwhile, and settles the stage in the end.
   * @param stopping aborted when the process stops
   */
  async sweep(key: StageKey, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.moveSome(key)).moved > 0);
    if (stopping.aborted) return;
    await this.stages.settle(key);
  }

  private async moveSome(key: StageKey): Promise<{ moved: number; withRuns: number }> {
    const outcome = await this.stages.moveOut(key);
    if (outcome.moved > 0) this.eventNotifier.notify(key.accountId);
    return outcome;
  }
}

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
