import type { StoredStep } from '@app/contracts/scenario.words';
import { type Transaction, Database } from '../../database/database.service';
import { type DialogView, DialogTransaction, NotTogetherError } from './dialog-transaction';
import {
  EARLIER,
  LOOK,
  OPEN_RUNS,
  STEPS,
  SURROUNDINGS,
  type OpenRun,
  type SeenDialog,
  LOCK,
  LOCK_FREE,
  LOCK_HELD,
} from './dialog-runs.statements';
import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { DatabaseUnavailableError, RowBusyError } from '../../database/database.errors';
import { TooManyWaitingError } from '@app/contracts/in-flight-limiter';
import { Heartbeat, type PermitRow } from '../../work/heartbeat';
import { scenariosOf, writeDialogs } from './dialog-writer';
import type { HeldQueue } from './run-queue.repository';

/** Revisions never change. So many are kept, the last used. */
const REVISIONS_KEPT = 200;

/** What reads: a transaction, or the pool. */
type Reader = Pick<Transaction, 'run'>;

const revisionOf = ({ scenario_id: scenarioId, revision }: OpenRun): string => `${scenarioId}/${revision}`;

/** Reads dialogs of one account with all that their runs decide by. */
class DialogViews {
  private readonly revisions = new Map<string, readonly StoredStep[]>();

  /** Dialogs as they are, by their ids. */
  async look(
    reader: Reader,
    accountId: string,
    threadIds: readonly string[],
  ): Promise<ReadonlyMap<string, DialogView>> {
    return this.of(reader, accountId, await reader.run(LOOK, { accountId, threadIds }));
  }

  /** The rest of dialogs whose rows were read, by their ids. */
  async of(
    reader: Reader,
    accountId: string,
    dialogs: readonly SeenDialog[],
  ): Promise<ReadonlyMap<string, DialogView>> {
    if (dialogs.length === 0) return new Map();
    const asked = { accountId, threadIds: dialogs.map(({ id }) => id) };
    const surroundings = new Map(
      (await reader.run(SURROUNDINGS, asked)).map(({ thread_id: id, ...row }) => [id, row]),
    );
    const runs = await reader.run(OPEN_RUNS, asked);
    const due = runs.filter(({ state }) => state === 'due');
    const earlier = due.length > 0 ? await this.earlierOf(reader, accountId, due) : [];
    const steps = await this.stepsOf(reader, accountId, runs);
    const stepsOf = (run: OpenRun): readonly StoredStep[] => steps.get(revisionOf(run)) ?? [];
    return new Map(
      dialogs.flatMap((dialog) => {
        const around = surroundings.get(dialog.id);
        if (!around) return [];
        const isHere = ({ thread_id: id }: { thread_id: string }): boolean => id === dialog.id;
        const view = { dialog: { ...dialog, ...around }, runs: runs.filter(isHere) };
        return [[dialog.id, { ...view, earlier: earlier.filter(isHere), stepsOf }]];
      }),
    );
  }

  private async earlierOf(reader: Reader, accountId: string, due: readonly OpenRun[]) {
    const threadIds = due.map(({ thread_id: id }) => id);
    const scenarioIds = due.map(({ scenario_id: id }) => id);
    return reader.run(EARLIER, { accountId, threadIds, scenarioIds });
  }

  private async stepsOf(
    reader: Reader,
    accountId: string,
    runs: readonly OpenRun[],
  ): Promise<ReadonlyMap<string, readonly StoredStep[]>> {
    const found = new Map<string, readonly StoredStep[]>();
    for (const run of runs) {
      const key = revisionOf(run);
      if (found.has(key)) continue;
      const steps = this.revisions.get(key) ?? (await this.read(reader, accountId, run));
      if (!steps) continue;
      found.set(key, steps);
      this.keep(key, steps);
    }
    return found;
  }

  private async read(
    reader: Reader,
    accountId: string,
    { scenario_id: scenarioId, revision }: OpenRun,
  ): Promise<readonly StoredStep[] | undefined> {
    const [row] = await reader.run(STEPS, { accountId, scenarioId, revision });
    return row?.steps;
  }

  private keep(key: string, steps: readonly StoredStep[]): void {
    this.revisions.delete(key);
    this.revisions.set(key, steps);
    const [oldest] = this.revisions.keys();
    if (this.revisions.size > REVISIONS_KEPT && oldest !== undefined) this.revisions.delete(oldest);
  }
}

/** Most dialogs in one transaction: their threads are locked until its end. */
const TOGETHER_MAX = 24;
/**
 * So long may dialogs take that share a transaction in which an effect outside is to begin: its permit is counted from
 * the lock, and is used within 500 ms or not at all.
 */
const TOGETHER_MS_MAX = 250;

/** Work on one dialog. */
interface Play {
  held: HeldQueue;
  onLocked: () => void;
  work: (dialog: DialogTransaction) => Promise<void>;
}

/**
 * - `played`: its work was done and written;
 * - `lost`: another process serves the dialog by now;
 * - `alone`: nothing was done, because its thread is locked, or a dialog of the same transaction failed.
 */
type Played = 'played' | 'lost' | 'alone';

/** One value for each account that is in use, dropped with its last use. */
class PerAccount<Value> {
  private readonly values = new Map<string, { value: Value; uses: number }>();

  constructor(private readonly make: (accountId: string) => Value) {}

  async use<Result>(accountId: string, work: (value: Value) => Promise<Result>): Promise<Result> {
    const entry = this.values.get(accountId) ?? { value: this.make(accountId), uses: 0 };
    this.values.set(accountId, entry);
    entry.uses += 1;
    try {
      return await work(entry.value);
    } finally {
      entry.uses -= 1;
      if (entry.uses === 0) this.values.delete(accountId);
    }
  }
}

/** What this process does to the dialogs of one account, those that come together in one go. */
interface Batchers {
  plays: CallBatcher<Play, Played>;
  looks: CallBatcher<string, DialogView | null>;
}

/** The open runs of a dialog, changed together under the lock of its thread. */
@Injectable()
export class DialogRunsRepository {
  private readonly views = new DialogViews();
  private readonly batchers = new PerAccount<Batchers>((accountId) => ({
    plays: new CallBatcher({
      act: (plays) => this.playTogether(accountId, plays),
      // A process whose lease ran out may have claimed the dialog twice.
      keyOf: ({ held }) => held.threadId,
      most: TOGETHER_MAX,
    }),
    looks: new CallBatcher({ act: (threadIds) => this.lookTogether(accountId, threadIds) }),
  }));

  constructor(
    private readonly database: Database,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * Work on a dialog's runs, in a transaction that holds the thread's lock. Dialogs of an account that come together
   * share a transaction: with 24 of them, one costs a quarter of what it costs alone. When one fails, all are rolled
   * back and done one by one. So the work may be repeated, and does nothing outside.
   * @param onLocked called once the thread is locked, before anything is read that decides
   * @param isAlone whether it is known to need a transaction for itself
   * @returns null when another process serves the dialog by now: then nothing was done.
   * @throws DatabaseUnavailableError, RowBusyError
   */
  async transact<T>(
    held: HeldQueue,
    onLocked: () => void,
    work: (dialog: DialogTransaction) => Promise<T>,
    isAlone = false,
  ): Promise<T | null> {
    let result: T | null = null;
    const play: Play = { held, onLocked, work: async (dialog) => void (result = await work(dialog)) };
    const together = isAlone
      ? 'alone'
      : await this.batchers.use(held.accountId, ({ plays }) => plays.call(play));
    const played = together === 'alone' ? await this.playAlone(play) : together;
    return played === 'played' ? result : null;
  }

  /** A dialog and its open runs as they are now, without a lock. Null: there is none. @throws DatabaseUnavailableError */
  async look({ accountId, threadId }: HeldQueue): Promise<DialogView | null> {
    return this.batchers.use(accountId, ({ looks }) => looks.call(threadId));
  }

  private async lookTogether(
    accountId: string,
    threadIds: readonly string[],
  ): Promise<(DialogView | null)[]> {
    const views = await this.database.asOneOf(scenariosOf(accountId), () =>
      this.views.look(this.database, accountId, threadIds),
    );
    return threadIds.map((id) => views.get(id) ?? null);
  }

  private async playTogether(accountId: string, plays: readonly Play[]): Promise<Played[]> {
    try {
      return await this.play(accountId, plays, false);
    } catch (error) {
      if (wouldFailAlone(error)) throw error;
      return plays.map(() => 'alone');
    }
  }

  private async playAlone(play: Play): Promise<Played> {
    const { accountId } = play.held;
    const [played] = await this.play(accountId, [play], true);
    return played === 'played' ? played : 'lost';
  }

  private async play(accountId: string, plays: readonly Play[], isAlone: boolean): Promise<Played[]> {
    const { played, permits } = await this.database.transactFor(scenariosOf(accountId), (tx) =>
      this.playIn(tx, accountId, plays, isAlone),
    );
    this.heartbeat.permitted(permits);
    return played;
  }

  private async playIn(
    tx: Transaction,
    accountId: string,
    plays: readonly Play[],
    isAlone: boolean,
  ): Promise<{ played: Played[]; permits: PermitRow[] }> {
    const asked = { accountId, threadIds: plays.map(({ held }) => held.threadId) };
    const locked = await tx.run(isAlone ? LOCK : LOCK_FREE, asked);
    const lockedIds = new Set(locked.map(({ id }) => id));
    for (const { held, onLocked } of plays) if (lockedIds.has(held.threadId)) onLocked();
    const tokens = plays.map(({ held }) => held.token);
    const begunAt = performance.now();
    const heldRows = await tx.run(LOCK_HELD, { accountId, threadIds: [...lockedIds], tokens });
    const heldTokens = new Set(heldRows.map(({ lease_token: token }) => token));
    const views = await this.views.of(tx, accountId, locked);
    const claimToken = randomUUIDv7();
    const dialogs = new Map<string, DialogTransaction>();
    for (const { held, work } of plays) {
      const view = heldTokens.has(held.token) && views.get(held.threadId);
      if (!view) continue;
      const dialog = new DialogTransaction(tx, held, view, claimToken, isAlone);
      await work(dialog);
      dialogs.set(held.threadId, dialog);
    }
    const isLate = performance.now() - begunAt > TOGETHER_MS_MAX;
    if (
      !isAlone &&
      isLate &&
      [...dialogs.values()].some(({ changes }) => changes !== null && changes.permitMs !== null)
    )
      throw new NotTogetherError();
    const permits = await writeDialogs(tx, accountId, claimToken, dialogs);
    const played = plays.map(({ held: { threadId } }): Played => {
      if (dialogs.has(threadId)) return 'played';
      return lockedIds.has(threadId) ? 'lost' : 'alone';
    });
    return { played, permits };
  }
}

/** Nothing would pass alone either. */
const wouldFailAlone = (error: unknown): boolean =>
  error instanceof TooManyWaitingError ||
  (error instanceof DatabaseUnavailableError && !(error instanceof RowBusyError));
