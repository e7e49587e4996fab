import type { Actor } from '@app/contracts/lead.words';
import type { ActingRun, OpenRun, RunEntry } from '@app/persistence/scenarios/dialog.transaction';
import { actorOf } from '@app/persistence/scenarios/dialog.transaction';

/** The call by which a person changes a run. */
export interface PersonsCall {
  actor: Actor;
  requestId: string | null;
}

/** What the history of its dialog tells of a run. `cause` is who began it or, where a person changed it, that person. */
export class RunHistory {
  readonly entries: RunEntry[] = [];

  constructor(
    private readonly run: Pick<OpenRun, 'cause'> & { acting: ActingRun },
    /** Null: no person changes the run. */
    private readonly call: PersonsCall | null,
  ) {}

  begins(): void {
    const { type, id, name } = this.run.cause;
    this.add('scenario', 'started', { cause: { type, id, name } });
  }

  /** @param note why; null: it needs no reason */
  becomes(state: string, note: string | null): void {
    this.add('scenario', state, this.call ? this.byPerson(this.call, note) : noteOf(note));
  }

  /** The card asks for a person. */
  asksForPerson(note: string | null): void {
    this.add('attention', 'scenario', noteOf(note));
  }

  private byPerson({ actor, requestId }: PersonsCall, note: string | null) {
    const { id, name } = actor;
    return { ...noteOf(note), cause: { type: 'key' as const, id, name }, request_id: requestId };
  }

  private add(type: RunEntry['type'], to: string, more: Partial<RunEntry['body']>): void {
    this.entries.push({ type, actor: actorOf(this.run.acting), body: { from: null, to, ...more } });
  }
}

const noteOf = (note: string | null) => (note === null ? {} : { note });
