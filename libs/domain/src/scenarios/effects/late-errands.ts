import { mayTakeSlot } from '@app/contracts/in-flight-limiter';
import { RunControlRepository } from '@app/persistence/scenarios/runs/run-control.repository';
import { noteSpan } from '@app/contracts/trace-recorder';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { retryThroughOutages } from '../../messages/dispatch/outage-retry';
import { WorkNotifier } from '../../work/work-notifier';
import { endOfLastCall } from './call.rules';
import type { ErrandEnd, ErrandKey } from './errand';
import { RunPlan } from '../runs/run-plan';
import { ScenarioCounts } from '../definition/scenario-counts';
import { spanOfStep } from '../steps/step-span';

/** Beyond them an errand is waited for in its dialog's turn, which takes a slot of the worker. */
const AT_ONCE_MAX = 1_000;
/** So long it is tried to write what an errand came to. */
const KEEP_TRYING_MS = 15_000;

/** An errand that takes longer than its dialog waits for it. */
interface LateErrand {
  key: ErrandKey;
  /** As its step has it. */
  until: Date;
  end: Promise<ErrandEnd>;
}

/**
 * Errands that take longer than their dialogs wait for them. What they come to is written under the thread's lock,
 * whoever serves the dialog by then.
 */
@Injectable()
export class LateErrands {
  private readonly logger = new Logger(LateErrands.name);
  /** Those that have begun, with the accounts that they belong to. */
  private readonly underWay = new Map<Promise<void>, string>();
  /** Steps that are put off until their needs are met. */
  private readonly putOff = new Map<Promise<void>, ErrandKey>();

  constructor(
    private readonly runs: RunControlRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly notifier: WorkNotifier,
    private readonly counts: ScenarioCounts,
  ) {}

  /** Whether this process may have one more of an account. */
  hasRoom(accountId: string): boolean {
    const ofAccount = [...this.underWay.values()].filter((id) => id === accountId).length;
    return mayTakeSlot(ofAccount, AT_ONCE_MAX - this.underWay.size);
  }

  /** Writes the end of an errand, once it has one, if its step still waits for it. Never throws. */
  settle({ key, until, end }: LateErrand): void {
    const settled = end
      .then((came) => this.write(key, (plan) => this.keep(plan, key.index, until, came)))
      .catch((error: unknown) => this.report(key, error))
      .finally(() => this.underWay.delete(settled));
    this.underWay.set(settled, key.accountId);
  }

  /** Brings a step forward that was put off until its needs are met, once they may be. Never throws. */
  bringForward(key: ErrandKey, sooner: Promise<void>): void {
    this.putOff.set(sooner, key);
    void sooner.then(() => this.goOn(sooner));
  }

  /** Resolves when none is under way any more. What is put off is left to other processes. */
  async over(): Promise<void> {
    const left = Array.from(this.putOff.keys(), (sooner) => this.goOn(sooner));
    await Promise.all([...this.underWay.keys(), ...left]);
  }

  private async goOn(sooner: Promise<void>): Promise<void> {
    const key = this.putOff.get(sooner);
    if (!key) return;
    this.putOff.delete(sooner);
    const goOn = (plan: RunPlan): void => plan.bringForward(key.index, key.attempts);
    await this.write(key, goOn).catch((error: unknown) => this.report(key, error));
  }

  /** @returns what is to be done once it is written */
  private keep(plan: RunPlan, index: number, until: Date, end: ErrandEnd): (() => void) | void {
    const step = plan.noted(index);
    if (step?.answer_until !== until.toISOString()) return;
    if (!plan.isOpen) return plan.settleEnded(index, endOfLastCall(end));
    if (step.state !== 'running') return;
    if (end.kind === 'later') return plan.retry(end);
    const { kind = '' } = plan.step ?? {};
    const { lateMs, run } = plan;
    plan.close(end.end);
    const made = { ...{ kind, outcome: end.end.state, lateMs }, run, index };
    return () => {
      this.counts.step(kind, made.outcome, lateMs);
      noteSpan(run.cause.trace, () => spanOfStep(made, Date.now()));
    };
  }

  private async write(
    { accountId, threadId, run }: ErrandKey,
    act: (plan: RunPlan) => (() => void) | void,
  ): Promise<void> {
    const key = { accountId, threadId, runId: run.id };
    let onWritten: (() => void) | undefined;
    const write = (): Promise<boolean> =>
      this.runs.settle(key, ({ run: present, steps, dialog }) => {
        const plan = new RunPlan(present, steps, dialog.at);
        onWritten = act(plan) ?? undefined;
        return { run: plan.written(), entries: plan.entries, retriedBy: null };
      });
    await retryThroughOutages(write, KEEP_TRYING_MS);
    onWritten?.();
    this.eventNotifier.notify(accountId);
    this.notifier.notify('scenarios', { accountId, id: threadId });
  }

  private report(key: ErrandKey, error: unknown): void {
    this.logger.error(
      { account_id: key.accountId, run_id: key.run.id, err: error },
      'What became of a step was not written: it is tried again.',
    );
  }
}
