import { RunControlRepository } from '@app/persistence/scenarios/run-control.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { retryThroughOutages } from '../messages/outage.retry';
import { WorkNotifier } from '../work/work.notifier';
import { endOfLastCall } from './call.rules';
import type { ErrandEnd, ErrandKey } from './errand';
import type { LateErrand } from './prepared.errand';
import { RunPlan } from './run.plan';
import { ScenarioCounts } from './scenario.counts';

/** While there are so many, further ones are waited for in their dialogs' turns: these take the process's slots. */
const AT_ONCE_MAX = 1_000;
/** So long it is tried to write what an errand came to. */
const KEEP_TRYING_MS = 15_000;

/**
 * Errands that take longer than their dialogs wait for them. What they come to is written under the thread's lock,
 * whoever serves the dialog by then.
 */
@Injectable()
export class LateErrands {
  private readonly logger = new Logger(LateErrands.name);
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly runs: RunControlRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly notifier: WorkNotifier,
    private readonly counts: ScenarioCounts,
  ) {}

  /** Whether this process has as many of them as it may. */
  get isFull(): boolean {
    return this.underWay.size >= AT_ONCE_MAX;
  }

  /** Writes the end of an errand, once it has one, if its step is still noted as waiting for it. Never throws. */
  settle({ key, until, end }: LateErrand): void {
    const settled = end
      .then((came) => this.change(key, (plan) => this.keep(plan, key.index, until, came)))
      .catch((error: unknown) => this.report(key, error))
      .finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
  }

  /** Brings a step forward that was put off until its needs are met, once they may be. Never throws. */
  bringForward(key: ErrandKey, sooner: Promise<void>, stopping: AbortSignal): void {
    void sooner
      .then(async () => {
        if (!stopping.aborted) await this.change(key, (plan) => plan.bringForward(key.index));
      })
      .catch((error: unknown) => this.report(key, error));
  }

  /** Resolves when none is under way any more. */
  async over(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private keep(plan: RunPlan, index: number, until: Date, end: ErrandEnd): void {
    const step = plan.noted(index);
    if (step?.answer_until !== until.toISOString()) return;
    if (!plan.isOpen) return plan.settleEnded(index, endOfLastCall(end));
    if (step.state !== 'running') return;
    if (end.kind === 'later') return plan.retry(end);
    this.counts.step(plan.step?.kind ?? '', end.end.state, plan.lateMs);
    plan.close(end.end);
  }

  private async change({ accountId, threadId, run }: ErrandKey, act: (plan: RunPlan) => void): Promise<void> {
    const key = { accountId, threadId, runId: run.id };
    const write = (): Promise<boolean> =>
      this.runs.control(key, ({ run: present, steps, dialog }) => {
        const plan = new RunPlan(present, steps, dialog.at);
        act(plan);
        return { run: plan.written(), entries: plan.entries, retriedBy: null };
      });
    await retryThroughOutages(write, KEEP_TRYING_MS);
    this.eventNotifier.notify();
    this.notifier.notify('scenarios', { accountId, id: threadId });
  }

  private report(key: ErrandKey, error: unknown): void {
    this.logger.error(
      { account_id: key.accountId, run_id: key.run.id, err: error },
      'What became of a step was not written: it is tried again.',
    );
  }
}
