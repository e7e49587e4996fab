import type { StageKind } from '@app/contracts/stage.words';
import type { AssignVerdict } from '@app/persistence/leads/lead-edit.repository';
import type { MoveVerdict } from '@app/persistence/leads/move.rules';
import type { ActingRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { TrialFacts } from '@app/persistence/scenarios/definition/scenario-trial.repository';
import type { ActingDialog, StepMoment } from '../steps/step-decision';

const WINDOW_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** A stage that a run may move the lead to. */
export interface KnownStage {
  id: string;
  name: string;
  kind: StageKind;
}

/** The dialog of a try-out: what it is at an instant, after what the run did and the customer wrote. Nothing is stored. */
export class ImaginedDialog implements ActingDialog {
  /** The instant of the try-out. */
  now: Date;
  private stage: KnownStage | null;
  private isOff: boolean;
  private isWaiting: boolean;
  private takeoverUntil: Date | null;
  private isTakenOver: boolean;
  private windowUntil: Date | null;

  constructor(
    private readonly facts: TrialFacts,
    private readonly stages: readonly KnownStage[],
    startsAt: Date,
  ) {
    this.now = startsAt;
    this.stage = stages.find(({ id }) => id === facts.status_id) ?? null;
    this.isOff = !facts.ai_enabled;
    this.isWaiting = facts.waiting;
    this.isTakenOver = facts.takeover;
    this.takeoverUntil = facts.takeover_until;
    this.windowUntil = facts.window_until;
  }

  get seen(): StepMoment['dialog'] {
    const { facts } = this;
    const takeover = this.isTakenOver && (this.takeoverUntil === null || this.takeoverUntil > this.now);
    return {
      channel: facts.channel,
      ...{ takeover, takeoverUntil: this.takeoverUntil },
      handler: this.isOff || takeover ? 'OPERATOR' : 'AI',
      waiting: this.isWaiting,
      windowOpen: this.windowUntil !== null && this.windowUntil > this.now,
      ...{ statusKind: this.stage?.kind ?? null, statusName: this.stage?.name ?? null },
      ...{ assistantName: facts.assistant_name, leadName: facts.customer_name, leadPhone: facts.phone },
    };
  }

  customerWrites(at: Date): void {
    this.isWaiting = true;
    this.windowUntil = new Date(+at + WINDOW_MS);
  }

  weWrite(): void {
    this.isWaiting = false;
  }

  move(_: ActingRun, statusId: string | null): Promise<MoveVerdict> {
    const stage = this.stages.find(({ id }) => id === statusId) ?? null;
    if (statusId !== null && !stage) return Promise.resolve('no_stage');
    if (statusId === (this.stage?.id ?? null)) return Promise.resolve('same');
    this.stage = stage;
    return Promise.resolve('move');
  }

  switchOff(): Promise<void> {
    this.isOff = true;
    return Promise.resolve();
  }

  handOver(): Promise<void> {
    if (!this.isOff) {
      this.isTakenOver = true;
      this.takeoverUntil = new Date(+this.now + this.facts.auto_return_minutes * MINUTE_MS);
    }
    return Promise.resolve();
  }

  returnToAgent(): Promise<void> {
    this.isTakenOver = false;
    return Promise.resolve();
  }

  assign(): Promise<AssignVerdict> {
    return Promise.resolve('may');
  }
}
