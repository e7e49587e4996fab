import { randomUUIDv7 } from 'node:crypto';
import type { AttentionReason } from '@app/contracts/attention.words';
import { DialogContextRepository } from '@app/persistence/agent/dialog-context.repository';
import {
  ReplyTurnRepository,
  type ClaimedTurn,
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
import { CustomToolsService } from './custom-tools.service';
import { LanguageModel, type ModelOutcome, type ModelTool } from './language-model.port';
import { LeadTools, type AfterReply } from './lead.tools';
import { dialogFor, instructionsFor, withoutMarks } from './reply.context';
import { ReplySpeech, type Said } from './reply.speech';
import { splitReply } from './reply.splitter';
import { LEASE_MS, TurnWatch, type WatchedTurn } from './turn.watch';
import { Typing } from './typing.service';

/** Replies of one account at once: one whose model hangs takes nobody else's places. */
const PER_ACCOUNT_MAX = 20;
/** Messages of the dialog that a model is told at most. */
const SPOKEN_MAX = 40;
/** Calls of tools in one turn (promises.md). */
const TOOL_CALLS_MAX = 5;
/** Rests before the model is asked again that failed; then it is given up. */
const MODEL_RESTS_MS = [2_000, 10_000];
/** A model that asks for more patience is asked again even so: a customer waits. */
const MODEL_REST_MS_MAX = 60_000;
/** Before a messenger is tried again that took nothing. */
const MESSENGER_RESTS_MS = 10_000;
/** Before another look at a number whose credential the present key does not open. */
const SEALED_RESTS_MS = 60_000;
/** Claims of one turn, those of processes that died included: what kills them is not tried for ever. */
const CLAIMS_MAX = 6;
const RETURNED_AT_ONCE = 100;

/** Blanks, marks of others and characters without a width are nothing to a customer. */
const SAID_NOTHING = {
  kind: 'failed',
  mayRetry: true,
  reason: 'The model answered without a text.',
} as const;

const ANSWERED: TurnEnd = { state: 'answered', entry: null };

/** An operator is asked for, and the history says why. */
const wanting = (state: TurnEnd['state'], reason: AttentionReason): TurnEnd => ({
  state,
  entry: { type: 'attention', reason },
});

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
      if (typeof end === 'number') await this.turns.later(held, end);
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
    await this.turns.finish(held, threadId, end);
    if (end.entry) this.bell.ring();
  }

  /** @returns how the turn ends, or in how many milliseconds it is tried again. */
  private async answer(claimed: ClaimedTurn, watched: WatchedTurn): Promise<TurnEnd | number> {
    const { accountId } = watched.held;
    const open = await this.channelOf(accountId, claimed);
    if (open === 'sealed') return SEALED_RESTS_MS;
    if (!open) return wanting('failed', 'channel');
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
    const outcome = await this.model.reply(request, watched.signal);
    if (watched.signal.aborted || outcome.kind === 'aborted') return stopped(watched);
    const parts = partsOf(claimed, outcome, after);
    if (parts.length === 0) return this.failed(claimed, outcome.kind === 'failed' ? outcome : SAID_NOTHING);
    const said = await this.speech.say(claimed, open, watched, parts);
    return this.said(claimed, watched, said, after);
  }

  /** The model's adapter counts within a try; this counts over all of them, those of killed processes included. */
  private counted(tool: ModelTool, { held }: WatchedTurn): ModelTool {
    return {
      ...tool,
      call: async (given, signal) => {
        const isAllowed = await this.turns.spendToolCall(held, TOOL_CALLS_MAX).catch(() => false);
        return isAllowed ? tool.call(given, signal) : 'Refused: no more tools may be called in this turn.';
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

  private failed(
    claimed: ClaimedTurn,
    { mayRetry, retryAfterMs = 0, reason }: Extract<ModelOutcome, { kind: 'failed' }>,
  ): TurnEnd | number {
    const ownRestMs = mayRetry ? MODEL_RESTS_MS[claimed.attempts - 1] : undefined;
    const restMs = ownRestMs && Math.max(ownRestMs, Math.min(retryAfterMs, MODEL_REST_MS_MAX));
    this.logger.warn(
      { thread_id: claimed.thread_id, attempts: claimed.attempts },
      `A reply failed: ${reason} ${restMs === undefined ? 'An operator is asked for.' : 'It is tried again.'}`,
    );
    return restMs ?? wanting('failed', 'model');
  }

  private async said(
    claimed: ClaimedTurn,
    watched: WatchedTurn,
    { parts, end }: Said,
    after: AfterReply,
  ): Promise<TurnEnd | number> {
    switch (end) {
      case 'stopped':
        return watched.closed === null && parts > 0 ? ANSWERED : stopped(watched);
      case 'not_now':
        return parts === 0 && claimed.attempts < CLAIMS_MAX
          ? MESSENGER_RESTS_MS
          : wanting(stateAfter(parts), 'messenger');
      case 'refused':
        return wanting(stateAfter(parts), 'messenger');
      case 'unknown':
        return wanting('answered', 'unknown');
      case 'all':
        await this.doAfter(claimed, watched, after);
        return ANSWERED;
    }
  }

  /** What waited for the reply. The hand-over comes first: a stage that mutes would make this turn a former one. */
  private async doAfter(claimed: ClaimedTurn, watched: WatchedTurn, after: AfterReply): Promise<void> {
    let { epoch } = claimed;
    if (after.handOver !== null) {
      const raised = await this.takeovers.handOver(watched.held, claimed.thread_id, after.handOver);
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
  const text = outcome.kind === 'replied' ? withoutMarks(outcome.text) : '';
  if (handOver === null) return splitReply(text, partsMax);
  // Words of a hand-over are one message: whoever is told to wait for a person is told once. The agent's own need none
  // of the model's.
  return splitReply(ownWords ?? text, 1);
}

const stateAfter = (parts: number): TurnEnd['state'] => (parts > 0 ? 'answered' : 'failed');

/** How a turn ends that was silenced while it was worked on; that of a process that ends goes on elsewhere at once. */
const stopped = ({ closed }: WatchedTurn): TurnEnd | number =>
  closed === null ? 0 : { state: 'discarded', entry: { type: 'reply_discarded', reason: closed } };

/** The end of a turn about which nothing is to be done. */
function standingEnd({ closed, parts, attempts }: ClaimedTurn): TurnEnd | null {
  // A process died while it spoke: what it said, or may have said, is not said again, and the rest is not either.
  if (parts > 0) return wanting('answered', 'unknown');
  if (closed === 'limit') return wanting('failed', 'limit');
  if (closed !== null) {
    // Of a reply that nobody had begun there is nothing to tell.
    const entry = attempts > 1 ? { type: 'reply_discarded' as const, reason: closed } : null;
    return { state: 'discarded', entry };
  }
  return attempts > CLAIMS_MAX ? wanting('failed', 'model') : null;
}
