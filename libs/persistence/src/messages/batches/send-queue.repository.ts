import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../../database/database.service';
import { Heartbeat } from '../../work/heartbeat';
import type { WorkBacklog } from '../../work/backlog.statements';
import {
  BACKLOG,
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

/** How long a message must wait for its recipient, in milliseconds. */
export interface Postponed {
  id: string;
  waitMs: number;
}

/** The lease by which a process claims messages of a queue. */
export interface Lease {
  token: string;
  revision: number;
}

/** Work of the service itself, so it takes none of an account's slots. */
@Injectable()
export class SendQueueRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly heartbeat: Heartbeat,
  ) {}

  /** Takes a queue or keeps it. @returns null when another process has it, or sending is held. */
  async take(queue: SendQueueKey, token: string, leaseMs: number): Promise<TakenQueue | null> {
    const [row] = await this.database.run(TAKE, { ...keyOf(queue), token, leaseMs });
    return row ?? null;
  }

  async leave(queue: SendQueueKey, token: string): Promise<void> {
    await this.database.run(LEAVE, { ...keyOf(queue), token });
  }

  /**
   * Reads what is due, the oldest first, without claiming it.
   * @param from a `due_at`: leaves out what was due before; null: nothing is left out
   */
  async lookAhead(queue: SendQueueKey, most: number, from: string | null): Promise<DueMessage[]> {
    return this.database.run(LOOK_AHEAD, { ...keyOf(queue), most, from });
  }

  /**
   * Claims a group of messages just before their requests.
   * @returns those that were still due; none when the lease was lost, the number is paused, the connection has changed,
   * or sending is held.
   */
  async claim(
    queue: SendQueueKey,
    { token: leaseToken, revision }: Lease,
    ids: readonly string[],
    token: string,
    claimMs: number,
  ): Promise<Claimed[]> {
    const values = { ...keyOf(queue), leaseToken, revision, ids, token, claimMs };
    const claimed = await this.database.run(CLAIM, values);
    this.heartbeat.permitted(claimed);
    return claimed;
  }

  /** Lets queued messages wait for their recipients. */
  async postpone(accountId: string, messages: readonly Postponed[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await this.database.run(POSTPONE, { accountId, ids, waits: messages.map(({ waitMs }) => waitMs) });
  }

  /** Returns messages to the queue that were claimed by this token and not begun. */
  async putBack(accountId: string, ids: readonly string[], token: string): Promise<void> {
    await this.database.run(PUT_BACK, { accountId, ids, token });
  }

  /** The same for everything that a claim took, when its answer was lost. @returns how many. */
  async putBackAll(queue: SendQueueKey, token: string): Promise<number> {
    return (await this.database.run(PUT_BACK_ALL, { ...keyOf(queue), token })).length;
  }

  async pause(queue: SendQueueKey, milliseconds: number): Promise<void> {
    await this.database.run(PAUSE, { ...keyOf(queue), milliseconds });
  }

  /** For how many more milliseconds a number is paused; 0 when it is not. */
  async pausedMs(queue: SendQueueKey): Promise<number> {
    const [row] = await this.database.run(PAUSED, keyOf(queue));
    return row?.pausedMs ?? 0;
  }

  /** Whether something waits that could be claimed now. */
  async hasDue(queue: SendQueueKey): Promise<boolean> {
    const [row] = await this.database.run(HAS_DUE, keyOf(queue));
    return row?.due ?? false;
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  async idle(): Promise<SendQueueKey[]> {
    return this.work.run(IDLE);
  }
}

/** Keeps only the fields of the key. */
const keyOf = ({ accountId, botId, channel }: SendQueueKey): SendQueueKey => ({ accountId, botId, channel });
