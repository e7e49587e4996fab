import { randomUUIDv7 } from 'node:crypto';
import { asSpanOf } from '@app/contracts/trace-recorder';
import { ReplyRepository, type PutOff, type ReplyEnd } from '@app/persistence/agent/reply.repository';
import { TakeoverRepository } from '@app/persistence/agent/takeover.repository';
import {
  ThreadContextRepository,
  type FunnelStageRow,
} from '@app/persistence/agent/thread-context.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { ReplyAbility } from '../leads/reply-ability';
import { ShownPictures } from '../media/media-previews.service';
import {
  ChannelConnections,
  SealedCredentialError,
  type OpenChannel,
} from '../messages/sending/channel-connections.service';
import { retryBusyRow } from '../work/database-retry';
import { Slots } from '../work/work-slots';
import { WORK_TIMES } from '../work/work-times';
import { spanOfWork, type WorkItem, Worker } from '../work/worker';
import { CustomToolsService } from './custom-tools.service';
import { EMPTY_ANSWER, LanguageModel, type ModelOutcome, type ModelTool } from './language-model.port';
import { LeadTools, type AfterReply } from './lead-tools';
import { instructionsFor, markWord, threadFor, withoutMarks } from './reply-context';
import {
  channelEnd,
  failedEnd,
  pausedEnd,
  spokenEnd,
  standingEnd,
  stoppedEnd,
  waitingEnd,
} from './reply-end.rules';
import { partsOf } from './reply-parts';
import { AgentLimits, SPOKEN_MAX, TOOL_CALLS_MAX, ReplyCounts, ReplyRun } from './reply-run';
import { ReplySpeech, Typing } from './reply-speech';
import { ReplyWatch } from './reply-watch';

/**
 * Claims of replies, and reads of their numbers. Hundreds may be due after an outage; two at once leave a connection of
 * the workers' pool to what comes in.
 */
const LOOKUPS_AT_ONCE = 2;

const RETURNED_AT_ONCE = 100;

/**
 * Answers customers: one reply at a time in a dialog, written by the model and sent part by part through the gate.
 */
@Injectable()
export class Replies {
  private readonly logger = new Logger(Replies.name);
  private readonly lookups = new Slots(LOOKUPS_AT_ONCE);

  constructor(
    private readonly repository: ReplyRepository,
    private readonly threads: ThreadContextRepository,
    private readonly takeovers: TakeoverRepository,
    private readonly channels: ChannelConnections,
    private readonly model: LanguageModel,
    private readonly tools: LeadTools,
    private readonly customTools: CustomToolsService,
    private readonly pictures: ShownPictures,
    private readonly speech: ReplySpeech,
    private readonly typing: Typing,
    private readonly watch: ReplyWatch,
    private readonly limits: AgentLimits,
    private readonly ability: ReplyAbility,
    private readonly counts: ReplyCounts,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** Returns dialogs to their agents when a takeover is over. */
  async endTakeovers(): Promise<void> {
    if ((await this.takeovers.returnDue(RETURNED_AT_ONCE, this.ability)) > 0) this.eventNotifier.notify(null);
  }

  /** Finds replies that are due. */
  async findDue(): Promise<WorkItem[]> {
    if (!this.limits.answers) return [];
    const due = await this.repository.due(this.limits.repliesPerAccount);
    return due.map(({ accountId, replyId }) => ({ accountId, id: replyId }));
  }

  /** Works on one reply. Does nothing when it is not due any more. */
  async serve({ accountId, id: replyId }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId === null || !this.limits.answers || stopping.aborted) return;
    const held = { accountId, replyId, token: randomUUIDv7() };
    const claimed = await this.lookups.run(() =>
      this.repository.claim(held, WORK_TIMES.leaseMs, this.limits.repliesPerAccount, this.limits.waitMs),
    );
    if (!claimed) return;
    const run = new ReplyRun(held, claimed);
    await asSpanOf(
      claimed.trace,
      () => spanOfWork('replies', accountId),
      () => this.serveClaimed(run, stopping),
    );
  }

  private async serveClaimed(run: ReplyRun, stopping: AbortSignal): Promise<void> {
    const { held } = run;
    this.watch.watch(run);
    const halt = (): void => run.halt();
    stopping.addEventListener('abort', halt);
    // The process may have begun to stop while the reply was claimed.
    if (stopping.aborted) halt();
    try {
      const end = standingEnd(run) ?? waitingEnd(run) ?? (await this.answer(run));
      this.counts.replies['inMs' in end ? 'put_off' : end.state] += 1;
      if (!('inMs' in end) && end.state === 'answered') this.counts.onAnswered(run.waitedMs / 1_000);
      if ('inMs' in end) await this.repository.later(held, end);
      else await this.finish(run, end);
    } finally {
      stopping.removeEventListener('abort', halt);
      this.watch.forget(run);
    }
  }

  private async finish({ held, claim }: ReplyRun, end: ReplyEnd): Promise<void> {
    await retryBusyRow(() => this.repository.finish(held, claim, end));
    if (end.entry) this.eventNotifier.notify(held.accountId);
  }

  /**
   * @returns how the reply ends, or when it is tried again.
   */
  private async answer(run: ReplyRun): Promise<ReplyEnd | PutOff> {
    const open = await this.channelOf(run);
    if (open === null) return channelEnd(run);
    const pausedMs = await this.speech.pausedMs(open);
    if (pausedMs > 0) return pausedEnd(run, pausedMs);
    this.typing.show(open, run.claim.provider_id);
    const funnel = await this.threads.funnel(run.accountId, run.claim.assistant_id);
    const { tools, after } = this.tools.toolsFor(run, funnel);
    const outcome = await this.ask(run, funnel, [...tools, ...(await this.customTools.toolsOf(run))]);
    if (run.signal.aborted || outcome.kind === 'aborted') return stoppedEnd(run);
    const text = outcome.kind === 'replied' ? outcome.text : '';
    const parts = partsOf(run.claim, text, after.handOver !== null);
    if (parts.length === 0) return this.failed(run, outcome.kind === 'failed' ? outcome : EMPTY_ANSWER);
    const said = await this.speech.say(run, open, parts);
    if (said.end === 'all') await this.doAfter(run, after);
    return spokenEnd(run, said);
  }

  private async ask(
    run: ReplyRun,
    funnel: readonly FunnelStageRow[],
    tools: readonly ModelTool[],
  ): Promise<ModelOutcome> {
    const { claim } = run;
    const word = markWord();
    const { instructions, customer_name: name, status_id: statusId } = claim;
    const clock = await this.threads.clock(run.accountId);
    const spoken = await this.threads.spoken(run.accountId, run.threadId, SPOKEN_MAX);
    const pictures = claim.vision ? await this.pictures.of(run.accountId, spoken) : undefined;
    const request = {
      model: claim.model,
      options: claim.model_options,
      instructions: instructionsFor(instructions, name, funnel, statusId, word, clock),
      messages: threadFor(spoken, word, pictures),
      tools: tools.map((tool) => this.counted(tool, run)),
      toolCallsMax: TOOL_CALLS_MAX,
      charactersMax: claim.reply_characters_max,
    };
    const askedAt = performance.now();
    const outcome = await this.model.reply(request, run.signal);
    this.counts.requests[outcome.kind] += 1;
    this.counts.requestSeconds += (performance.now() - askedAt) / 1_000;
    return outcome.kind === 'replied' ? { ...outcome, text: withoutMarks(outcome.text, word) } : outcome;
  }

  /** The model's adapter counts within one try. This counts over all tries, including those of killed processes. */
  private counted(tool: ModelTool, { held }: ReplyRun): ModelTool {
    return {
      ...tool,
      call: async (given, signal) => {
        const isAllowed = await this.repository.spendToolCall(held, TOOL_CALLS_MAX).catch(() => false);
        if (!isAllowed) return 'Refused: no more tools may be called for this reply.';
        this.counts.toolCalls += 1;
        return tool.call(given, signal);
      },
    };
  }

  /** Null for a number that cannot send. A customer waits, so a reply does not wait for the credential as lists do. */
  private async channelOf({ accountId, claim, logContext }: ReplyRun): Promise<OpenChannel | null> {
    try {
      return await this.lookups.run(() => this.channels.findForWork(accountId, claim.bot_id, claim.channel));
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error;
      this.logger.error(
        { ...logContext, err: error, bot_id: claim.bot_id, channel: claim.channel },
        'An agent cannot answer, for the credential of its number does not open. An operator is asked for.',
      );
      return null;
    }
  }

  private failed(run: ReplyRun, failure: Extract<ModelOutcome, { kind: 'failed' }>): ReplyEnd | PutOff {
    const end = failedEnd(run, failure);
    this.logger.warn(
      { ...run.logContext, attempts: run.claim.model_failures + 1 },
      `A reply failed: ${failure.reason} ${'inMs' in end ? 'It is tried again.' : 'An operator is asked for.'}`,
    );
    if (failure.words !== undefined)
      this.logger.debug({ ...run.logContext, words: failure.words }, 'The model said why it failed.');
    return end;
  }

  /**
   * Does what waited for the reply. The hand-over comes first: a move to a muting stage would raise the epoch and
   * void it.
   */
  private async doAfter(run: ReplyRun, after: AfterReply): Promise<void> {
    let { epoch } = run.claim;
    if (after.handOver !== null) {
      const { handOver: reason } = after;
      const raised = await retryBusyRow(() => this.takeovers.handOver(run.held, run.threadId, reason));
      if (raised === null) return;
      epoch = raised;
      this.eventNotifier.notify(run.held.accountId);
    }
    await this.tools.moveAfter(run, after, epoch);
  }
}

/** The worker that answers customers. */
@Injectable()
export class ReplyWorker extends Worker {
  readonly name = 'replies';
  override readonly tracesItself = true;
  readonly actsOutside = true;
  /** For all accounts together. A reply spends most of its time waiting for its model. */
  readonly concurrency = 1_000;
  readonly sweepEveryMs = WORK_TIMES.replySweepMs;
  readonly finds = ['replies'] as const;
  override readonly maintenance = [{ of: ['takeovers'] as const, act: () => this.replies.endTakeovers() }];

  constructor(
    private readonly replies: Replies,
    private readonly repository: ReplyRepository,
    private readonly model: LanguageModel,
  ) {
    super();
  }

  override prepare(): void {
    this.model.prepare?.();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.replies.findDue();
  }

  async backlog(accountId: string | null) {
    return this.repository.backlog(accountId);
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    await this.replies.serve(item, stopping);
  }
}
