import type { StoredStep } from '@app/contracts/scenario.words';
import type { Transaction } from '../../database/database.service';
import type { DialogView } from './dialog-transaction';
import {
  EARLIER,
  LOOK,
  OPEN_RUNS,
  STEPS,
  SURROUNDINGS,
  type OpenRun,
  type SeenDialog,
} from './dialog-runs.statements';

/** Revisions never change. So many are kept, the last used. */
const REVISIONS_KEPT = 200;

/** What reads: a transaction, or the pool. */
type Reader = Pick<Transaction, 'run'>;

const revisionOf = ({ scenario_id: scenarioId, revision }: OpenRun): string => `${scenarioId}/${revision}`;

/** Reads dialogs of one account with all that their runs decide by. */
export class DialogViews {
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
