import type { Actor } from '@app/contracts/lead.words';
import type { StoredStep } from '@app/contracts/scenario.words';
import { SWITCH } from '../ai-switch/ai-switch.repository';
import type { Transaction } from '../database/database.service';
import { MOVE } from '../leads/lead.statements';
import type { MoveVerdict } from '../leads/move.rules';
import { storeIn, type OutboxOrder, type StoredMessage } from '../messages/outbox.repository';
import {
  EARLIER,
  RUN_AND_OPEN_RUNS,
  STEPS,
  WRITE,
  type DialogSurroundings,
  type EarlierRuns,
  type LockedDialog,
  type OpenRun,
} from './dialog-runs.statements';
import { HAND_OVER_BY_RUN, RETURN_BY_RUN } from './run-takeover.statements';
import type { HeldQueue } from './run-queue.repository';
import type { ScenarioRunEntity } from './scenario-run.entity';

export type { EarlierRuns, OpenRun };

/** The dialog as its runs see it, under its lock. */
export type Dialog = LockedDialog & DialogSurroundings;

/** What became of a run. */
export interface RunChange extends Pick<
  ScenarioRunEntity,
  | (
      | 'id'
      | 'state'
      | 'revision'
      | 'reason'
      | 'at_step'
      | 'progress'
      | 'next_at'
      | 'due_since'
      | 'last_message_id'
      | 'detached'
    )
  | 'handed_over'
> {
  /** It writes to the customer now. */
  speaks: boolean;
}

/** An entry of the dialog's history. */
export interface RunEntry {
  type: 'scenario' | 'attention';
  actor: Actor;
  body: { from: null; to: string; note?: string };
}

/** All that is written at the end of the transaction. */
export interface DialogChanges {
  runs: readonly RunChange[];
  /** Runs that never began. */
  goneIds: readonly string[];
  entries: readonly RunEntry[];
  /** Whether open runs are left. */
  hasRuns: boolean;
  /** When the dialog is looked at again; null: when something happens. */
  dueAt: Date | null;
  /** How long this process keeps it; null: it gives it back. */
  leaseMs: number | null;
  /** A permit for an effect outside; null: none begins. */
  permitMs: number | null;
}

/** The run that acts. */
export interface ActingRun {
  id: string;
  scenarioId: string;
  name: string;
  depth: number;
}

/** One dialog's runs in a transaction that holds its thread's lock. */
export class DialogTransaction {
  private changes: DialogChanges | null = null;

  constructor(
    private readonly tx: Transaction,
    private readonly held: HeldQueue,
    readonly dialog: Dialog,
    /** By their beginning, then by their scenarios' order. */
    readonly runs: readonly OpenRun[],
    private readonly cached: (
      key: string,
      read: () => Promise<readonly StoredStep[]>,
    ) => Promise<readonly StoredStep[]>,
  ) {}

  /** The steps that a run has, as they were when it was asked for. */
  async stepsOf({ scenario_id: scenarioId, revision }: OpenRun): Promise<readonly StoredStep[]> {
    const { accountId } = this.held;
    return this.cached(`${scenarioId}/${revision}`, async () => {
      const [row] = await this.tx.run(STEPS, { accountId, scenarioId, revision });
      return row?.steps ?? [];
    });
  }

  /** A run that has ended since it was read; undefined where it is gone. */
  async endedRun(runId: string): Promise<OpenRun | undefined> {
    const runs = await this.tx.run(RUN_AND_OPEN_RUNS, { ...this.key, runId });
    return runs.find(({ id }) => id === runId);
  }

  /** How often these scenarios began here before; none for one that never did. */
  async earlierRuns(scenarioIds: readonly string[]): Promise<EarlierRuns[]> {
    const { accountId, threadId } = this.held;
    return this.tx.run(EARLIER, { accountId, threadId, scenarioIds });
  }

  /** Moves the lead as a run does, and starts what the stage starts. */
  async move(run: ActingRun, statusId: string | null): Promise<MoveVerdict> {
    const [outcome] = await this.tx.run(MOVE, {
      ...this.key,
      statusId,
      assistantIds: [this.dialog.assistant_id],
      ...{ answer: false, cipherKeyId: null, hasExpected: false, expectedStatusId: null },
      ...{ setBy: 'SCENARIO', actor: JSON.stringify(actorOf(run)), startScenarios: true, ifEpoch: null },
      requestId: null,
      cause: JSON.stringify({ type: 'scenario', id: run.scenarioId, name: run.name }),
      depth: run.depth + 1,
      byRun: run.id,
    });
    return outcome?.verdict ?? 'no_stage';
  }

  /** Switches the agent off for good. */
  async switchOff(run: ActingRun): Promise<void> {
    await this.tx.run(SWITCH, {
      ...this.key,
      assistantIds: [this.dialog.assistant_id],
      ...{
        wanted: false,
        by: 'SCENARIO',
        actor: JSON.stringify(actorOf(run)),
        requestId: null,
        hasModel: false,
        cipherKeyId: null,
      },
    });
  }

  async handOver(run: ActingRun): Promise<void> {
    await this.tx.run(HAND_OVER_BY_RUN, { ...this.key, actor: JSON.stringify(actorOf(run)) });
  }

  async returnToAgent(run: ActingRun): Promise<void> {
    await this.tx.run(RETURN_BY_RUN, { ...this.key, actor: JSON.stringify(actorOf(run)) });
  }

  /**
   * Stores messages that this process is about to send.
   * @throws OutboxRefusal, which rolls the transaction back
   */
  async storeMessages(order: OutboxOrder): Promise<StoredMessage[]> {
    return storeIn(this.tx, order);
  }

  /** Keeps what is to be written at the end. */
  finish(changes: DialogChanges): void {
    this.changes = changes;
  }

  /** @returns false when another process serves the dialog by now. */
  async write(): Promise<boolean> {
    if (!this.changes) return true;
    const { runs, entries, ...rest } = this.changes;
    const asking = entries.findLast(({ type }) => type === 'attention');
    const rows = await this.tx.run(WRITE, {
      ...this.held,
      ...rest,
      runs: JSON.stringify(runs),
      entries: JSON.stringify(entries),
      attention: asking ? asking.body.to : null,
      attentionNote: asking?.body.note ?? null,
    });
    return rows.length > 0;
  }

  private get key(): { accountId: string; threadId: string } {
    const { accountId, threadId } = this.held;
    return { accountId, threadId };
  }
}

export const actorOf = ({ id, scenarioId, name }: ActingRun): Actor => ({
  type: 'scenario',
  id: scenarioId,
  name,
  run_id: id,
});
