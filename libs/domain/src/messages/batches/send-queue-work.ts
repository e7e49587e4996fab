import type { Claimed, DueMessage, Postponed } from '@app/persistence/messages/batches/send-queue.repository';
import type { ElapsedTime } from '../dispatch/elapsed-time';

/** A message whose one request may begin. */
export interface ClaimedMessage extends DueMessage, Omit<Claimed, 'id'> {
  token: string;
  /** Since before the statement that claimed it. */
  claimed: ElapsedTime;
}

/** What a run does with the messages of its queue. */
export interface SendQueueWork {
  /** How many the number may send in a second. */
  readonly perSecond: number;
  /**
   * @param from leaves out what was due before; null: nothing is left out
   */
  lookAhead(most: number, from: string | null): Promise<DueMessage[]>;
  /** Those of them that are still due. */
  claim(ids: readonly string[], token: string): Promise<Claimed[]>;
  /** For claimed messages that were not begun. Never throws. */
  putBack(ids: readonly string[], token: string): Promise<void>;
  /** For messages that wait for their recipients. Never throws. */
  postpone(messages: readonly Postponed[]): Promise<void>;
  /** Whether a request that begins now would get a slot. */
  hasSlot(): boolean;
  /** Milliseconds until this recipient may be sent to. */
  waitMs(recipient: string): number;
  /** The same; 0 takes the time. */
  takeTime(recipient: string): number;
  /**
   * Milliseconds for which this recipient must wait after that many other messages to it, ignoring the number's pace.
   */
  recipientWaitMs(recipient: string, before: number): number;
  /**
   * Makes the request. Resolves when the provider has answered.
   * @param onWritten is called when its first byte leaves
   */
  begin(message: ClaimedMessage, onWritten: () => void): Promise<void>;
}

/** Messages that one statement claimed. */
export interface ClaimedGroup {
  messages: readonly ClaimedMessage[];
  token: string;
  claimed: ElapsedTime;
}

/** Messages that are claimed and not begun. */
export class ClaimedGroups {
  private groups: ClaimedGroup[] = [];

  /** How many messages. */
  get size(): number {
    return this.groups.reduce((sum, { messages }) => sum + messages.length, 0);
  }

  add(group: ClaimedGroup): void {
    if (group.messages.length > 0) this.groups.push(group);
  }

  /** Takes messages that begin now, in the order of the claims. */
  begin(isBegun: (message: ClaimedMessage) => boolean): void {
    this.groups = this.groups
      .map((group) => ({ ...group, messages: group.messages.filter((message) => !isBegun(message)) }))
      .filter(({ messages }) => messages.length > 0);
  }

  /** Takes out the groups that were claimed that many milliseconds ago. */
  takeOlderThan(milliseconds: number): ClaimedGroup[] {
    const isOld = ({ claimed }: ClaimedGroup): boolean => claimed.milliseconds > milliseconds;
    const old = this.groups.filter(isOld);
    if (old.length > 0) this.groups = this.groups.filter((group) => !old.includes(group));
    return old;
  }

  takeAll(): ClaimedGroup[] {
    return this.groups.splice(0);
  }
}

/** How late an entry with an earlier time may be found. */
const FROM_THE_BEGINNING_MS = 500;

/**
 * Where the next read of the queue begins: after the last entry found, and from time to time at the beginning. A list
 * becomes visible when it is committed, and its times are from before that.
 */
export class QueueCursor {
  private upTo: string | null = null;
  private beganAt = -Infinity;

  /**
   * @returns the time at which to begin; null for the beginning
   */
  position(): string | null {
    const now = performance.now();
    if (this.upTo !== null && now - this.beganAt < FROM_THE_BEGINNING_MS) return this.upTo;
    this.beganAt = now;
    return null;
  }

  /** There may be more entries after these. */
  moveBehind(messages: readonly DueMessage[]): void {
    this.upTo = messages.at(-1)?.due_at ?? null;
  }

  /** The next read begins at the beginning. */
  reset(): void {
    this.upTo = null;
  }
}

/**
 * Counts events within a time window: the count of the last whole window, or of the present one if that is higher.
 */
export class RecentCount {
  private beganAt = performance.now();
  private last = 0;
  private current = 0;

  constructor(private readonly windowMs: number) {}

  add(): void {
    this.moveOn();
    this.current += 1;
  }

  get value(): number {
    this.moveOn();
    return Math.max(this.last, this.current);
  }

  private moveOn(): void {
    const windows = Math.floor((performance.now() - this.beganAt) / this.windowMs);
    if (windows === 0) return;
    this.last = windows === 1 ? this.current : 0;
    this.current = 0;
    this.beganAt += windows * this.windowMs;
  }
}
