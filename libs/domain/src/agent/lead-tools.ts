import { isObject } from '@app/contracts/json-object';
import {
  type FunnelStageRow,
  ThreadContextRepository,
} from '@app/persistence/agent/thread-context.repository';
import { LeadRepository } from '@app/persistence/leads/lead.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { WorkNotifier } from '../work/work-notifier';
import type { ModelTool } from './language-model.port';
import type { ReplyRun } from './reply-run';

/** A tool as the model sees it. */
export type ToolDefinition = Pick<ModelTool, 'name' | 'description' | 'parameters'>;

/** The stages of the funnel that the agent may move a lead to. */
export const openTo = (
  { barred_kinds: barred }: { barred_kinds: readonly string[] },
  funnel: readonly FunnelStageRow[],
): FunnelStageRow[] => funnel.filter(({ kind }) => !barred.includes(kind));

/** Moves the lead to one of these stages. */
export const moveToolTo = (open: readonly FunnelStageRow[]): ToolDefinition => ({
  name: 'move_lead',
  description: 'Moves the customer you talk to to another stage of the funnel, once.',
  parameters: {
    type: 'object',
    properties: {
      status_id: { type: 'string', enum: open.map(({ id }) => id), description: 'The stage.' },
    },
    required: ['status_id'],
    additionalProperties: false,
  },
});

export const HAND_OVER_TOOL: ToolDefinition = {
  name: 'hand_over',
  description:
    'Hands the dialog over to a person, after your answer: for what you cannot or may not do yourself.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'For the person, in a sentence.' } },
    required: ['reason'],
    additionalProperties: false,
  },
};

// What the model gets as results.
export const MOVED = 'The lead was moved.';
export const MOVED_ALREADY = 'Refused: the lead was moved already.';
export const NO_SUCH_STAGE = 'Refused: there is no such stage that you may move to.';
export const HANDED_OVER =
  'A person takes over when your answer has been sent. Tell the customer so, in a sentence.';

/** What is done once the reply has been sent. */
export interface AfterReply {
  /** Why the model hands the dialog over, in its words, which may be empty; null: it does not hand over. */
  handOver: string | null;
  /**
   * The stage to move to afterwards. Entering it earlier would discard the reply: it mutes the agent, or starts
   * scenarios, whose messages would answer the customer first.
   */
  move: { statusId: string; from: string | null } | null;
}

const REASON_CHARACTERS_MAX = 500;

/**
 * What the model may do to its lead: move it once in a reply, and hand the dialog over. Account and dialog come from
 * the reply, never from the model.
 */
@Injectable()
export class LeadTools {
  private readonly logger = new Logger(LeadTools.name);

  constructor(
    private readonly threads: ThreadContextRepository,
    private readonly leads: LeadRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
  ) {}

  toolsFor(run: ReplyRun, funnel: readonly FunnelStageRow[]): { tools: ModelTool[]; after: AfterReply } {
    const after: AfterReply = { handOver: null, move: null };
    const open = openTo(run.claim, funnel);
    const tools = open.length > 0 ? [this.moveTool(run, open, after)] : [];
    return { tools: [...tools, handOverTool(after)], after };
  }

  /**
   * Makes the move that waited for the reply, if there is one. Best effort: the customer has the reply already.
   * @param epoch the dialog's epoch unless somebody has silenced its agent since
   */
  async moveAfter(run: ReplyRun, { move }: AfterReply, epoch: number): Promise<void> {
    if (!move) return;
    try {
      await this.move(run, move.statusId, move.from, epoch);
    } catch (error) {
      this.tellOfFailure(run, error);
    }
  }

  private moveTool(run: ReplyRun, open: readonly FunnelStageRow[], after: AfterReply): ModelTool {
    let { moved } = run.claim;
    return {
      ...moveToolTo(open),
      call: async (given) => {
        const target = isObject(given) ? open.find(({ id }) => id === given.status_id) : undefined;
        if (!target) return NO_SUCH_STAGE;
        if (moved) return MOVED_ALREADY;
        moved = true;
        try {
          return await this.moveNow(run, target, after);
        } catch (error) {
          this.tellOfFailure(run, error);
          return 'The lead could not be moved now.';
        }
      },
    };
  }

  private tellOfFailure({ logContext }: ReplyRun, error: unknown): void {
    this.logger.warn({ ...logContext, err: error }, 'A lead could not be moved for its agent.');
  }

  private async moveNow(run: ReplyRun, target: FunnelStageRow, after: AfterReply): Promise<string> {
    const lead = await this.threads.stageOf(run.accountId, run.threadId);
    if (!lead) return 'The lead could not be moved.';
    if (lead.locked) return 'Refused: leads are not moved away from the stage where this one stands.';
    if (lead.status_id === target.id) return 'The lead stands there already.';
    if (!target.ai_enabled || target.starts_runs) {
      after.move = { statusId: target.id, from: lead.status_id };
      return target.ai_enabled
        ? 'The lead is moved when your answer has been sent.'
        : 'The lead is moved when your answer has been sent: you do not answer at that stage any more.';
    }
    const moved = await this.move(run, target.id, lead.status_id, run.claim.epoch);
    return moved ? MOVED : 'The lead was not moved: somebody moved it, or silenced you, meanwhile.';
  }

  private async move(
    { accountId, threadId, claim }: ReplyRun,
    statusId: string,
    from: string | null,
    epoch: number,
  ): Promise<boolean> {
    const outcome = await this.leads.moveToStage(
      { accountId, assistantIds: [claim.assistant_id] },
      {
        threadId,
        statusId,
        setBy: 'AI',
        actor: { type: 'agent', id: claim.assistant_id, name: claim.assistant_name },
        answerPendingMessage: false,
        // Only from the stage whose lock was checked.
        expectedStatusId: from,
        skipScenarios: false,
        // Everything that silences the agent raises the epoch, so an agent that is off moves no lead either.
        ifEpoch: epoch,
      },
    );
    const moved = outcome !== null && outcome.seq !== null;
    if (moved) {
      this.eventNotifier.notify(accountId);
      if (outcome.has_runs) this.work.notify('scenarios', { accountId, id: threadId });
    }
    return moved;
  }
}

const handOverTool = (after: AfterReply): ModelTool => ({
  ...HAND_OVER_TOOL,
  call: (given) => {
    const reason = isObject(given) && typeof given.reason === 'string' ? given.reason : '';
    // Without zero bytes and lone surrogates, which jsonb does not accept.
    after.handOver = reason.replaceAll('\0', '').slice(0, REASON_CHARACTERS_MAX).toWellFormed().trim();
    return Promise.resolve(HANDED_OVER);
  },
});
