import { NIL_ID } from '@app/contracts/uuid.format';
import { RunQueueRepository } from '@app/persistence/scenarios/runs/run-queue.repository';
import { RunWakesRepository, type HeldWake } from '@app/persistence/scenarios/runs/run-wakes.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../../work/work-notifier';
import { WORK_TIMES } from '../../work/work-times';
import { Worker, type WorkItem } from '../../work/worker';
import { ScenarioRuns } from './scenario-runs.service';

/** Dialogs of one statement, which holds their locks for some milliseconds. */
const AT_ONCE = 100;
/** Scenarios and accounts of one round. */
const OF_ROUND = 20;

/**
 * Has the dialogs looked at whose runs go on or end, because their scenario changed or the automation of their account
 * was resumed. The change leaves a mark in its transaction, so no kill loses it.
 */
@Injectable()
export class RunWakes {
  constructor(
    private readonly wakes: RunWakesRepository,
    private readonly notifier: WorkNotifier,
  ) {}

  async wakeAll(): Promise<void> {
    for (let n = 0; n < OF_ROUND; n += 1) {
      const wake = await this.wakes.claim();
      if (!wake) return;
      await this.wake(wake);
    }
  }

  private async wake(claimed: HeldWake): Promise<void> {
    const { accountId } = claimed;
    const held: string[] = [];
    let after = NIL_ID;
    let wake = claimed;
    for (;;) {
      const ids = await this.wakes.dialogs(wake, after, AT_ONCE);
      const last = ids.at(-1);
      if (last === undefined) break;
      held.push(...(await this.wakes.wake(accountId, ids)));
      // The sweep finds the others.
      if (after === NIL_ID) for (const id of ids) this.notifier.notify('scenarios', { accountId, id });
      after = last;
      const renewed = await this.wakes.renew(wake);
      if (!renewed) return;
      wake = renewed;
    }
    // Where a dialog is held for too long, all of it is done anew when the claim has run out.
    for (const id of held) await this.wakes.wakeHeld(accountId, id);
    await this.wakes.done(wake);
  }
}

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
