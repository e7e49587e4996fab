import type { Actor, MessageHandler, StatusSetBy } from '@app/contracts/lead.words';
import type { StageKind } from '@app/contracts/stage.kinds';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call.batcher';
import { Database } from '../database/database.service';
import type { LeadRow } from '../threads/card.columns';
import { CANDIDATES, FIND, FIND_MANY, MOVE, PREVIEW } from './lead.statements';

/** Whose dialogs a caller may see: one account, and of it those of these agents. */
export interface Visibility {
  accountId: string;
  assistantIds: readonly string[];
}

export interface MoveRequest {
  threadId: string;
  /** Null clears the stage. */
  statusId: string | null;
  setBy: StatusSetBy;
  actor: Actor | null;
  answerPendingMessage: boolean;
  /** Where the caller believes the lead to stand; undefined when it does not say. */
  expectedStatusId?: string | null;
  skipScenarios: boolean;
  /** The agent's own moves: nothing is moved when the dialog has another epoch by now. */
  ifEpoch?: number;
}

/** What earlier moves of a dialog, foreseen but not done, would have changed. */
export interface Foreseen {
  statusId: string | null;
  /** How often they raise the dialog's epoch. */
  epochRise: number;
  /** How often they had raised it when one of them took up the waiting message; null when none does. */
  tookAtRise: number | null;
  /** To whom the last of them that does hands the dialog; null: none does. */
  handsTo: MessageHandler | null;
}

export type MoveVerdict = 'move' | 'same' | 'conflict' | 'no_stage';

export interface MoveOutcome {
  verdict: MoveVerdict;
  /** Whether a reply to the waiting message is durably under way. */
  took: boolean;
  /** That reply's turn. */
  turn_id: string | null;
  runs: number;
  seq: number | null;
  /** To whom the stage's rule hands the dialog; null where that changes nothing. */
  hands_to: MessageHandler | null;
  stage_id: string | null;
  stage_name: string | null;
  stage_kind: StageKind | null;
  stage_order: number | null;
  stage_ai_enabled: boolean | null;
}

export interface StatusCandidates {
  /** Stages of the dialog's funnel that bear the name. */
  status_ids: string[];
}

interface LeadQuestion {
  of: Visibility;
  threadId: string;
}

@Injectable()
export class LeadRepository {
  private readonly finds = new CallBatcher<LeadQuestion, LeadRow | null>({
    act: (questions) => this.findTogether(questions),
  });

  constructor(private readonly database: Database) {}

  /**
   * Moves a lead to a stage of its agent's funnel, or clears its stage.
   * @returns null when the caller sees no such dialog.
   */
  async moveToStage(of: Visibility, request: MoveRequest): Promise<MoveOutcome | null> {
    const [outcome] = await this.database.runFor<MoveOutcome>(of.accountId, MOVE, [
      ...decideValues(of, request),
      request.setBy,
      request.actor && JSON.stringify(request.actor),
      !request.skipScenarios,
      request.ifEpoch ?? null,
    ]);
    return outcome ?? null;
  }

  /**
   * What {@link moveToStage} would answer now; changes nothing and takes no lock.
   * @param after earlier moves of the dialog that it is to follow, themselves not done.
   */
  async previewMove(
    of: Visibility,
    request: MoveRequest,
    after: Foreseen | null,
  ): Promise<MoveOutcome | null> {
    const [outcome] = await this.database.runFor<MoveOutcome>(of.accountId, PREVIEW, [
      ...decideValues(of, request),
      after !== null,
      after?.statusId ?? null,
      after?.epochRise ?? 0,
      after?.tookAtRise ?? null,
      after?.handsTo ?? null,
    ]);
    return outcome ?? null;
  }

  /**
   * At most two stages with this folded name in the dialog's funnel, none for null; null when the caller sees no such
   * dialog.
   */
  async findStatusesByName(
    of: Visibility,
    threadId: string,
    nameFolded: string | null,
  ): Promise<StatusCandidates | null> {
    const values = [of.accountId, threadId, of.assistantIds, nameFolded];
    const [candidates] = await this.database.runFor<StatusCandidates>(of.accountId, CANDIDATES, values);
    return candidates ?? null;
  }

  /** Calls that come together are answered by one statement. */
  async findLead(of: Visibility, threadId: string): Promise<LeadRow | null> {
    return this.finds.call({ of, threadId });
  }

  /** Without a place of an account: of these statements at most two are under way, whoever calls. */
  private async findTogether(questions: readonly LeadQuestion[]): Promise<(LeadRow | null)[]> {
    const [first, second] = questions;
    if (first && !second) {
      const { of, threadId } = first;
      const [lead] = await this.database.run<LeadRow>(FIND, [of.accountId, threadId, of.assistantIds]);
      return [lead ?? null];
    }
    const rows = await this.database.run<LeadRow & { n: number }>(FIND_MANY, [
      questions.map(({ of }) => of.accountId),
      questions.map(({ threadId }) => threadId),
      questions.map(({ of }) => `{${of.assistantIds.join()}}`),
    ]);
    const answers = questions.map((): LeadRow | null => null);
    for (const row of rows) answers[row.n - 1] = row;
    return answers;
  }
}

function decideValues(of: Visibility, request: MoveRequest): unknown[] {
  return [
    of.accountId,
    request.threadId,
    request.statusId,
    of.assistantIds,
    request.answerPendingMessage,
    request.expectedStatusId !== undefined,
    request.expectedStatusId ?? null,
  ];
}
