import type { RunState, RunStepState, StepKind, StoredStep } from '@app/contracts/scenario.words';
import type { TriedScenario } from '@app/persistence/scenarios/definition/scenario-trial.repository';
import type { NeededTemplate } from '@app/persistence/templates/template.repository';
import { contentFor, textFor } from '../../messages/sending/template-content';
import type { ImaginedDialog } from './imagined-dialog';
import type { Decision, ErrandOrder, MessageOrder, StepMoment } from '../steps/step-decision';
import { decide } from '../steps/step-table';

/** A step of a try-out. */
export interface TriedStep {
  index: number;
  label: string | null;
  kind: StepKind;
  /** When it is done; null where it is not. */
  at: string | null;
  /** What it writes, or does. */
  text?: string;
  params?: readonly string[];
  /** What it calls; the values of headers are not shown. */
  request?: { method: string; url: string; headers: string[]; body: unknown };
  outcome: RunStepState;
  /** Until when it waits at the latest; null: until something happens. Absent: it does not wait. */
  waits_until?: string | null;
  /** Of a condition: whether all its facts are as they should be. */
  met?: boolean;
  /** Of a wait for a reply: whether it came in time. */
  replied?: boolean;
  /** Of both: the index of the step at which the run goes on; null: the run ends. */
  next?: number | null;
}

export interface TrialAnswer {
  steps: TriedStep[];
  state: RunState;
  /** Null where it waits for something that does not come. */
  ends_at: string | null;
}

/**
 * One run in imagination: the decisions of the steps, with a clock that is set to each instant at which something
 * happens. Messages are accepted, calls are answered and acts succeed at the instant at which they begin.
 */
export class ScenarioTrial {
  private readonly steps: TriedStep[];
  private dueSince: Date;
  private spokeAt: Date | null = null;
  /** When the customer wrote last. */
  private heardAt: Date | null = null;
  private isDetached = false;
  private hasHandedOver = false;
  private state: RunState = 'running';

  constructor(
    private readonly scenario: TriedScenario,
    private readonly dialog: ImaginedDialog,
    /** When the customer writes, in order. */
    private readonly replies: Date[],
    private readonly isOptedOut: boolean,
    /** Those that its steps name, at all numbers of the agent. */
    private readonly templates: readonly NeededTemplate[],
  ) {
    this.dueSince = dialog.now;
    this.steps = scenario.steps.map(({ kind, label = null }, index) => ({
      ...{ index, label, kind, at: null, outcome: 'pending' },
    }));
  }

  async play(): Promise<TrialAnswer> {
    let index = 0;
    while (this.state === 'running') {
      this.hear();
      const step = this.scenario.steps[index];
      if (!step) this.state = 'done';
      else if (this.isCancelled()) this.state = 'cancelled';
      else index = await this.make(step, index);
    }
    const isOver = this.state !== 'waiting';
    if (isOver) for (const step of this.steps) if (step.at === null) step.outcome = 'skipped';
    return { steps: this.steps, state: this.state, ends_at: isOver ? this.dialog.now.toISOString() : null };
  }

  /** @returns the index of the next step, which may be the same one later */
  private async make(step: StoredStep, index: number): Promise<number> {
    const decision = decide(step, this.moment);
    switch (decision.kind) {
      case 'wait':
        this.wait(decision, index);
        return index;
      case 'go':
        this.close(index, 'done', decision.since);
        return this.branch(step, index, this.indexOf(decision.label, index), false);
      case 'stop':
        this.close(index, 'done');
        this.state = 'done';
        return this.branch(step, index, this.scenario.steps.length, false);
      case 'done':
        if (decision.asksFor !== undefined) this.note(index, { text: decision.asksFor });
        this.close(index, 'done', decision.since);
        return this.branch(step, index, index + 1, true);
      case 'act':
        return this.act(decision, step, index);
      case 'errand':
        this.describe(index, decision.order);
        this.close(index, 'done');
        return index + 1;
      case 'skipped':
      case 'failed':
        return this.fall(decision, step, index);
    }
  }

  /**
   * Notes which way the run takes, at a step that has several.
   * @param isMet of a condition: whether it holds
   * @returns the next index
   */
  private branch({ kind }: StoredStep, index: number, next: number, isMet: boolean): number {
    const goesOn = next < this.scenario.steps.length ? next : null;
    if (kind === 'condition') this.note(index, { met: isMet, next: goesOn });
    if (kind === 'wait_for_reply') this.note(index, { replied: this.hasReply, next: goesOn });
    return next;
  }

  private async act(
    act: Extract<Decision, { kind: 'act' }>,
    step: StoredStep,
    index: number,
  ): Promise<number> {
    const { id, name } = this.scenario;
    const run = { id, scenarioId: id, name, depth: 1 };
    const { failed, detaches, handsOver, asksFor } = await act.perform(this.dialog, run);
    if (failed) return this.fall({ kind: 'failed', error: failed }, step, index);
    this.isDetached ||= detaches === true;
    this.hasHandedOver ||= handsOver === true;
    this.note(index, { text: asksFor ?? act.does });
    this.close(index, 'done');
    return index + 1;
  }

  private fall(
    { kind, error }: Extract<Decision, { kind: 'skipped' | 'failed' }>,
    step: StoredStep,
    index: number,
  ): number {
    this.note(index, { text: error.message });
    this.close(index, kind);
    if (kind === 'failed' && step.on_failure !== 'continue') this.state = 'failed';
    return index + 1;
  }

  /** The clock goes on to the end of the wait, or to what the customer writes before. */
  private wait({ until, dueSince }: Extract<Decision, { kind: 'wait' }>, index: number): void {
    const reply = this.replies[0];
    const next = until && reply ? (reply < until ? reply : until) : (until ?? reply);
    this.note(index, { outcome: 'waiting', waits_until: until?.toISOString() ?? null });
    if (dueSince) this.dueSince = dueSince;
    if (next) this.dialog.now = next;
    else this.state = 'waiting';
  }

  /** What the customer wrote until now. */
  private hear(): void {
    for (let at = this.replies[0]; at && at <= this.dialog.now; at = this.replies[0]) {
      this.replies.shift();
      this.heardAt = at;
      this.dialog.customerWrites(at);
    }
  }

  private get hasReply(): boolean {
    return this.heardAt !== null && (this.spokeAt === null || this.heardAt > this.spokeAt);
  }

  private isCancelled(): boolean {
    const { on_reply: onReply, on_takeover: onTakeover } = this.scenario;
    if (this.isOptedOut) return true;
    if (onReply === 'cancel' && this.hasReply) return true;
    return onTakeover === 'cancel' && this.dialog.seen.takeover && !this.hasHandedOver;
  }

  private get moment(): StepMoment {
    return {
      ...{ now: this.dialog.now, dueSince: this.dueSince, runId: this.scenario.id },
      ...{ inStage: !this.isDetached, replied: this.hasReply, customerAfter: null },
      lastSend: this.spokeAt && 'accepted',
      waitsForTakeover: this.scenario.on_takeover !== 'continue',
      sendHours: this.scenario.send_hours,
      dialog: this.dialog.seen,
    };
  }

  private describe(index: number, order: ErrandOrder): void {
    if (order.kind === 'call') {
      const { method, url, sealed_headers: sealed } = order.step;
      this.note(index, {
        request: { method, url, headers: sealed?.names ?? [], body: order.body ?? null },
      });
      return;
    }
    this.spokeAt = this.dialog.now;
    this.dialog.weWrite();
    const { content } = order;
    this.note(
      index,
      content.type === 'template'
        ? { text: this.textOf(order.channel, content), params: content.params }
        : { text: content.text },
    );
  }

  /** What people would read in the dialog, by the template's words in the step's language. */
  private textOf(
    channel: MessageOrder['channel'],
    { templateId, language, ...values }: Extract<MessageOrder['content'], { type: 'template' }>,
  ): string {
    const known = this.templates.filter(
      (each) => each.template_id === templateId && each.channel === channel,
    );
    const other = known.at(-1);
    const registered =
      known.find((each) => each.language === language) ??
      (other ? { ...other, body: null, provider_id: null } : null);
    const choice = { templateId, language, registered };
    return textFor(choice, contentFor(choice, { ...values, address: '', contact: '' }, false));
  }

  private close(index: number, outcome: RunStepState, since = this.dialog.now): void {
    this.note(index, { at: this.dialog.now.toISOString(), outcome });
    this.dueSince = since;
  }

  private note(index: number, what: Partial<TriedStep>): void {
    Object.assign(this.steps[index] ?? {}, what);
  }

  private indexOf(label: string, from: number): number {
    const target = this.scenario.steps.findIndex((step, index) => index > from && step.label === label);
    return target === -1 ? this.steps.length : target;
  }
}
