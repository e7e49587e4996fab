import { randomUUIDv7 } from 'node:crypto';
import { formatThreadId } from '@app/contracts/thread-id.format';
import { DialogContextRepository } from '@app/persistence/agent/dialog-context.repository';
import {
  ReplyTurnRepository,
  type ClaimedTurn,
  type PutOff,
  type TurnEnd,
} from '@app/persistence/agent/reply-turn.repository';
import { TakeoverRepository } from '@app/persistence/agent/takeover.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import { ReplyBell } from '../jobs/reply.bell';
import {
  ChannelConnections,
  SealedCredentialError,
  type OpenChannel,
} from '../messages/channel-connections.service';
import { AgentLimits } from './agent.limits';
import { throughBusyRows } from './busy-row.patience';
import { CustomToolsService } from './custom-tools.service';
import { LanguageModel, type ModelOutcome, type ModelTool } from './language-model.port';
import { LeadTools, type AfterReply } from './lead.tools';
import { withoutMarkdown } from './markdown.text';
import { ReplyCounts } from './reply.counts';
import { dialogFor, instructionsFor, withoutMarks } from './reply.context';
import { ReplySpeech } from './reply.speech';
import { splitReply } from './reply.splitter';
import { channelEnd, failedEnd, saidEnd, standingEnd, stoppedEnd } from './turn-end.rules';
import { LEASE_MS, TurnWatch, type WatchedTurn } from './turn.watch';
import { Typing } from './typing.service';

/** Replies of one account at once: one whose model hangs takes nobody else's places. */
const PER_ACCOUNT_MAX = 20;
/** Messages of the dialog that a model is told at most. */
const SPOKEN_MAX = 40;
/** Calls of tools in one turn (promises.md). */
const TOOL_CALLS_MAX = 5;
const RETURNED_AT_ONCE = 100;

/** Blanks, marks of others and characters without a width are nothing to a customer. */
const SAID_NOTHING = {
  kind: 'failed',
  mayRetry: true,
  reason: 'The model answered without a text.',
} as const;

/** Answers customers: one turn at a time in a dialog, through the model, part by part through the gate. */
@Injectable()
export class Replies {
  private readonly logger = new Logger(Replies.name);

  constructor(
    private readonly turns: ReplyTurnRepository,
    private readonly dialogs: DialogContextRepository,
    private readonly takeovers: TakeoverRepository,
    private readonly channels: ChannelConnections,
    private readonly model: LanguageModel,
    private readonly tools: LeadTools,
    private readonly customTools: CustomToolsService,
    private readonly speech: ReplySpeech,
    private readonly typing: Typing,
    private readonly watch: TurnWatch,
    private readonly limits: AgentLimits,
    private readonly replies: ReplyBell,
    private readonly counts: ReplyCounts,
    private readonly bell: EventBell,
  ) {}

  /** Rings for replies that are due, and lets agents return whose takeover is over. */
  async sweep(): Promise<void> {
    if ((await this.takeovers.returnDue(RETURNED_AT_ONCE)) > 0) this.bell.ring();
    if (!this.limits.answers) return;
    for (const { accountId, turnId } of await this.turns.due(PER_ACCOUNT_MAX))
      this.replies.ring(accountId, turnId);
  }

  /** Answers by one turn, unless there is nothing to do. */
  async serve(ids: Readonly<Record<string, string>>, stopping: AbortSignal): Promise<void> {
    const { account_id: accountId, turn_id: turnId } = ids;
    if (!accountId || !turnId || !this.limits.answers || stopping.aborted) return;
    const held = { accountId, turnId, token: randomUUIDv7() };
    const claimed = await this.turns.claim(held, LEASE_MS, PER_ACCOUNT_MAX);
    if (!claimed) return;
    const watched = this.watch.watch(held);
    const halt = (): void => watched.halt();
    stopping.addEventListener('abort', halt);
    // The process may have been told to end while the turn was claimed.
    if (stopping.aborted) halt();
    try {
      const end = standingEnd(claimed) ?? (await this.answer(claimed, watched));
      this.counts.turns['inMs' in end ? 'put_off' : end.state] += 1;
      if ('inMs' in end) await this.turns.later(held, end);
      else await this.finish(claimed, watched, end);
    } finally {
      stopping.removeEventListener('abort', halt);
      this.watch.forget(watched);
    }
  }

  private async finish(
    { thread_id: threadId }: ClaimedTurn,
    { held }: WatchedTurn,
    end: TurnEnd,
  ): Promise<void> {
    await throughBusyRows(() => this.turns.finish(held, threadId, end));
    if (end.entry) this.bell.ring();
  }

  /** @returns how the turn ends, or when it is tried again. */
  private async answer(claimed: ClaimedTurn, watched: WatchedTurn): Promise<TurnEnd | PutOff> {
    const { accountId } = watched.held;
    const open = await this.channelOf(accountId, claimed);
    if (open === null || open === 'sealed') return channelEnd(claimed, open === 'sealed');
    const pausedMs = await this.speech.pausedMs(claimed, watched);
    if (pausedMs > 0) return { inMs: pausedMs, counts: 'nothing' };
    this.typing.show(open, claimed.provider_id);
    const funnel = await this.dialogs.funnel(accountId, claimed.assistant_id);
    const { tools, after } = this.tools.toolsFor(claimed, watched, funnel);
    const request = {
      model: claimed.model,
      instructions: instructionsFor(claimed.instructions, claimed.customer_name, funnel, claimed.status_id),
      messages: dialogFor(await this.dialogs.spoken(accountId, claimed.thread_id, SPOKEN_MAX)),
      tools: [...tools, ...(await this.customTools.toolsOf(accountId, claimed))].map((tool) =>
        this.counted(tool, watched),
      ),
      toolCallsMax: TOOL_CALLS_MAX,
      charactersMax: claimed.reply_characters_max,
    };
    const askedAt = performance.now();
    const outcome = await this.model.reply(request, watched.signal);
    this.counts.requests[outcome.kind] += 1;
    this.counts.requestSeconds += (performance.now() - askedAt) / 1_000;
    if (watched.signal.aborted || outcome.kind === 'aborted') return stoppedEnd(watched);
    const parts = partsOf(claimed, outcome, after);
    if (parts.length === 0) return this.failed(claimed, outcome.kind === 'failed' ? outcome : SAID_NOTHING);
    const said = await this.speech.say(claimed, open, watched, parts);
    if (said.end === 'all') await this.doAfter(claimed, watched, after);
    return saidEnd(claimed, watched, said);
  }

  /** The model's adapter counts within a try; this counts over all of them, those of killed processes included. */
  private counted(tool: ModelTool, { held }: WatchedTurn): ModelTool {
    return {
      ...tool,
      call: async (given, signal) => {
        const isAllowed = await this.turns.spendToolCall(held, TOOL_CALLS_MAX).catch(() => false);
        if (!isAllowed) return 'Refused: no more tools may be called in this turn.';
        this.counts.toolCalls += 1;
        return tool.call(given, signal);
      },
    };
  }

  private async channelOf(accountId: string, claimed: ClaimedTurn): Promise<OpenChannel | null | 'sealed'> {
    try {
      return await this.channels.find(accountId, claimed.bot_id, claimed.channel);
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error;
      return 'sealed';
    }
  }

  private failed(claimed: ClaimedTurn, failure: Extract<ModelOutcome, { kind: 'failed' }>): TurnEnd | PutOff {
    const end = failedEnd(claimed, failure);
    const { thread_id: threadId, model_failures: failures } = claimed;
    this.logger.warn(
      { thread_id: formatThreadId(threadId), attempts: failures + 1 },
      `A reply failed: ${failure.reason} ${'inMs' in end ? 'It is tried again.' : 'An operator is asked for.'}`,
    );
    return end;
  }

  /** What waited for the reply. The hand-over comes first: a stage that mutes would make this turn a former one. */
  private async doAfter(claimed: ClaimedTurn, watched: WatchedTurn, after: AfterReply): Promise<void> {
    let { epoch } = claimed;
    if (after.handOver !== null) {
      const { handOver: reason } = after;
      const raised = await throughBusyRows(() =>
        this.takeovers.handOver(watched.held, claimed.thread_id, reason),
      );
      if (raised === null) return;
      epoch = raised;
      this.bell.ring();
    }
    await this.tools.moveAfter(claimed, watched, after, epoch);
  }
}

/** What is said; nothing where neither the model nor the agent has words. */
function partsOf(
  { handover_text: ownWords, reply_parts_max: partsMax }: ClaimedTurn,
  outcome: Exclude<ModelOutcome, { kind: 'aborted' }>,
  { handOver }: AfterReply,
): string[] {
  const text = outcome.kind === 'replied' ? withoutMarkdown(withoutMarks(outcome.text)) : '';
  if (handOver === null) return splitReply(text, partsMax);
  // Words of a hand-over are one message: whoever is told to wait for a person is told once. The agent's own need none
  // of the model's.
  const own = splitReply(ownWords ?? '', 1);
  return own.length > 0 ? own : splitReply(text, 1);
}
