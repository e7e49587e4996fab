import type { StepProgress } from '@app/persistence/scenarios/scenario-run.entity';
import { RunPlan } from './run.plan';

const NOT_SENT = { code: 'PROVIDER_ERROR', message: 'A person found that it was not sent.' };

/** A run in the hands of a person: one that has ended may go on. */
export class PersonPlan extends RunPlan {
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
