import type { Actor } from '@app/contracts/lead.words';
import type { RunReason } from '@app/contracts/scenario.words';
import {
  type ActingRun,
  type OpenRun,
  type RunEntry,
  actorOf,
} from '@app/persistence/scenarios/runs/dialog-transaction';

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
