import type { Actor } from '@app/contracts/lead.words';
import type { StoredStep } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { queueRuns } from '../../threads/run.statements';
import { ThreadLockQueues } from '../../threads/thread-lock-queues';
import { DIALOGS_WRITTEN, DIALOGS_WRITTEN_TAKES, scenariosOf, toWritten } from './dialog-writer';
import type { Dialog, OpenRun, RunChange, RunEntry } from './dialog-transaction';
import { LOCK, RUN_AND_OPEN_RUNS, STEPS, SURROUNDINGS } from './dialog-runs.statements';
import { MESSAGES_OF_RUN, type RunMessage } from './run-list.repository';

/**
 * Writes what a person did to a run, under the thread's lock, whoever serves the dialog. The worker does what follows:
 * it reads the runs anew under the lock, and takes the dialog out of the queue where none is open.
 */
const WRITE_BY_PERSON = statement('scenario-dialog-write-by-person').takes(...DIALOGS_WRITTEN_TAKES).returns<{
  logged: number;
}>(`
  WITH ${DIALOGS_WRITTEN},
  queued AS (${queueRuns(`SELECT :accountId::uuid AS account_id, d.thread_id AS id, c.at FROM dialogs d CROSS JOIN clock c`)})
  SELECT count(*)::int AS logged FROM logged`);

const RETRIED = statement('scenario-run-retried').takes('accountId', 'runId', 'retriedBy').returns(`
  UPDATE scenario_runs SET retried_by = :retriedBy::jsonb WHERE account_id = :accountId AND id = :runId`);

export interface RunKey {
  accountId: string;
  threadId: string;
  runId: string;
}

/** A run under its thread's lock, open or ended. */
export interface RunSubject {
  run: OpenRun;
  dialog: Dialog;
  steps: readonly StoredStep[];
  /** Its messages as they are now. */
  messages: readonly RunMessage[];
  /** The other open runs of the dialog. */
  others: readonly OpenRun[];
}

/** What becomes of a run. */
export interface RunControlChange {
  run: RunChange | null;
  entries: readonly RunEntry[];
  /** Who has it go on; null: nobody does. */
  retriedBy: Actor | null;
}

/** A run before and after what a person did to it. */
export interface ControlledRun {
  was: OpenRun;
  is: RunChange;
}

/**
 * What becomes of runs apart from their dialogs' turns: what persons do to them, and what answers do that come late. It
 * needs no lease of the dialog, since all changes of runs are made under the thread's lock.
 */
@Injectable()
export class RunControlRepository {
  constructor(
    private readonly database: Database,
    private readonly lockQueues: ThreadLockQueues,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * @param decide may be called again after a deadlock; what it throws rolls everything back
   * @returns false where there is no such run.
   * @throws DatabaseUnavailableError, RowBusyError
   */
  async control(
    key: RunKey,
    decide: (subject: RunSubject) => RunControlChange,
    entryOf: AuditEntryOf<ControlledRun>,
  ): Promise<boolean> {
    return this.change(key.accountId, key, decide, entryOf);
  }

  /** Likewise for the service itself, beside all calls of the account. */
  async settle(key: RunKey, decide: (subject: RunSubject) => RunControlChange): Promise<boolean> {
    return this.change(scenariosOf(key.accountId), key, decide, () => null);
  }

  private async change(
    owner: string,
    key: RunKey,
    decide: (subject: RunSubject) => RunControlChange,
    entryOf: AuditEntryOf<ControlledRun>,
  ): Promise<boolean> {
    const { accountId, threadId, runId } = key;
    return this.lockQueues.run(owner, threadId, () =>
      this.database.transactFor(owner, async (tx) => {
        const asked = { accountId, threadIds: [threadId] };
        const [thread] = await tx.run(LOCK, asked);
        const [surroundings] = await tx.run(SURROUNDINGS, asked);
        const found = await tx.run(RUN_AND_OPEN_RUNS, key);
        const run = found.find(({ id }) => id === runId);
        if (!thread || !surroundings || !run) return false;
        const { scenario_id: scenarioId, revision } = run;
        const [revised] = await tx.run(STEPS, { accountId, scenarioId, revision });
        const messages = await tx.run(MESSAGES_OF_RUN, { accountId, runId });
        const dialog = { ...thread, ...surroundings };
        const others = found.filter((other) => other !== run);
        const change = decide({ run, dialog, steps: revised?.steps ?? [], messages, others });
        const runs = change.run ? [change.run] : [];
        const written = { runs, notBegunIds: [], entries: change.entries, hasRuns: true };
        await tx.run(WRITE_BY_PERSON, { accountId, ...toWritten([[threadId, written]]) });
        if (change.retriedBy) {
          const retriedBy = JSON.stringify({ ...change.retriedBy, at: dialog.at.toISOString() });
          await tx.run(RETRIED, { accountId, runId, retriedBy });
        }
        if (change.run) await this.audit.append(tx, entryOf({ was: run, is: change.run }));
        return true;
      }),
    );
  }
}
