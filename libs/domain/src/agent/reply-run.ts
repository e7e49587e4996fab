import { setTimeout as sleep } from 'node:timers/promises';
import { formatThreadId } from '@app/contracts/uuid.format';
import type { ClaimedReply, HeldReply, SilenceReason } from '@app/persistence/agent/reply.repository';

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
