import type { StoredStep } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import { DialogTransaction } from './dialog.transaction';
import { OPEN_RUNS, SURROUNDINGS, LOCK } from './dialog-runs.statements';
import type { HeldQueue } from './run-queue.repository';

/** Revisions never change. So many are kept, the last used. */
const REVISIONS_KEPT = 200;

/** Another process serves the dialog by now. What was done in the transaction is rolled back. */
class DialogLost extends Error {}

/** The open runs of one dialog, changed together under the lock of its thread. */
@Injectable()
export class DialogRunsRepository {
  private readonly revisions = new Map<string, readonly StoredStep[]>();

  constructor(private readonly database: Database) {}

  /**
   * Work on a dialog's runs, in one transaction that holds the thread's lock. It may be repeated after a deadlock, so it
   * does nothing outside.
   * @param onLocked called once the thread is locked, before anything is read that decides
   * @returns null when another process serves the dialog by now: then nothing was done.
   * @throws DatabaseUnavailableError, RowBusyError
   */
  async transact<T>(
    held: HeldQueue,
    onLocked: () => void,
    work: (dialog: DialogTransaction) => Promise<T>,
  ): Promise<T | null> {
    const { accountId } = held;
    try {
      return await this.database.transactFor(`scenarios of ${accountId}`, async (tx) => {
        const dialog = await this.begin(tx, held, onLocked);
        if (!dialog) throw new DialogLost();
        const result = await work(dialog);
        if (!(await dialog.write())) throw new DialogLost();
        return result;
      });
    } catch (error) {
      if (error instanceof DialogLost) return null;
      throw error;
    }
  }

  private async begin(
    tx: Transaction,
    held: HeldQueue,
    onLocked: () => void,
  ): Promise<DialogTransaction | null> {
    const { accountId, threadId } = held;
    const [thread] = await tx.run(LOCK, { accountId, threadId });
    if (!thread) return null;
    onLocked();
    const [surroundings] = await tx.run(SURROUNDINGS, { ...held });
    if (!surroundings) return null;
    const runs = await tx.run(OPEN_RUNS, { accountId, threadId });
    return new DialogTransaction(tx, held, { ...thread, ...surroundings }, runs, (key, read) =>
      this.stepsOf(key, read),
    );
  }

  private async stepsOf(
    key: string,
    read: () => Promise<readonly StoredStep[]>,
  ): Promise<readonly StoredStep[]> {
    const steps = this.revisions.get(key) ?? (await read());
    this.revisions.delete(key);
    this.revisions.set(key, steps);
    const [oldest] = this.revisions.keys();
    if (this.revisions.size > REVISIONS_KEPT && oldest !== undefined) this.revisions.delete(oldest);
    return steps;
  }
}
