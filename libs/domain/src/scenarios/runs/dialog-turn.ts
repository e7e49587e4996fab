import type { DialogTransaction, DialogView } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { ElapsedTime } from '../../messages/dispatch/elapsed-time';
import { WORK_TIMES } from '../../work/work-times';
import {
  PERMIT_MS,
  type ErrandKey,
  type ReadyErrand,
  isStepOf,
  type CarriedErrand,
  type PreparedErrand,
} from '../effects/errand';
import { endOfLastCall, endOfLeftCall } from '../effects/call.rules';
import { momentOf, requestThatEnds } from './dialog-moment';
import { messageEnd } from '../effects/send.rules';
import { beginningOf, endOf, isHeld } from './run.rules';
import { RunPlan } from './run-plan';
import type { Decision, ErrandOrder } from '../steps/step-decision';
import type { MadeStep } from '../steps/step-span';
import { decide } from '../steps/step-table';

/** What this process brings to a dialog. */
export interface Turn {
  held: { accountId: string; threadId: string };
  carried: CarriedErrand | null;
  /** Of steps that it prepared, or that could not be made. */
  prepared: readonly PreparedErrand[];
  /** Since the thread was locked, before anything was read that decides. */
  elapsed: () => ElapsedTime;
  /** The process stops: nothing begins. */
  isStopping: boolean;
  onStep: (step: MadeStep) => void;
}

/**
 * What is to be done next: nothing; the next turn; the needs of an effect outside are to be met; or it is to be carried
 * out.
 */
export type NextTurn = (
  | { kind: 'idle' }
  | { kind: 'again' }
  | { kind: 'prepare'; key: ErrandKey; order: ErrandOrder }
  | { kind: 'carry'; errand: ReadyErrand }
) & {
  /** Whether a step ahead sends a message, which may be prepared before the next turn. */
  willSend?: boolean;
};

/**
 * What a dialog's runs do in one transaction: asked ones begin, ended ones end, and the others make their steps in the
 * order of their beginning, until one has an effect. Without a transaction it is a rehearsal: it tells what comes next, as
 * far as it can be known without a lock, and changes nothing.
 */
export class DialogTurn {
  private plans: RunPlan[] = [];
  private next: NextTurn = { kind: 'idle' };
  private permitMs: number | null = null;
  private isCalling = false;
  /** The step that is being made, or was the last. */
  acting: ErrandKey | null = null;

  constructor(
    private readonly turn: Turn,
    private readonly at: DialogView,
    /** Null: a rehearsal. */
    private readonly transaction: DialogTransaction | null,
  ) {}

  async play(): Promise<NextTurn> {
    const { dialog, runs, stepsOf } = this.at;
    // A rehearsal may not change what is played afterwards.
    this.plans = runs.map((run) => new RunPlan({ ...run }, stepsOf(run), dialog.at));
    for (const plan of this.plans) if (plan.steps.length === 0) plan.refuseWithoutSteps();
    await this.settleCarried();
    this.settleAbandoned();
    // Whether the customer replied was read by a mark that has moved back.
    if (this.plans.some(({ lastSend }) => lastSend.isTakenBack)) this.next = { kind: 'again' };
    else await this.goOn();
    this.finish();
    return this.next;
  }

  private async goOn(): Promise<void> {
    // What is over is no run that goes on, when an asked one would be the second.
    await this.cancelEnded();
    this.beginDue();
    await this.cancelEnded();
    if (!this.turn.isStopping) await this.makeSteps();
  }

  /** Runs that a move asked for, in order, each seeing those before it. */
  private beginDue(): void {
    const earlier = new Map(this.at.earlier.map((row) => [row.scenario_id, row]));
    for (const plan of this.plans) {
      const { run } = plan;
      if (run.state !== 'due' || !plan.isOpen) continue;
      const before = earlier.get(run.scenario_id);
      const others = this.plans.filter((other) => other !== plan && other.isOpen).map((other) => other.run);
      const becomes = beginningOf({ run, dialog: this.at.dialog, others, earlier: before });
      if (becomes === 'skipped') plan.skip();
      else if (becomes === 'loop') plan.refuseLoop();
      else {
        plan.begin();
        run.state = 'running';
        const { in_ten_minutes: soon = 0, in_day: today = 0 } = before ?? {};
        earlier.set(run.scenario_id, {
          ...{ scenario_id: run.scenario_id, in_ten_minutes: soon + 1, in_day: today + 1, seconds_ago: 0 },
        });
      }
    }
  }

  /** What this process carried out since the last turn. */
  private async settleCarried(): Promise<void> {
    const { carried } = this.turn;
    const plan = carried && this.plans.find(({ run }) => run.id === carried.key.run.id);
    if (!carried) return;
    if (!plan) return this.settleEnded(carried);
    const { index, attempts } = carried.key;
    // A person may have had the run go on anew.
    if (!plan.isOpen || plan.index !== index || plan.present?.attempts !== attempts + 1) return;
    if (carried.end.kind === 'later') plan.retry(carried.end);
    else this.close(plan, carried.end.end);
  }

  /** A person ended its run meanwhile. A message tells by its state what became of the step, a call by its answer. */
  private async settleEnded(carried: CarriedErrand): Promise<void> {
    const { run, index } = carried.key;
    const ended = await this.transaction?.endedRun(run.id);
    if (!ended) return;
    const plan = new RunPlan(ended.run, ended.steps, this.at.dialog.at);
    plan.settleEnded(index, endOfLastCall(carried.end));
    this.plans.push(plan);
  }

  /** What a killed process had begun: a message tells by its state, a call is tried again. */
  private settleAbandoned(): void {
    for (const plan of this.plans) {
      const step = plan.present;
      if (!plan.isOpen || step?.state !== 'running' || step.attempts === 0) continue;
      const { answerUntil } = plan;
      if (answerUntil && answerUntil > this.at.dialog.at) continue;
      const end =
        plan.step?.kind === 'http' ? endOfLeftCall(step.attempts) : messageEnd(plan.run, this.at.dialog.at);
      if (end === null) plan.lookAgain(new Date(+this.at.dialog.at + WORK_TIMES.sweepMs));
      else if (end.kind === 'later') plan.retry(end);
      else this.close(plan, end.end);
    }
  }

  private async cancelEnded(): Promise<void> {
    for (const plan of this.plans) {
      if (!plan.isOpen || plan.run.state === 'due' || (this.isUnderWay(plan) && !plan.answerUntil)) continue;
      const later = this.plans.slice(this.plans.indexOf(plan) + 1).filter(({ isOpen }) => isOpen);
      const reason = endOf({ run: plan.run, dialog: this.at.dialog, later: later.map(({ run }) => run) });
      if (reason !== null) plan.cancel(reason, await requestThatEnds(plan, reason, later, this.transaction));
    }
  }

  private async makeSteps(): Promise<void> {
    for (const plan of this.plans) {
      while (plan.isOpen && !this.isHeldNow(plan) && !this.isUnderWay(plan) && !plan.backsOff) {
        this.acting = this.keyOf(plan);
        if (!plan.step) {
          plan.complete();
          break;
        }
        const goesOn = await this.makeStep(plan);
        if (this.next.kind !== 'idle') return;
        if (!goesOn) break;
      }
    }
  }

  /** @returns whether the run goes on at once. */
  private async makeStep(plan: RunPlan): Promise<boolean> {
    const { step } = plan;
    if (!step) return false;
    plan.reach();
    const prepared = this.preparedFor(plan);
    if (prepared && 'end' in prepared && prepared.end.kind === 'end') {
      this.close(plan, prepared.end.end);
      return true;
    }
    const decision = decide(step, momentOf(this.at.dialog, plan));
    switch (decision.kind) {
      case 'wait':
        plan.wait(decision.until, decision.dueSince);
        return false;
      case 'go':
        this.count(plan, 'done');
        plan.goTo(decision.label, decision.since);
        return true;
      case 'stop':
        this.count(plan, 'done');
        plan.stop();
        return false;
      case 'act':
        await this.act(plan, decision);
        return false;
      case 'errand':
        this.errand(plan, decision.order, prepared);
        return false;
      case 'done':
        if (decision.asksFor !== undefined) plan.askForPerson(decision.asksFor);
        this.close(plan, { state: 'done', ...(decision.since && { since: decision.since }) });
        return true;
      case 'skipped':
      case 'failed':
        this.close(plan, { state: decision.kind, error: decision.error });
        return true;
    }
  }

  private async act(plan: RunPlan, act: Extract<Decision, { kind: 'act' }>): Promise<void> {
    // The dialog is another one afterwards, and may have further runs.
    this.next = { kind: 'again' };
    // What it does is told at once, and the beginning of its run at the end of the turn: that one comes first.
    if (!this.transaction || plan.entries.length > 0) return;
    const { failed, detaches, handsOver, asksFor } = await act.perform(this.transaction, plan.acting);
    if (detaches) plan.detach();
    if (handsOver) plan.markHandedOver();
    if (asksFor !== undefined) plan.askForPerson(asksFor);
    this.close(plan, failed ? { state: 'failed', error: failed } : { state: 'done' });
  }

  private errand(plan: RunPlan, order: ErrandOrder, prepared: PreparedErrand | null): void {
    if (!prepared || !this.transaction) this.next = { kind: 'prepare', key: this.keyOf(plan), order };
    else if ('end' in prepared) {
      if (prepared.end.kind === 'later') plan.retry(prepared.end);
    } else {
      const { ready } = prepared;
      const { messageId } = ready.begin(this.transaction, order, this.turn.elapsed());
      plan.carryOut(messageId, ready.waitLimit?.until ?? null);
      this.permitMs = PERMIT_MS;
      // What became of a call is known to this process alone, so nothing comes before the turn that keeps it.
      this.isCalling = order.kind === 'call';
      this.next = { kind: 'carry', errand: ready };
    }
  }

  /** A due run has the steps of the newest revision, which may be newer than what was prepared. */
  private preparedFor({ run, index }: RunPlan): PreparedErrand | null {
    const isIt = ({ key }: PreparedErrand): boolean =>
      isStepOf(key, run, index) && key.run.revision === run.revision;
    return this.turn.prepared.findLast(isIt) ?? null;
  }

  private keyOf(plan: RunPlan): ErrandKey {
    const { bot_id: botId, assistant_id: assistantId, channel, recipient } = this.at.dialog;
    const { run, index, present } = plan;
    return {
      ...{ ...this.turn.held, botId, assistantId, channel, recipient, run, index },
      attempts: present?.attempts ?? 0,
      wasPutOff: present?.retry_at !== undefined,
    };
  }

  private close(plan: RunPlan, end: Parameters<RunPlan['close']>[0]): void {
    this.count(plan, end.state);
    // A full quota stops more than this run, so a person is asked for whatever the step says.
    if (end.error?.code === 'QUOTA_EXCEEDED' && plan.step?.on_failure === 'continue')
      plan.askForPerson(end.error.message);
    plan.close(end);
  }

  private count(plan: RunPlan, outcome: string): void {
    const { run, index, lateMs } = plan;
    this.turn.onStep({ ...{ kind: plan.step?.kind ?? '', outcome, lateMs }, run, index });
  }

  private isHeldNow({ run }: RunPlan): boolean {
    return isHeld({ run, dialog: this.at.dialog });
  }

  /** Its effect outside is still under way. */
  private isUnderWay({ present }: RunPlan): boolean {
    return present?.state === 'running' && present.attempts > 0;
  }

  private finish(): void {
    const open = this.plans.filter(({ isOpen }) => isOpen);
    const willSend = open.some((plan) => plan.willSend(plan.index + (this.isUnderWay(plan) ? 1 : 0)));
    this.next.willSend = willSend && !this.isCalling;
    const goesOn = this.next.kind !== 'idle';
    const nexts = open.flatMap((plan) =>
      (this.isHeldNow(plan) && !this.isUnderWay(plan)) || !plan.next ? [] : [+plan.next],
    );
    this.transaction?.finish({
      runs: this.plans.flatMap((plan) => plan.written() ?? []),
      notBegunIds: this.plans.filter(({ isSkipped }) => isSkipped).map(({ run }) => run.id),
      entries: this.plans.flatMap(({ entries }) => entries),
      // A move of this turn may have begun runs that it does not know.
      hasRuns: open.length > 0 || this.next.kind === 'again',
      dueAt: nexts.length > 0 ? new Date(Math.min(...nexts)) : null,
      leaseMs: goesOn ? WORK_TIMES.leaseMs : null,
      permitMs: this.permitMs,
    });
  }
}
