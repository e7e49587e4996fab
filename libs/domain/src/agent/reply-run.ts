import { setTimeout as sleep } from 'node:timers/promises';
import { formatThreadId } from '@app/contracts/uuid.format';
import type {
  ClaimedReply,
  HeldReply,
  SilenceReason,
  ReplyEnd,
} from '@app/persistence/agent/reply.repository';
import { Injectable } from '@nestjs/common';
import type { ModelOutcome } from './language-model.port';

/** A reply that this process works on, from its claim until it is released. */
export class ReplyRun {
  private readonly controller = new AbortController();
  private reason: SilenceReason | null = null;
  private readonly claimedAt = performance.now();

  /**
   * @param held the claim's token, by which the row is this process's
   * @param claim the reply with its dialog, as they were when it was claimed
   */
  constructor(
    readonly held: HeldReply,
    readonly claim: ClaimedReply,
  ) {}

  get accountId(): string {
    return this.held.accountId;
  }

  /** Since it was asked for, in milliseconds. */
  get waitedMs(): number {
    return this.claim.waited_ms + performance.now() - this.claimedAt;
  }

  get threadId(): string {
    return this.claim.thread_id;
  }

  /** Aborted as soon as the agent is silenced or the process stops. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the agent was silenced since the claim; null: it may speak. */
  get silencedBy(): SilenceReason | null {
    return this.reason;
  }

  /** The reply as a log line shows it: ids only. */
  get logContext(): { account_id: string; thread_id: string } {
    return { account_id: this.accountId, thread_id: formatThreadId(this.threadId) };
  }

  /** The process stops. Another process continues the reply. */
  halt(): void {
    this.controller.abort();
  }

  /** The agent may not speak any more. The first reason is kept. */
  silence(reason: SilenceReason): void {
    this.reason ??= reason;
    this.controller.abort();
  }

  /**
   * Whether the next part must not be sent. A process that stops begins no reply, and sends the remaining parts of
   * one without pauses.
   */
  isStopped(isFirstPart: boolean): boolean {
    return this.reason !== null || (isFirstPart && this.signal.aborted);
  }

  /** Waits so many milliseconds. Returns at once when the reply is stopped. */
  async pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0)
      await sleep(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
  }
}

/** Most messages of the dialog that a model gets. */
export const SPOKEN_MAX = 40;
/** Calls of tools in one reply. */
export const TOOL_CALLS_MAX = 5;

/** The agent's settings that depend on the installation. */
export class AgentLimits {
  /**
   * @param answers whether a model is configured
   * @param quietMs how long a customer must be quiet before an agent without a setting for it answers
   * @param repliesPerAccount how many replies of one account may be under way at once, on all processes together.
   * Each waits up to a minute for its model. The limit keeps an account whose model hangs from filling the service,
   * and is high enough that its other dialogs are still answered.
   * @param transcribes whether what customers say in voice notes is written down
   * @param waitMs how long a reply waits for that, and for files of its customer that are still to come
   */
  constructor(
    readonly answers: boolean,
    readonly quietMs: number,
    readonly repliesPerAccount: number,
    readonly transcribes: boolean,
    readonly waitMs: number,
  ) {}
}

/** What this process has done about replies since its start, for metrics. */
@Injectable()
export class ReplyCounts {
  /** Replies by how this process left them. A reply that is put off is claimed again later. */
  readonly replies: Record<ReplyEnd['state'] | 'put_off', number> = {
    answered: 0,
    discarded: 0,
    failed: 0,
    put_off: 0,
  };
  /** Requests to the model by their outcome. */
  readonly requests: Record<ModelOutcome['kind'], number> = { replied: 0, aborted: 0, failed: 0 };
  /** The duration of all these requests together, with their tool calls. */
  requestSeconds = 0;
  /** Hears of each answer: how long after it was asked for, in seconds, its quiet time included. */
  onAnswered: (seconds: number) => void = () => undefined;
  /** Calls of tools that were allowed. */
  toolCalls = 0;
}
