import type { Actor } from '@app/contracts/lead.words';
import type { RunStepState, StepError, RunReason } from '@app/contracts/scenario.words';
import {
  type ActingRun,
  type OpenRun,
  type RunEntry,
  actorOf,
} from '@app/persistence/scenarios/runs/dialog-transaction';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';

/** Nobody knows whether a call arrived. */
export const NO_ANSWER = 'HTTP_NO_ANSWER';

/** How a step of a run ended. */
export interface StepEnd {
  state: Extract<RunStepState, 'done' | 'skipped' | 'failed' | 'unknown'>;
  error?: StepError;
  /** The next one is due since then; default: since now. */
  since?: Date;
}

/** When a step's effect outside is tried again. */
export interface StepRetry {
  inMs: number;
  /** Why, where the step is to say it meanwhile. */
  error?: StepError;
  /** It did not begin, so the try does not count. */
  isWithheld?: boolean;
}

/** What is noted of the steps that a run has reached. */
export class RunProgress {
  private readonly notes: StepProgress[];

  constructor(
    notes: readonly StepProgress[],
    private readonly now: Date,
  ) {
    this.notes = notes.map((note) => ({ ...note }));
  }

  /** All of it, as it is written. */
  get all(): StepProgress[] {
    return this.notes;
  }

  /** Whether a step waits for a person to say what became of it. */
  get hasUnknown(): boolean {
    return this.notes.some(({ state }) => state === 'unknown');
  }

  /** Of one step; undefined until it is reached. */
  of(index: number): StepProgress | undefined {
    return this.notes.find((note) => note.index === index);
  }

  /** The step is reached. One that was reached before stays as it is. */
  reach(index: number): StepProgress {
    const present = this.of(index);
    if (present) return present;
    const note: StepProgress = {
      ...{ index, state: 'running', started_at: this.now.toISOString(), finished_at: null, attempts: 0 },
    };
    this.notes.push(note);
    return note;
  }

  /** The step is over. */
  finish(index: number, { state, error }: StepEnd): void {
    const note = this.reach(index);
    note.state = state;
    note.finished_at = this.now.toISOString();
    delete note.until;
    // Also of a call whose run was ended the answer may still come.
    if (state !== 'unknown') delete note.answer_until;
    if (error) note.error = error;
    else if (state === 'done') delete note.error;
  }

  /** The run ends at the step. An effect outside that is on its way is not called back: its message tells the end. */
  leave(index: number): void {
    const present = this.of(index);
    if (present?.finished_at !== null) return;
    if (present.error?.code === NO_ANSWER) this.finish(index, { state: 'unknown', error: present.error });
    else if (present.state !== 'running' || present.attempts === 0) this.finish(index, { state: 'skipped' });
    else if (present.message_id === undefined) {
      const message = 'The run was ended before the answer came.';
      this.finish(index, { state: 'unknown', error: { code: NO_ANSWER, message } });
    }
  }

  /** The answer of a call has come whose step is unknown. @returns whether it is one */
  settle(index: number, end: StepEnd): boolean {
    const note = this.of(index);
    if (note?.state !== 'unknown' || note.message_id !== undefined) return false;
    delete note.error;
    this.finish(index, end);
    return true;
  }

  /** The step is jumped over. */
  skip(index: number): void {
    const at = this.now.toISOString();
    this.notes.push({ index, state: 'skipped', started_at: at, finished_at: at, attempts: 0 });
  }

  /** Nothing is noted any more of a step and those below it. */
  forgetFrom(index: number): void {
    const kept = this.notes.filter((note) => note.index < index);
    this.notes.splice(0, this.notes.length, ...kept);
  }
}

/** The call by which a person changes a run. */
export interface PersonsCall {
  actor: Actor;
  requestId: string | null;
}

/** Ends that a person brings about who stops all runs of a scenario. */
const STOPS: readonly (string | null)[] = ['person', 'archived'] satisfies RunReason[];

/** What the history of its dialog tells of a run. `cause` is who began it or, where a person changed it, that person. */
export class RunHistory {
  readonly entries: RunEntry[] = [];

  constructor(
    private readonly run: Pick<OpenRun, 'cause' | 'stopped_by'> & { acting: ActingRun },
    /** Null: no person changes the run. */
    private readonly call: PersonsCall | null,
  ) {}

  begins(): void {
    const { type, id, name, request_id: request } = this.run.cause;
    this.add('scenario', 'started', { cause: { type, id, name }, ...requestOf(request) });
  }

  /**
   * @param note why; null: it needs no reason
   * @param requestId of the call that had this consequence
   */
  becomes(state: string, note: string | null, requestId: string | null = null): void {
    const call = this.call ?? (STOPS.includes(note) ? this.stop : null);
    const more = call ? this.byPerson(call, note) : { ...noteOf(note), ...requestOf(requestId) };
    this.add('scenario', state, more);
  }

  /** A person notes something of a run that had ended: it comes from where it goes, so it has not ended once more. */
  stays(state: string, note: string): void {
    this.add('scenario', state, {
      from: state,
      ...(this.call ? this.byPerson(this.call, note) : noteOf(note)),
    });
  }

  /** The card asks for a person. @param providerCode where the note is about the provider's refusal */
  asksForPerson(note: string | null, providerCode: number | null): void {
    const more = providerCode === null ? {} : { provider_code: providerCode };
    this.add('attention', 'scenario', { ...noteOf(note), ...more });
  }

  private get stop(): PersonsCall | null {
    const { stopped_by: by } = this.run;
    return by && { actor: by.actor, requestId: by.request_id };
  }

  private byPerson({ actor, requestId }: PersonsCall, note: string | null) {
    const { id, name } = actor;
    return { ...noteOf(note), cause: { type: 'key' as const, id, name }, request_id: requestId };
  }

  private add(type: RunEntry['type'], to: string, more: Partial<RunEntry['body']>): void {
    this.entries.push({ type, actor: actorOf(this.run.acting), body: { from: null, to, ...more } });
  }
}

const requestOf = (id: string | null | undefined) => (id ? { request_id: id } : {});

const noteOf = (note: string | null) => (note === null ? {} : { note });
