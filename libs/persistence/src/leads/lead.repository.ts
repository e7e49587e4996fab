import type { Actor, FunnelStage, MessageHandler, StatusSetBy } from '@app/contracts/lead.words';
import type { KeptCause } from '@app/contracts/scenario.words';
import { activeTrace } from '@app/contracts/trace-recorder';
import { Injectable } from '@nestjs/common';
import type { StageEntity } from '../assistants/assistant.entity';
import { statement } from '../database/sql.statements';
import type { Visibility } from '../accounts/reach-scope';
import { CallBatcher } from '../database/call-batcher';
import { Database, ReservedDatabase } from '../database/database.service';
import type { LeadRow } from '../threads/card-columns';
import { ThreadLockQueues } from '../threads/thread-lock-queues';
import type { CommittedEvent } from '../threads/thread-log.statements';
import { committedMove, MOVE_TOGETHER } from './move-together.statements';
import {
  CANDIDATES,
  FIND,
  FIND_MANY,
  MOVE,
  PREVIEW,
  type MoveOutcome,
  type StatusCandidates,
} from './lead.statements';

export interface MoveRequest {
  threadId: string;
  /** Null clears the stage. */
  statusId: string | null;
  setBy: StatusSetBy;
  actor: Actor | null;
  /** The id of the call that moves the lead. */
  requestId?: string | null;
  answerPendingMessage: boolean;
  /** The key that opens the credentials of numbers: needed where the waiting message is to be answered. */
  cipherKeyId?: string;
  /** The stage that the caller expects the lead to have; undefined when it expects none. */
  expectedStatusId?: string | null;
  skipScenarios: boolean;
  /** For the agent's moves: nothing is moved when the dialog has another epoch by now. */
  ifEpoch?: number;
  /** The scenario's run that moves the lead. */
  chain?: { depth: number; runId: string };
  /** Whether {@link Moved.committed} is wanted with the card, for boards of this process. */
  tellsBoards?: boolean;
}

export interface Moved extends MoveOutcome {
  /** The move as an event, where the statement returned everything of it; else the log must be read. */
  committed?: CommittedEvent;
}

/** What earlier moves of a dialog, previewed but not done, would have changed. */
export interface PreviewedState {
  statusId: string | null;
  /** How often they raise the dialog's epoch. */
  epochRise: number;
  /** How often they had raised it when one of them answered the waiting message; null when none does. */
  tookAtRise: number | null;
  /** Who gets the dialog from the last of them that hands it over; null: none does. */
  handsTo: MessageHandler | null;
}

interface LeadQuestion {
  of: Visibility;
  threadId: string;
}

interface Move {
  of: Visibility;
  request: MoveRequest;
}

type FunnelStageRow = Pick<
  StageEntity,
  'id' | 'name' | 'kind' | 'order' | 'description' | 'ai_enabled' | 'ai_transition_locked'
>;

const FUNNEL = statement('status-funnel').takes('accountId', 'assistantId').returns<FunnelStageRow>(`
  SELECT id, name, kind, "order", description, ai_enabled, ai_transition_locked FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId AND archived_at IS NULL ORDER BY "order", id`);

@Injectable()
export class LeadRepository {
  private readonly finds = new CallBatcher<LeadQuestion, LeadRow | null>({
    act: (questions) => this.findTogether(questions),
  });
  private readonly moves = new CallBatcher<Move, Moved | null>({
    act: (moves) => this.moveTogether(moves),
    keyOf: ({ of, request }) => of.accountId + request.threadId,
  });

  constructor(
    private readonly database: Database,
    private readonly lockQueues: ThreadLockQueues,
    private readonly reserved: ReservedDatabase,
  ) {}

  /**
   * Moves a lead to a stage of its agent's funnel, or clears its stage. Moves that come together share a statement.
   * It makes those that need not wait; a move that it skips is made alone, and waits for the dialog's lock in the
   * queue of its owner and dialog. An agent's moves have slots besides those
   * of its account's calls, and do not wait behind these.
   * @returns null when the caller sees no such dialog.
   */
  async moveToStage(of: Visibility, request: MoveRequest): Promise<Moved | null> {
    const owner = request.setBy === 'AI' ? `agents of ${of.accountId}` : of.accountId;
    const together = mayGoTogether(request)
      ? await this.database.asOneOf(owner, () => this.moves.call({ of, request }))
      : null;
    const alone = (): Promise<MoveOutcome | null> => this.moveAlone(owner, of, request);
    return together ?? this.lockQueues.run(owner, request.threadId, alone);
  }

  /** Waits for a locked dialog, and handles everything that may follow a move. */
  private async moveAlone(owner: string, of: Visibility, request: MoveRequest): Promise<MoveOutcome | null> {
    const [outcome] = await this.database.runFor(owner, MOVE, {
      ...askedOf(of, request),
      setBy: request.setBy,
      actor: request.actor && JSON.stringify(request.actor),
      requestId: request.requestId ?? null,
      startScenarios: !request.skipScenarios,
      ifEpoch: request.ifEpoch ?? null,
      ...causeOf(request),
    });
    return outcome ?? null;
  }

  /** Null for a move that was skipped: nothing was done. */
  private async moveTogether(moves: readonly Move[]): Promise<(Moved | null)[]> {
    const requests = moves.map(({ request }) => request);
    const begunAt = performance.now();
    const rows = await this.database.run(MOVE_TOGETHER, {
      accounts: moves.map(({ of }) => of.accountId),
      threads: requests.map(({ threadId }) => threadId),
      targets: requests.map(({ statusId }) => statusId),
      agents: moves.map(({ of }) => `{${of.assistantIds.join()}}`),
      expecting: requests.map(({ expectedStatusId }) => expectedStatusId !== undefined),
      expected: requests.map(({ expectedStatusId }) => expectedStatusId ?? null),
      setters: requests.map(({ setBy }) => setBy),
      actors: requests.map(({ actor }) => actor && JSON.stringify(actor)),
      requestIds: requests.map(({ requestId = null }) => requestId),
      starting: requests.map(({ skipScenarios }) => !skipScenarios),
      telling: requests.map(({ tellsBoards = false }) => tellsBoards),
    });
    const outcomes = moves.map((): Moved | null => null);
    for (const row of rows) {
      const { of, request } = moves[row.n - 1] as Move;
      outcomes[row.n - 1] = {
        ...row,
        committed: committedMove(row, { ...request, accountId: of.accountId, begunAt }),
      };
    }
    return outcomes;
  }

  /**
   * What {@link moveToStage} would answer now. Changes nothing and takes no lock.
   * @param after earlier moves of the dialog, previewed but not done
   */
  async previewMove(
    of: Visibility,
    request: MoveRequest,
    after: PreviewedState | null,
  ): Promise<MoveOutcome | null> {
    const [outcome] = await this.database.runFor(of.accountId, PREVIEW, {
      ...askedOf(of, request),
      hasEarlier: after !== null,
      earlierStatusId: after?.statusId ?? null,
      epochRise: after?.epochRise ?? 0,
      tookAtRise: after?.tookAtRise ?? null,
      handsTo: after?.handsTo ?? null,
    });
    return outcome ?? null;
  }

  /**
   * At most two stages with this folded name in the dialog's funnel; none for null. Null when the caller sees no such
   * dialog.
   */
  async findStatusesByName(
    of: Visibility,
    threadId: string,
    nameFolded: string | null,
  ): Promise<StatusCandidates | null> {
    const { accountId, assistantIds } = of;
    const values = { accountId, threadId, assistantIds, nameFolded };
    const [candidates] = await this.database.runFor(accountId, CANDIDATES, values);
    return candidates ?? null;
  }

  /** Calls that come together are answered by one statement. */
  async findLead(of: Visibility, threadId: string): Promise<LeadRow | null> {
    return this.finds.call({ of, threadId });
  }

  /** Outside the slots of accounts: at most two of these statements are under way, for all callers. */
  private async findTogether(questions: readonly LeadQuestion[]): Promise<(LeadRow | null)[]> {
    const [first, second] = questions;
    if (first && !second) {
      const { threadId } = first;
      const { accountId, assistantIds } = first.of;
      const [lead] = await this.reserved.run(FIND, { accountId, threadId, assistantIds });
      return [lead ?? null];
    }
    const rows = await this.reserved.run(FIND_MANY, {
      accountIds: questions.map(({ of }) => of.accountId),
      threadIds: questions.map(({ threadId }) => threadId),
      assistantIds: questions.map(({ of }) => `{${of.assistantIds.join()}}`),
    });
    const answers = questions.map((): LeadRow | null => null);
    for (const row of rows) answers[row.n - 1] = row;
    return answers;
  }

  /** The stages of an agent's funnel, in order. */
  async listFunnel(accountId: string, assistantId: string): Promise<FunnelStage[]> {
    return this.database.runFor(accountId, FUNNEL, { accountId, assistantId });
  }
}

/** What runs begun by the move show as their cause; the agent's is named by the statement. */
const causeOf = ({ actor, chain, requestId }: MoveRequest) => ({
  cause: actor && JSON.stringify({ ...actor, request_id: requestId } satisfies KeptCause),
  trace: activeTrace(),
  depth: (chain?.depth ?? 0) + 1,
  byRun: chain?.runId ?? null,
});

/** The shared statement does not handle a move that answers the waiting message, or that is the agent's. */
const mayGoTogether = ({ answerPendingMessage, ifEpoch }: MoveRequest): boolean =>
  !answerPendingMessage && ifEpoch === undefined;

function askedOf({ accountId, assistantIds }: Visibility, request: MoveRequest) {
  const { threadId, statusId, answerPendingMessage: answer, cipherKeyId = null, expectedStatusId } = request;
  const hasExpected = expectedStatusId !== undefined;
  return {
    ...{ accountId, threadId, statusId, assistantIds, answer, cipherKeyId },
    ...{ hasExpected, expectedStatusId: expectedStatusId ?? null },
  };
}
