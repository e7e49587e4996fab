import { idOrNothing } from '@app/contracts/uuid.format';
import type { RunReason } from '@app/contracts/scenario.words';
import {
  RunControlRepository,
  type ControlledRun,
  type RunControlChange,
  type RunKey,
  type RunSubject,
} from '@app/persistence/scenarios/runs/run-control.repository';
import type { OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import { RunListRepository } from '@app/persistence/scenarios/runs/run-list.repository';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import { Injectable } from '@nestjs/common';
import { actorOf, callOf, reachOf, type Principal } from '../../accounts/principal.rules';
import { Audit } from '../../audit/audit.service';
import { EventNotifier } from '../../events/event-notifier.service';
import { RunPermits } from '../../leads/run-permits';
import { WorkNotifier } from '../../work/work-notifier';
import { RunLists } from './run-lists.service';
import { RunPlan } from './run-plan';
import type { ShownRun } from './run.presenter';
import { endOf, isHeld } from './run.rules';
import { RunNotFoundError, RunStateError } from '../definition/scenario.errors';
import { sendsMessage } from '../effects/send.rules';
import { nextOpening, openAt } from '../definition/send-hours.rules';
import { trueSteps } from '../steps/step-truth';

const NOT_SENT = { code: 'PROVIDER_ERROR', message: 'A person found that it was not sent.' };

/** A run in the hands of a person: one that has ended may go on. */
class PersonPlan extends RunPlan {
  /** Whether a step waits for a person to say what became of it. */
  get hasUnknown(): boolean {
    return this.progress.hasUnknown;
  }

  /** A person has it go on at a step, as if nothing was noted of that one and those below it. */
  resume(index: number): void {
    this.progress.forgetFrom(index);
    if (index === 0) this.lastSend.forget();
    this.reason = null;
    this.history.becomes('started', 'retried');
    this.advance(index, this.now);
  }

  /**
   * A person knows what became of an unknown step. A run that ended because of it goes on where the step is done. The
   * history has an entry in any case.
   */
  resolve(step: StepProgress, isDone: boolean): void {
    step.state = isDone ? 'done' : 'failed';
    step.finished_at ??= this.now.toISOString();
    if (isDone) delete step.error;
    else if (step.message_id !== undefined) step.error = NOT_SENT;
    if (!isDone) this.lastSend.takeBack(step);
    this.isChanged = true;
    const goesOn = isDone && this.reason === 'step_failed' && step.index === this.at;
    if (goesOn && this.at + 1 === this.steps.length) return this.end('done', null, 'resolved');
    if (goesOn || this.isOpen) this.history.becomes('started', 'resolved');
    else this.history.stays(this.state, 'resolved');
    if (!goesOn) return;
    this.reason = null;
    this.advance(this.at + 1, this.now);
  }
}

/** Where a run goes on: at the step that failed or was under way, or at the first. */
export type RetryFrom = 'failed' | 'start';

/** Why a run may not go on, in words. */
const MAY_NOT: Partial<Record<RunReason, string>> = {
  archived: 'its scenario is archived',
  person: 'all runs of its scenario were cancelled after it began',
  opted_out: 'the customer unsubscribed',
  left_stage: 'the lead has left the stage, or entered it anew',
  takeover: 'an operator conducts the dialog, and the scenario ends then',
  replied: 'the customer replied, and the scenario ends then',
};

const ENDED: readonly string[] = ['done', 'failed', 'cancelled'];

/** What admins do to runs. */
@Injectable()
export class RunControl {
  constructor(
    private readonly runs: RunControlRepository,
    private readonly found: RunListRepository,
    private readonly lists: RunLists,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
    private readonly permits: RunPermits,
    private readonly audit: Audit,
  ) {}

  /**
   * Cancels an open run. Nothing of it begins after this resolves.
   * @throws RunNotFoundError, RunStateError where it has ended
   */
  async cancel(by: Principal, id: string): Promise<ShownRun> {
    return this.control(by, id, 'run.cancel', {}, ({ plan }) => {
      if (!plan.isOpen) throw new RunStateError(`The run has ended: it is ${plan.run.state}.`);
      plan.cancel('person');
      return false;
    });
  }

  /**
   * Has a failed or cancelled run go on. What would end or hold it is looked at again.
   * @throws RunNotFoundError, RunStateError
   */
  async retry(by: Principal, id: string, from: RetryFrom): Promise<ShownRun> {
    return this.control(by, id, 'run.retry', { from }, (at) => {
      const index = placeOf(at, from);
      requireMayGoOn(at, index);
      at.plan.resume(index);
      return true;
    });
  }

  /**
   * Says what became of a step that is unknown, or agrees with what has become known of it since.
   * @throws RunNotFoundError, RunStateError where the step is not unknown, or is known to be the opposite
   */
  async resolve(by: Principal, id: string, index: number, sent: boolean): Promise<ShownRun> {
    return this.control(by, id, 'run.resolve', { step: index, sent }, ({ run, plan }) => {
      requireStep(plan, index);
      const step = plan.noted(index);
      const agrees = step && isLearnt(run, step) && sent === (step.state === 'done');
      if (!step || (step.state !== 'unknown' && !agrees)) {
        throw new RunStateError(`Step ${index} is not unknown: it is ${step?.state ?? 'not reached'}.`);
      }
      plan.resolve(step, sent);
      return false;
    });
  }

  /**
   * @param told of the call, in the audit
   * @param act changes the plan, and tells whether the caller has tried the run again
   */
  private async control(
    by: Principal,
    id: string,
    action: 'run.cancel' | 'run.retry' | 'run.resolve',
    told: object,
    act: (at: RunSubject & { plan: PersonPlan }) => boolean,
  ): Promise<ShownRun> {
    const key = await this.require(by, id);
    const decide = (subject: RunSubject): RunControlChange => {
      const { run, steps, messages, dialog } = subject;
      const isOpen = !ENDED.includes(run.state);
      const progress = trueSteps(run.progress, messages, isOpen);
      const plan = new PersonPlan({ ...run, progress }, steps, dialog.at, callOf(by));
      const retried = act({ ...subject, plan });
      return { run: plan.written(), entries: plan.entries, retriedBy: retried ? actorOf(by) : null };
    };
    const describe = ({ was, is }: ControlledRun) => ({
      subject: { type: 'run', accountId: key.accountId, id: key.runId, name: was.name },
      before: { state: was.state },
      after: { state: is.state, ...told },
    });
    const isFound = await this.audit.act(by, action, describe, (entryOf) =>
      this.runs.control(key, decide, entryOf),
    );
    if (!isFound) throw new RunNotFoundError();
    this.eventNotifier.notify(key.accountId);
    this.work.notify('scenarios', { accountId: key.accountId, id: key.threadId });
    await this.permits.untilNone(key.accountId, key.threadId);
    return this.lists.get(by, id);
  }

  private async require(by: Principal, id: string): Promise<RunKey> {
    const run = await this.found.find(reachOf(by), idOrNothing(id));
    if (!run) throw new RunNotFoundError();
    return { accountId: run.account_id, threadId: run.thread_id, runId: run.id };
  }
}

/** Whether a step's end has become known since it was noted. */
const isLearnt = ({ progress }: OpenRun, { index, state }: StepProgress): boolean =>
  progress.some((noted) => noted.index === index && noted.state !== state);

/** @throws RunStateError for an index beyond the last step */
function requireStep({ steps }: PersonPlan, index: number): void {
  const last = steps.length - 1;
  if (index <= last) return;
  if (last < 0) throw new RunStateError('The steps of the run are gone.');
  const has = last === 0 ? 'it has one step, 0' : `its steps are 0 to ${last}`;
  throw new RunStateError(`The run has no step ${index}: ${has}.`);
}

/** The step at which a run would go on. */
function placeOf({ run, dialog, plan }: RunSubject & { plan: PersonPlan }, from: RetryFrom): number {
  const { state } = plan.run;
  if (state !== 'failed' && state !== 'cancelled') {
    const shown = plan.isOpen && isHeld({ run, dialog }) ? 'paused' : state;
    throw new RunStateError(`Only a failed or a cancelled run goes on: this one is ${shown}.`);
  }
  if (run.reason === 'loop')
    throw new RunStateError(
      'loop: the run was not begun, for it seemed to be one of a loop. Mend the loop, then start the scenario by hand.',
    );
  if (plan.steps.length === 0)
    throw new RunStateError(
      'steps: the steps with which the run began are gone. Start the scenario by hand.',
    );
  if (plan.present?.state === 'running')
    throw new RunStateError('Its last message is still on its way. Try again in a minute.');
  if (plan.hasUnknown) throw new RunStateError('A step is unknown: say what became of it first, by resolve.');
  const unsent = run.progress.find(
    ({ index, state }) => state === 'failed' && plan.noted(index)?.state === 'done',
  );
  if (unsent)
    throw new RunStateError(
      `sent: the message of step ${unsent.index} was sent after all. Say so by resolve, and the run goes on after it.`,
    );
  if (from === 'start') return 0;
  return plan.present?.state === 'done' ? plan.index + 1 : plan.index;
}

/** @throws RunStateError for the first reason not to go on */
function requireMayGoOn({ run, dialog, others, steps }: RunSubject, index: number): void {
  // That runs of the scenario were cancelled before is no reason: a person wants this one to go on.
  const reason = endOf({ run: { ...run, all_cancelled: false }, dialog, later: others });
  if (reason)
    throw new RunStateError(`${reason}: the run cannot go on, because ${MAY_NOT[reason] ?? reason}.`);
  if (others.some((other) => other.scenario_id === run.scenario_id))
    throw new RunStateError('restarted: another run of the scenario is open in the dialog.');
  if (isHeld({ run, dialog })) {
    const what = dialog.automation_paused ? 'the automation of the account' : 'the scenario';
    throw new RunStateError(`paused: ${what} is paused, so nothing would happen. Resume it, then retry.`);
  }
  const step = steps[index];
  if (!step || !sendsMessage(step) || !run.send_hours || openAt(run.send_hours, dialog.at)) return;
  const opening = nextOpening(run.send_hours, dialog.at)?.toISOString() ?? 'never again';
  throw new RunStateError(`hours: the scenario may not write now. Its hours begin ${opening}.`);
}
