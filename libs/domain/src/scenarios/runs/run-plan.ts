import type { RunReason, StoredStep } from '@app/contracts/scenario.words';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import type {
  ActingRun,
  OpenRun,
  RunChange,
  RunEntry,
} from '@app/persistence/scenarios/runs/dialog-transaction';
import { LastSend, sendsMessage } from '../effects/send.rules';
import { RunHistory, type PersonsCall, RunProgress, type StepEnd, type StepRetry } from './run-progress';

/** An open run while its dialog is locked: what it was, and what becomes of it. */
export class RunPlan {
  protected state: RunChange['state'];
  protected reason: RunReason | null;
  protected at: number;
  protected readonly progress: RunProgress;
  private nextAt: Date | null;
  private due: Date;
  readonly lastSend: LastSend;
  private isDetached: boolean;
  private isHandedOver: boolean;
  protected isChanged = false;
  protected readonly history: RunHistory;
  /** The run never began. */
  isSkipped = false;

  constructor(
    readonly run: OpenRun,
    readonly steps: readonly StoredStep[],
    protected readonly now: Date,
    /** Of the person who changes it; null: the service does. */
    call: PersonsCall | null = null,
  ) {
    this.history = new RunHistory(
      { cause: run.cause, stopped_by: run.stopped_by, acting: this.acting },
      call,
    );
    this.state = run.state;
    this.reason = run.reason;
    this.at = run.at_step;
    this.progress = new RunProgress(run.progress, now);
    this.nextAt = run.next_at;
    this.due = run.due_since;
    this.lastSend = new LastSend(run);
    this.isDetached = run.detached;
    this.isHandedOver = run.handed_over;
  }

  /** Entries for the dialog's history. */
  get entries(): readonly RunEntry[] {
    return this.history.entries;
  }

  get acting(): ActingRun {
    const { id, scenario_id: scenarioId, name, depth, cause } = this.run;
    return { id, scenarioId, name, depth, trace: cause.trace };
  }

  get isOpen(): boolean {
    return !this.isSkipped && ['due', 'running', 'waiting'].includes(this.state);
  }

  get step(): StoredStep | undefined {
    return this.steps[this.at];
  }

  get index(): number {
    return this.at;
  }

  get dueSince(): Date {
    return this.due;
  }

  /** How long its present step is due. */
  get lateMs(): number {
    return Math.max(0, +this.now - +this.due);
  }

  /** Whether it sends a message from a step on, unless its conditions keep it from it. */
  willSend(from: number): boolean {
    return this.steps.some((step, index) => index >= from && sendsMessage(step));
  }

  /** When it is to be looked at again; null: when something happens. */
  get next(): Date | null {
    return this.nextAt;
  }

  /** What is noted of the present step; undefined until it is reached. */
  get present(): StepProgress | undefined {
    return this.noted(this.at);
  }

  begin(): void {
    this.change('running');
    this.history.begins();
  }

  /** It never began, and leaves no trace. */
  skip(): void {
    this.isSkipped = true;
  }

  /** @param requestId of the call that had this consequence */
  cancel(reason: RunReason, requestId: string | null = null): void {
    this.end('cancelled', reason, reason, requestId);
  }

  /** It may not begin, for it would be one of a loop. */
  refuseLoop(): void {
    this.end('failed', 'loop');
    this.askForPerson('The scenario was not begun again: it seems to be one of a loop.');
  }

  /** Its steps are gone, so nobody knows what it was to do. */
  refuseWithoutSteps(): void {
    this.end('failed', 'step_failed');
    this.askForPerson(
      'The steps of the scenario are gone with which the run began: start the scenario by hand.',
    );
  }

  /** The present step is reached, or asked again. */
  reach(): StepProgress {
    if (!this.present) this.isChanged = true;
    return this.progress.reach(this.at);
  }

  /** The present step waits; null: until something happens. */
  wait(until: Date | null, dueSince?: Date): void {
    const step = this.reach();
    step.state = 'waiting';
    if (until) step.until = until.toISOString();
    else delete step.until;
    if (dueSince) this.due = dueSince;
    this.nextAt = until;
    this.change('waiting');
  }

  /** Its effect outside did not pass, or did not begin, and is tried again. */
  retry({ inMs, error, isWithheld = false }: StepRetry): void {
    const at = new Date(+this.now + inMs);
    this.wait(at);
    const step = this.reach();
    step.retry_at = at.toISOString();
    delete step.answer_until;
    this.lastSend.takeBack(step);
    if (error) step.error = error;
    if (!isWithheld) return;
    step.attempts -= 1;
    step.withheld = (step.withheld ?? 0) + 1;
  }

  /** Its step was put off until its needs are met, and they may be. */
  bringForward(index: number, attempts: number): void {
    const step = this.noted(index);
    if (!this.isOpen || index !== this.at || step?.attempts !== attempts || !this.backsOff) return;
    step.retry_at = this.now.toISOString();
    this.wait(this.now);
  }

  /** Until when the answer of the present step's call may come; null: no call is under way. */
  get answerUntil(): Date | null {
    const { answer_until: until } = this.present ?? {};
    return until === undefined ? null : new Date(until);
  }

  /** Whether it is too early to try its effect again. */
  get backsOff(): boolean {
    const { retry_at: at } = this.present ?? {};
    return at !== undefined && new Date(at) > this.now;
  }

  /** Its effect outside is still on its way. */
  lookAgain(at: Date): void {
    this.nextAt = at;
    this.isChanged = true;
  }

  /** An effect outside begins. @param answerUntil of a call: when it is over at the latest */
  carryOut(messageId: string | undefined, answerUntil: Date | null): void {
    const step = this.reach();
    step.state = 'running';
    step.attempts += 1;
    delete step.until;
    delete step.retry_at;
    if (messageId !== undefined) this.lastSend.begin(step, messageId);
    if (answerUntil) step.answer_until = answerUntil.toISOString();
    this.nextAt = answerUntil ?? this.now;
    this.change('running');
  }

  /** The present step is over; where it failed, the run goes on as the step says. */
  close(end: StepEnd): void {
    const { state, error, since = this.now } = end;
    const { step: definition, present } = this;
    if (state === 'failed' && present) this.lastSend.takeBack(present);
    if (state === 'done') delete present?.replies_after;
    this.finish(end);
    const stops = (state === 'failed' || state === 'unknown') && definition?.on_failure !== 'continue';
    if (stops) {
      this.end('failed', 'step_failed');
      const name = definition?.label ?? definition?.kind ?? '';
      const why = error?.message ?? 'It is not known what became of the step.';
      this.askForPerson(`${name}: ${why}`, error?.provider_code ?? null);
    } else this.advance(this.at + 1, since);
  }

  /** The answer of a call that was under way when the run was ended. What a person said of it meanwhile stands. */
  settleEnded(index: number, end: StepEnd): void {
    if (this.progress.settle(index, end)) this.isChanged = true;
  }

  /** The present step passes, and the run continues at a label further down; at its end where none is. */
  goTo(label: string, since = this.now): void {
    const target = this.steps.findIndex((step, index) => index > this.at && step.label === label);
    this.finish({ state: 'done' });
    const end = target === -1 ? this.steps.length : target;
    for (let index = this.at + 1; index < end; index++) this.progress.skip(index);
    this.advance(end, since);
  }

  /** No step is left. */
  complete(): void {
    this.end('done', null);
  }

  /** The present step passes, and the run ends. */
  stop(): void {
    this.finish({ state: 'done' });
    this.end('done', 'stopped');
  }

  /** What is noted of a step; undefined until it is reached. */
  noted(at: number): StepProgress | undefined {
    return this.progress.of(at);
  }

  detach(): void {
    this.isDetached = true;
    this.isChanged = true;
  }

  markHandedOver(): void {
    this.isHandedOver = true;
    this.isChanged = true;
  }

  /** The card asks for a person. */
  askForPerson(note: string | null, providerCode: number | null = null): void {
    this.history.asksForPerson(note, providerCode);
  }

  /** What is to be written; null where nothing changed. */
  written(): RunChange | null {
    if (!this.isChanged || this.isSkipped) return null;
    return {
      id: this.run.id,
      state: this.state,
      revision: this.run.revision,
      reason: this.reason,
      at_step: this.at,
      progress: this.progress.all,
      ...this.lastSend.change,
      ...{ next_at: this.nextAt, due_since: this.due },
      ...{ detached: this.isDetached, handed_over: this.isHandedOver },
    };
  }

  private finish(end: StepEnd): void {
    this.progress.finish(this.at, end);
    this.isChanged = true;
  }

  protected advance(index: number, since: Date): void {
    this.at = index;
    this.due = since;
    this.nextAt = this.now;
    if (index >= this.steps.length) this.end('done', null);
    else this.change('running');
  }

  protected end(
    state: 'done' | 'failed' | 'cancelled',
    reason: RunReason | null,
    note: string | null = reason,
    requestId: string | null = null,
  ): void {
    this.progress.leave(this.at);
    this.reason = reason;
    this.nextAt = null;
    this.change(state);
    this.history.becomes(state, note, requestId);
  }

  private change(state: RunChange['state']): void {
    this.state = state;
    this.isChanged = true;
  }
}
