import { randomUUIDv7 } from 'node:crypto';
import type { DueMessage } from '@app/persistence/messages/batches/send-queue.repository';
import {
  ClaimedGroups,
  type ClaimedGroup,
  QueueCursor,
  RecentCount,
  type ClaimedMessage,
  type SendQueueWork,
} from './send-queue-work';
import { ElapsedTime } from '../dispatch/elapsed-time';

/** Most requests in flight for one number. */
const IN_FLIGHT_MAX = 80;
/**
 * Messages read ahead, so that the number never waits for a read. They are not claimed, so a kill leaves them queued.
 */
const AHEAD = 128;
const AHEAD_LEAST = 48;
/**
 * Most messages claimed and not written. A kill -9 leaves each of them `unknown` without need. It is what a number
 * sends in a fifth of a second, because a claim costs a statement.
 */
const GROUP_MAX = 32;
const GROUPS_A_SECOND = 5;
/** A message is claimed this long before its time. */
const CLAIM_AHEAD_MS = 200;
/** Claims cover the requests that are expected to end within this time, judged by the recent rate. */
const SLOTS_AHEAD_MS = 100;
/**
 * Longest that a claimed message waits for its time, because its deadline runs. A message does not wait longer for
 * its recipient here either.
 */
const WAIT_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 50;
/** Other processes may store more messages while requests are under way. */
const MAY_HAVE_MORE_MS = 1_000;

/**
 * One process's work on one number's queue: as many requests in flight as the number may have, until nothing is due.
 * It reads due messages ahead, claims them in small groups just before they are written, and begins each at its time.
 */
export class SendQueueRun {
  /** Read and not claimed, in the order of the queue. */
  private ready: DueMessage[] = [];
  /** Claimed and not begun. */
  private readonly groups = new ClaimedGroups();
  /** Ids of messages that were read, or are being sent. A read that finds only these found nothing new. */
  private readonly known = new Set<string>();
  private readonly cursor = new QueueCursor();
  private readonly groupMax: number;
  private inFlight = 0;
  /** Begun, and no byte of them has left. */
  private unwritten = 0;
  private readonly answers = new RecentCount(SLOTS_AHEAD_MS);
  private mayHaveMore = true;
  /** A message that is ready may have to wait for its recipient. */
  private mayBeSlow = false;
  private looking: Promise<void> | null = null;
  private claiming: Promise<void> | null = null;
  private goingBack: Promise<unknown> = Promise.resolve();
  private lookedAt = 0;
  private error: Error | null = null;
  private halted = false;
  private signal: () => void = () => undefined;

  constructor(private readonly work: SendQueueWork) {
    this.groupMax = Math.max(1, Math.min(GROUP_MAX, Math.ceil(work.perSecond / GROUPS_A_SECOND)));
  }

  /** There may be more to send. */
  wake(): void {
    this.mayHaveMore = true;
    this.signal();
  }

  /** Begins nothing more. */
  halt(): void {
    this.halted = true;
    this.signal();
  }

  /**
   * Resolves when nothing is due and every request is answered.
   * @throws what a read or a claim failed with.
   */
  async untilEmpty(): Promise<void> {
    try {
      while (!this.halted) {
        const waitMs = this.beginWhatMay();
        if (this.inFlight > 0 && performance.now() - this.lookedAt > MAY_HAVE_MORE_MS)
          this.mayHaveMore = true;
        this.postponeSlow();
        this.claimGroup();
        this.look();
        if (this.isEmpty()) break;
        await this.change(waitMs);
      }
    } finally {
      // Requests continue meanwhile. A late claim is returned with the others.
      await Promise.all([this.looking, this.claiming]);
      this.putBack(this.groups.takeAll());
      await this.goingBack;
      while (this.inFlight > 0) await this.change(LOOK_AGAIN_MS);
    }
    if (this.error) throw this.error;
  }

  private isEmpty(): boolean {
    const isBusy = this.inFlight > 0 || this.looking !== null || this.claiming !== null;
    return !isBusy && this.ready.length === 0 && this.groups.size === 0;
  }

  /** Reads in parallel with sending: no request waits for a read while messages are at hand. */
  private look(): void {
    if (!this.mayHaveMore || this.looking !== null || this.ready.length > AHEAD_LEAST) return;
    this.mayHaveMore = false;
    this.looking = this.beside(this.lookAhead(), () => (this.looking = null));
  }

  private async lookAhead(): Promise<void> {
    this.lookedAt = performance.now();
    const from = this.cursor.position();
    const most = AHEAD - this.ready.length + this.known.size;
    const found = await this.work.lookAhead(most, from);
    const fresh = found.filter(({ id }) => !this.known.has(id));
    const isAll = found.length < most;
    if (isAll || fresh.length === 0) this.cursor.reset();
    else this.cursor.moveBehind(found);
    if (from !== null || !isAll) this.mayHaveMore = true;
    for (const { id } of fresh) this.known.add(id);
    this.ready.push(...fresh);
    this.mayBeSlow = true;
  }

  /**
   * Claims the next messages while the former ones are written, so that no slot waits for a statement. All messages
   * claimed and not written, of all claims together, are one group at most.
   */
  private claimGroup(): void {
    if (this.claiming !== null || this.halted || !this.work.hasSlot()) return;
    const claimed = this.groups.size;
    const unwritten = claimed + this.unwritten;
    // Half a group at a time, because each claim costs a statement.
    if (unwritten > this.groupMax / 2) return;
    const slots = IN_FLIGHT_MAX - this.inFlight + this.answers.value - claimed;
    const group = this.takeReady(Math.min(this.groupMax - unwritten, slots));
    if (group.length > 0) this.claiming = this.beside(this.claim(group), () => (this.claiming = null));
  }

  /** Takes the first messages whose time is near. */
  private takeReady(most: number): DueMessage[] {
    const taken: DueMessage[] = [];
    let looked = 0;
    const waiting: DueMessage[] = [];
    for (; looked < this.ready.length && taken.length < most; looked += 1) {
      const message = this.ready[looked] as DueMessage;
      if (this.work.waitMs(message.recipient) <= CLAIM_AHEAD_MS) taken.push(message);
      else waiting.push(message);
    }
    if (waiting.length > 0) this.mayBeSlow = true;
    this.ready = [...waiting, ...this.ready.slice(looked)];
    return taken;
  }

  private async claim(group: readonly DueMessage[]): Promise<void> {
    const token = randomUUIDv7();
    // Before the statement: the deadlines begin within it, however late its answer is seen here.
    const claimed = new ElapsedTime();
    const ids = group.map(({ id }) => id);
    const found = new Map((await this.work.claim(ids, token)).map((each) => [each.id, each]));
    for (const id of ids) if (!found.has(id)) this.known.delete(id);
    if (found.size < ids.length) this.lookAnew();
    // Another process has the queue by now, it is paused or held, or the whole group was settled. The holder of the
    // queue starts again.
    if (found.size === 0) this.halt();
    const messages = group.flatMap((message) => {
      const by = found.get(message.id);
      return by ? [{ ...message, ...by, token, claimed }] : [];
    });
    this.groups.add({ messages, token, claimed });
  }

  /**
   * @returns the milliseconds until the next one may begin, where it waits for time
   */
  private beginWhatMay(): number {
    // First: a process that was delayed finds claims here that have expired.
    this.putBack(this.groups.takeOlderThan(WAIT_MS_MAX));
    let soonest = LOOK_AGAIN_MS;
    this.groups.begin((message) => {
      if (this.halted || this.inFlight >= IN_FLIGHT_MAX) return false;
      const waitMs = this.work.takeTime(message.recipient);
      if (waitMs === 0) this.begin(message);
      else soonest = Math.min(soonest, waitMs);
      return waitMs === 0;
    });
    const [next] = this.ready;
    const claimInMs = next ? this.work.waitMs(next.recipient) - CLAIM_AHEAD_MS : 0;
    return claimInMs > 0 ? Math.min(soonest, claimInMs) : soonest;
  }

  private begin(message: ClaimedMessage): void {
    this.inFlight += 1;
    this.unwritten += 1;
    let isWritten = false;
    const onWritten = (): void => {
      if (isWritten) return;
      isWritten = true;
      this.unwritten -= 1;
      this.signal();
    };
    void this.work.begin(message, onWritten).finally(() => {
      onWritten();
      this.known.delete(message.id);
      this.inFlight -= 1;
      this.answers.add();
      this.signal();
    });
  }

  /** No byte of these has left. */
  private putBack(groups: readonly ClaimedGroup[]): void {
    if (groups.length === 0) return;
    const going = groups.map(async ({ messages, token }) => {
      const ids = messages.map(({ id }) => id);
      await this.work.putBack(ids, token);
      this.isBack(ids);
    });
    this.goingBack = Promise.all([this.goingBack, ...going]).then(() => undefined);
  }

  /**
   * A message whose recipient must wait longer than a message may wait here would keep others out. It is postponed
   * until its recipient may be sent to; several to one recipient follow one another.
   */
  private postponeSlow(): void {
    if (!this.mayBeSlow) return;
    this.mayBeSlow = false;
    const slow = this.ready.filter(({ recipient }) => this.work.recipientWaitMs(recipient, 0) > WAIT_MS_MAX);
    if (slow.length === 0) return;
    const before = new Map<string, number>();
    const postponed = slow.map(({ id, recipient }) => {
      const others = before.get(recipient) ?? 0;
      before.set(recipient, others + 1);
      return { id, waitMs: this.work.recipientWaitMs(recipient, others) };
    });
    const gone = new Set(slow);
    this.ready = this.ready.filter((message) => !gone.has(message));
    const going = this.work.postpone(postponed).then(() => this.isBack(slow.map(({ id }) => id)));
    this.goingBack = Promise.all([this.goingBack, going]).then(() => undefined);
  }

  private isBack(ids: readonly string[]): void {
    for (const id of ids) this.known.delete(id);
    this.lookAnew();
    this.signal();
  }

  private lookAnew(): void {
    this.mayHaveMore = true;
    this.cursor.reset();
  }

  /** A failure ends the run. */
  private beside(act: Promise<void>, over: () => void): Promise<void> {
    return act
      .catch((error: Error) => {
        this.error = error;
        this.halted = true;
      })
      .finally(() => {
        over();
        this.signal();
      });
  }

  private change(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMostMs);
      this.signal = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
