import { statement } from '../../database/sql.statements';
import { comesTo, passesTo, takeoverAfter } from '../../threads/conductor.rules';
import { beginTakeover } from '../../threads/thread.rules';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import type { Actor } from '@app/contracts/lead.words';
import type { StoredStep } from '@app/contracts/scenario.words';
import { SWITCH } from '../../ai-switch/ai-switch.repository';
import type { Transaction } from '../../database/database.service';
import { ASSIGN, type AssignVerdict } from '../../leads/lead-edit.repository';
import { MOVE } from '../../leads/lead.statements';
import type { MoveVerdict } from '../../leads/move.rules';
import type { MessageIntent, Sending } from '../../messages/sending/outbox.repository';
import {
  RUN_AND_OPEN_RUNS,
  STEPS,
  type DialogSurroundings,
  type EarlierRuns,
  type OpenRun,
  type SeenDialog,
} from './dialog-runs.statements';
import type { EventBody } from '../../events/event.entity';
import type { HeldQueue } from './run-queue.repository';
import type { ScenarioRunEntity } from './scenario-run.entity';

const CURRENT = `
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, ai_enabled, opted_out, takeover_until, clock_timestamp() AS at FROM threads
     WHERE account_id = :accountId AND id = :threadId)`;

/** A run hands its dialog, whose row it has locked, to a person. A dialog that is off stays off. */
const HAND_OVER_BY_RUN = statement('scenario-hand-over').takes('accountId', 'threadId', 'actor').returns<{
  passed: number;
}>(`
  WITH ${CURRENT},
  touched AS (
    UPDATE threads t
       SET version = t.version + (${passesTo('scenarioHandsOver', 'operator', 'c', 'c.at')})::int, ai_epoch = t.ai_epoch + 1,
           last_activity_at = c.at,
           takeover_until = ${takeoverAfter('scenarioHandsOver', 't', 'c.at', `greatest(t.takeover_until, ${beginTakeover('t', 'c.at')})`)}
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND ${comesTo('scenarioHandsOver', 'operator', 'c', 'c.at')}
    RETURNING t.id, t.assistant_id, t.version, c.at, ${passesTo('scenarioHandsOver', 'operator', 'c', 'c.at')} AS passes),
  event AS (${appendEvents('touched', { by: `'SCENARIO'`, actor: ':actor::jsonb' }, [
    { ...ENTRIES.handedToPerson, when: 't.passes' },
  ])})
  SELECT 1 AS passed FROM event`);

/** A run ends the takeover of its dialog. A waiting message is not answered, and off stays off. */
const RETURN_BY_RUN = statement('scenario-return').takes('accountId', 'threadId', 'actor').returns<{
  passed: number;
}>(`
  WITH ${CURRENT},
  touched AS (
    UPDATE threads t
       SET version = t.version + 1, takeover_until = ${takeoverAfter('scenarioReturns', 't', 'c.at')}, last_activity_at = c.at
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND ${passesTo('scenarioReturns', 'assistant', 'c', 'c.at')}
    RETURNING t.id, t.assistant_id, t.version, c.at),
  event AS (${appendEvents('touched', { by: `'SCENARIO'`, actor: ':actor::jsonb' }, [ENTRIES.handedToAgent])})
  SELECT 1 AS passed FROM event`);

/** The id of the call behind the first entry of a type that the dialog's history has since a run began. */
const REQUEST_SINCE_BEGUN = statement('scenario-run-request-since-begun').takes(
  'accountId',
  'threadId',
  'runId',
  'type',
).returns<{ request_id: string | null }>(`
  SELECT e.body ->> 'request_id' AS request_id
    FROM scenario_runs r
    JOIN events e ON e.account_id = r.account_id AND e.thread_id = r.thread_id AND e.type = :type
     AND CASE WHEN r.version IS NULL THEN e.at > r.started_at ELSE e.version > r.version END
   WHERE r.account_id = :accountId AND r.id = :runId AND e.thread_id = :threadId
   ORDER BY e.seq LIMIT 1`);

export type { EarlierRuns, OpenRun };

/** The dialog as its runs see it. */
export type Dialog = SeenDialog & DialogSurroundings;

/** A dialog with its open runs, as they were read. */
export interface DialogView {
  dialog: Dialog;
  /** By their beginning, then by their scenarios' order. */
  runs: readonly OpenRun[];
  /** How often the scenarios of its due runs began here before; none for one that never did. */
  earlier: readonly EarlierRuns[];
  /**
   * The steps that a run has, as they were when it was asked for. Each scenario has some, so none means that they are
   * gone, which is a fault of ours.
   */
  stepsOf: (run: OpenRun) => readonly StoredStep[];
}

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
  | 'spoke_at'
> {
  /** It writes to the customer now. */
  speaks: boolean;
  /** Its last message did not leave: it last wrote at `spoke_at`. */
  takes_back: boolean;
}

/** An entry of the dialog's history. */
export interface RunEntry {
  type: 'scenario' | 'attention';
  actor: Actor;
  /** `from` is null, but for what a person notes of a run that had ended and stays so. */
  body: { from: string | null; to: string } & Pick<
    EventBody,
    'note' | 'provider_code' | 'cause' | 'request_id'
  >;
}

/** What becomes of a dialog's runs, and what its history tells of it. */
export interface RunChanges {
  runs: readonly RunChange[];
  /** Runs that never began. */
  notBegunIds: readonly string[];
  entries: readonly RunEntry[];
  /** Whether open runs are left. */
  hasRuns: boolean;
}

/** All that is written at the end of the transaction. */
export interface DialogChanges extends RunChanges {
  /** When the dialog is looked at again; null: when something happens. */
  dueAt: Date | null;
  /** How long this process keeps it; null: it gives it back. */
  leaseMs: number | null;
  /** A permit for an effect outside; null: none begins. */
  permitMs: number | null;
}

/** The run that acts. */
export interface ActingRun {
  /** Of its cause. */
  trace?: string;
  id: string;
  scenarioId: string;
  name: string;
  depth: number;
}

/** A message that a run sends. This process has claimed it. */
export interface MessageToStore extends Pick<Sending, 'botId' | 'channel' | 'assistantId'> {
  intent: MessageIntent;
  claimMs: number;
  /** It goes into the run's own dialog, which this transaction has locked. */
  isOwn: boolean;
  /** It is not sent as long as a person conducts the dialog into which it goes. */
  waitsForTakeover: boolean;
  /** It counts against the quota. */
  counts: boolean;
}

/** Work that waits for another dialog's lock is not done together with others. */
export class NotTogetherError extends Error {}

/** One dialog's runs in a transaction that holds its thread's lock, perhaps together with other dialogs. */
export class DialogTransaction {
  /** What is to be written at the end; null: nothing. */
  changes: DialogChanges | null = null;
  /** What is to be stored at the end. */
  readonly messages: MessageToStore[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly held: HeldQueue,
    readonly view: DialogView,
    /** Names this transaction's claims of messages. */
    readonly claimToken: string,
    private readonly isAlone: boolean,
  ) {}

  /** A run that ended meanwhile, with its steps; undefined where it is gone. */
  async endedRun(runId: string): Promise<{ run: OpenRun; steps: readonly StoredStep[] } | undefined> {
    const runs = await this.tx.run(RUN_AND_OPEN_RUNS, { ...this.key, runId });
    const run = runs.find(({ id }) => id === runId);
    if (!run) return undefined;
    const { scenario_id: scenarioId, revision } = run;
    const [row] = await this.tx.run(STEPS, { accountId: this.held.accountId, scenarioId, revision });
    return row && { run, steps: row.steps };
  }

  /** The id of the call that first moved the lead, or changed its handler, since a run began; null: it was no call. */
  async requestSinceBegun(runId: string, type: 'status' | 'handler'): Promise<string | null> {
    const [found] = await this.tx.run(REQUEST_SINCE_BEGUN, { ...this.key, runId, type });
    return found?.request_id ?? null;
  }

  /** Moves the lead as a run does, and starts what the stage starts. */
  async move(run: ActingRun, statusId: string | null): Promise<MoveVerdict> {
    const [outcome] = await this.tx.run(MOVE, {
      ...this.key,
      statusId,
      assistantIds: [this.view.dialog.assistant_id],
      ...{ answer: false, cipherKeyId: null, hasExpected: false, expectedStatusId: null },
      ...{ setBy: 'SCENARIO', actor: JSON.stringify(actorOf(run)), startScenarios: true, ifEpoch: null },
      requestId: null,
      cause: JSON.stringify({ type: 'scenario', id: run.scenarioId, name: run.name }),
      trace: run.trace ?? null,
      depth: run.depth + 1,
      byRun: run.id,
    });
    return outcome?.verdict ?? 'no_stage';
  }

  /** Switches the agent off for good. */
  async switchOff(run: ActingRun): Promise<void> {
    await this.tx.run(SWITCH, {
      ...this.key,
      assistantIds: [this.view.dialog.assistant_id],
      wanted: false,
      by: 'SCENARIO',
      actor: JSON.stringify(actorOf(run)),
      requestId: null,
      hasModel: false,
      cipherKeyId: null,
      trace: null,
    });
  }

  async handOver(run: ActingRun): Promise<void> {
    await this.tx.run(HAND_OVER_BY_RUN, { ...this.key, actor: JSON.stringify(actorOf(run)) });
  }

  async returnToAgent(run: ActingRun): Promise<void> {
    await this.tx.run(RETURN_BY_RUN, { ...this.key, actor: JSON.stringify(actorOf(run)) });
  }

  /** Assigns the dialog to a person, or with null to nobody. */
  async assign(run: ActingRun, userId: string | null): Promise<AssignVerdict> {
    const [row] = await this.tx.run(ASSIGN, {
      ...this.key,
      assistantIds: [this.view.dialog.assistant_id],
      ...{ by: 'SCENARIO', actor: JSON.stringify(actorOf(run)), requestId: null, userId },
    });
    return row?.verdict ?? 'unknown';
  }

  /**
   * Stores a message that this process is about to send, at the end of the transaction.
   * @throws NotTogetherError
   */
  storeMessage(message: MessageToStore): void {
    if (!message.isOwn && !this.isAlone) throw new NotTogetherError();
    this.messages.push(message);
  }

  /** Keeps what is to be written at the end. */
  finish(changes: DialogChanges): void {
    this.changes = changes;
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
