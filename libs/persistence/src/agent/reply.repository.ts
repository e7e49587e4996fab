import type { AttentionReason } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database, ReservedDatabase, WorkDatabase } from '../database/database.service';
import type { EndState } from '../threads/reply-states';
import type { WorkBacklog } from '../work/work.statements';
import {
  BACKLOG,
  CLAIM,
  DUE,
  FINISH,
  HOLD,
  LATER,
  LOOK,
  PURGE,
  SPEND_TOOL_CALL,
  type ClaimedReply,
  type ReplyKey,
  type SilencedReply,
  type SilenceReason,
} from './reply.statements';

export type { ClaimedReply, ReplyKey, SilenceReason };

/** A reply that one process works on. */
export interface HeldReply extends ReplyKey {
  token: string;
}

/** How a reply ends. */
export interface ReplyEnd {
  state: EndState;
  /**
   * The entry in the dialog's history and, with `attention`, on the card, which asks for an operator; null: no entry.
   */
  entry:
    | { type: 'reply_discarded'; reason: SilenceReason }
    | {
        type: 'attention';
        reason: AttentionReason;
        note: string | null;
        /** The model's own, as an entry `model_error`, which only admins read. */
        words?: string;
      }
    | null;
}

/** A reply is tried again later. */
export interface PutOff {
  inMs: number;
  /** What counts as a failure: the `model`, the `claim` alone, or `nothing`. */
  counts: 'model' | 'claim' | 'nothing';
}

/** Replies of all accounts: work of the service itself. */
@Injectable()
export class ReplyRepository {
  constructor(
    private readonly database: Database,
    private readonly reserved: ReservedDatabase,
    private readonly work: WorkDatabase,
  ) {}

  /** Replies that are due and not leased, for each account as many as it may have at once. */
  async due(perAccount: number): Promise<ReplyKey[]> {
    return this.work.run(DUE, { perAccount });
  }

  /**
   * @param waitMs how long it may wait for what its customer sent
   * @returns null when there is nothing to do: the reply is over, leased by another process or not due, or its
   * account has all the replies that it may have.
   */
  async claim(
    held: HeldReply,
    leaseMs: number,
    perAccount: number,
    waitMs: number,
  ): Promise<ClaimedReply | null> {
    const [row] = await this.work.run(CLAIM, { ...held, leaseMs, perAccount, waitMs });
    return row ?? null;
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  /** Deletes replies that ended long ago, of all accounts, up to a number. @returns how many were deleted. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }

  /** Those of the given claims whose replies must stop, and why. */
  async look(replies: readonly HeldReply[]): Promise<SilencedReply[]> {
    return this.reserved.run(LOOK, columnsOf(replies));
  }

  /**
   * Counts one call of a tool before it is made.
   * @returns false when the reply has used up its calls or lost its lease, or the agent may not speak.
   */
  async spendToolCall(held: HeldReply, most: number): Promise<boolean> {
    return (await this.database.run(SPEND_TOOL_CALL, { ...held, most })).length > 0;
  }

  /** Renews leases. */
  async hold(replies: readonly HeldReply[], leaseMs: number): Promise<void> {
    await this.reserved.run(HOLD, { ...columnsOf(replies), leaseMs });
  }

  /** Lets the reply be tried again later. Nothing of it was sent. */
  async later(held: HeldReply, { inMs, counts }: PutOff): Promise<void> {
    await this.database.run(LATER, { ...held, backOffMs: inMs, counts });
  }

  /**
   * Ends the reply. If its lease was lost, nothing is logged: who has it now logs how it ends. If its message has been taken
   * up again since, its discarding is logged all the same, because that did happen.
   */
  async finish(
    held: HeldReply,
    { thread_id: threadId, epoch }: Pick<ClaimedReply, 'thread_id' | 'epoch'>,
    end: ReplyEnd,
  ): Promise<void> {
    const { state, entry } = end;
    const { note, words = null } = entry?.type === 'attention' ? entry : { note: null };
    const told = { entryType: entry?.type ?? null, reason: entry?.reason ?? null, note, words };
    await this.database.run(FINISH, { ...held, threadId, epoch, state, ...told });
  }
}

const columnsOf = (
  replies: readonly HeldReply[],
): { accountIds: string[]; replyIds: string[]; tokens: string[] } => ({
  accountIds: replies.map(({ accountId }) => accountId),
  replyIds: replies.map(({ replyId }) => replyId),
  tokens: replies.map(({ token }) => token),
});
