import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import {
  CLAIM,
  HAS_DUE,
  IDLE,
  LEAVE,
  LOOK_AHEAD,
  PAUSE,
  PAUSED,
  POSTPONE,
  PUT_BACK,
  PUT_BACK_ALL,
  TAKE,
  type Claimed,
  type DueMessage,
  type SendQueueKey,
  type TakenQueue,
} from './send-queue.statements';

export type { Claimed, DueMessage, SendQueueKey, TakenQueue };

/** How long a message has to wait for its recipient, in milliseconds. */
export interface Postponed {
  id: string;
  waitMs: number;
}

/** By which a process claims in a queue. */
export interface Lease {
  token: string;
  revision: number;
}

/** Work of the service itself, so none of an account's slots are taken for it. */
@Injectable()
export class SendQueueRepository {
  constructor(private readonly database: Database) {}

  /** Takes a queue or keeps it. @returns null when another process has it. */
  async take(queue: SendQueueKey, token: string, leaseMs: number): Promise<TakenQueue | null> {
    const [row] = await this.database.run(TAKE, { ...keyOf(queue), token, leaseMs });
    return row ?? null;
  }

  async leave(queue: SendQueueKey, token: string): Promise<void> {
    await this.database.run(LEAVE, { ...keyOf(queue), token });
  }

  /**
   * Reads what is due, the oldest first, and claims nothing.
   * @param from a `due_at`: what was due before it is left out; null: nothing is
   */
  async lookAhead(queue: SendQueueKey, most: number, from: string | null): Promise<DueMessage[]> {
    return this.database.run(LOOK_AHEAD, { ...keyOf(queue), most, from });
  }

  /**
   * Claims a group of messages just before their requests.
   * @returns those that were still due; none when the queue is not held by that lease any more, its number is paused, or
   * the connection has changed.
   */
  async claim(
    queue: SendQueueKey,
    { token: leaseToken, revision }: Lease,
    ids: readonly string[],
    token: string,
    claimMs: number,
  ): Promise<Claimed[]> {
    return this.database.run(CLAIM, { ...keyOf(queue), leaseToken, revision, ids, token, claimMs });
  }

  /** Lets queued messages wait for their recipients. */
  async postpone(accountId: string, messages: readonly Postponed[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await this.database.run(POSTPONE, { accountId, ids, waits: messages.map(({ waitMs }) => waitMs) });
  }

  /** Puts messages back into the queue that were claimed by this token and not begun. */
  async putBack(accountId: string, ids: readonly string[], token: string): Promise<void> {
    await this.database.run(PUT_BACK, { accountId, ids, token });
  }

  /** The same for all that a claim took, when nobody learned what that was. @returns how many. */
  async putBackAll(queue: SendQueueKey, token: string): Promise<number> {
    return (await this.database.run(PUT_BACK_ALL, { ...keyOf(queue), token })).length;
  }

  async pause(queue: SendQueueKey, milliseconds: number): Promise<void> {
    await this.database.run(PAUSE, { ...keyOf(queue), milliseconds });
  }

  /** For how many milliseconds yet a number is paused; 0 when it is not. */
  async pausedMs(queue: SendQueueKey): Promise<number> {
    const [row] = await this.database.run(PAUSED, keyOf(queue));
    return row?.pausedMs ?? 0;
  }

  /** Whether something waits that could be claimed now. */
  async hasDue(queue: SendQueueKey): Promise<boolean> {
    const [row] = await this.database.run(HAS_DUE, keyOf(queue));
    return row?.due ?? false;
  }

  async idle(): Promise<SendQueueKey[]> {
    return this.database.run(IDLE);
  }
}

/** Of whatever else the caller's key carries, nothing. */
const keyOf = ({ accountId, botId, channel }: SendQueueKey): SendQueueKey => ({ accountId, botId, channel });
