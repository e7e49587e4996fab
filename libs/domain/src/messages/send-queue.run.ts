import { randomUUIDv7 } from 'node:crypto';
import type { Claimed, DueMessage, Postponed } from '@app/persistence/messages/send-queue.repository';
import { QueueCursor } from './queue.cursor';

/** In flight at once by one number (contract 2). */
const IN_FLIGHT_MAX = 80;
/** Read ahead, so that the number never waits for a look. Nothing of it is claimed, so that a kill leaves it queued. */
const AHEAD = 128;
const AHEAD_LEAST = 48;
/**
 * Claimed and not written at most: a kill -9 leaves no more than these unknown without need. What a number sends in a fifth of
 * a second, for a claim costs a statement.
 */
const GROUP_MAX = 32;
const GROUPS_A_SECOND = 5;
/** A message is claimed when its time to go is so near. */
const CLAIM_AHEAD_MS = 200;
/** Longest that a claimed message waits for its time: its deadline runs. Nor does one wait longer for its recipient here. */
const WAIT_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 50;
/** While requests are under way, others may have stored more. */
const MAY_HAVE_MORE_MS = 1_000;

/** A message whose one request may begin. */
export interface ClaimedMessage extends DueMessage, Omit<Claimed, 'id'> {
  token: string;
}

/** What a run does with the messages of its queue. */
export interface SendQueueWork {
  /** How many the number may send in a second. */
  readonly perSecond: number;
  /** @param from what was due before is left out; null: nothing is */
  lookAhead(most: number, from: string | null): Promise<DueMessage[]>;
  /** Those of them that are still due. */
  claim(ids: readonly string[], token: string): Promise<Claimed[]>;
  /** Of claimed messages that were not begun. Never throws. */
  putBack(ids: readonly string[], token: string): Promise<void>;
  /** Of messages that wait for their recipients. Never throws. */
  postpone(messages: readonly Postponed[]): Promise<void>;
  /** Whether a request that begins now would have a slot among those under way. */
  hasSlot(): boolean;
  /** Milliseconds until this recipient may be sent to. */
  waitMs(recipient: string): number;
  /** The same; 0 takes the time. */
  takeTime(recipient: string): number;
  /** Milliseconds for which this recipient has to wait after that many other messages to it, the number aside. */
  recipientWaitMs(recipient: string, before: number): number;
  /**
   * Makes the request: resolves when the provider has answered.
   * @param onWritten is told when its first byte leaves.
   */
  begin(message: ClaimedMessage, onWritten: () => void): Promise<void>;
}

interface Group {
  messages: ClaimedMessage[];
  claimedAt: number;
}

/**
 * One process's work on one number's queue: as many requests in flight as the number may have, until nothing is due. It
 * reads ahead what is due, claims it in small groups just before it is written, and begins each at its time.
 */
export class SendQueueRun {
  /** Read and not claimed, in the order of the queue. */
  private ready: DueMessage[] = [];
  /** Claimed and not begun. */
  private groups: Group[] = [];
  /** Ids of what is read, or on its way: a look that finds them again found nothing new. */
  private readonly known = new Set<string>();
  private readonly cursor = new QueueCursor();
  private readonly groupMax: number;
  private inFlight = 0;
  /** Begun, and no byte of them left. */
  private unwritten = 0;
  private mayHaveMore = true;
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

  /** Begins nothing any more. */
  halt(): void {
    this.halted = true;
    this.signal();
  }

  /**
   * Resolves when nothing is due and every request is answered.
   * @throws what a look or a claim failed with.
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
      // Requests go on meanwhile; what is claimed late goes back with the others.
      await Promise.all([this.looking, this.claiming]);
      this.putBack(this.groups.splice(0));
      await this.goingBack;
      while (this.inFlight > 0) await this.change(LOOK_AGAIN_MS);
    }
    if (this.error) throw this.error;
  }

  private isEmpty(): boolean {
    const isBusy = this.inFlight > 0 || this.looking !== null || this.claiming !== null;
    return !isBusy && this.ready.length === 0 && this.groups.length === 0;
  }

  /** Reads beside the sending: no request waits for it while messages are already read. */
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
  }

  /** As many as make one group together with those that are claimed, or begun and not written. */
  private claimGroup(): void {
    if (this.claiming !== null || this.halted || !this.work.hasSlot()) return;
    const claimed = this.groups.reduce((sum, { messages }) => sum + messages.length, 0);
    const unwritten = claimed + this.unwritten;
    // A group at a time, but for the last ones: single claims would cost a statement each.
    if (unwritten > this.groupMax / 2) return;
    const room = Math.min(this.groupMax - unwritten, IN_FLIGHT_MAX - this.inFlight - claimed);
    const group = this.ready
      .filter(({ recipient }) => this.work.waitMs(recipient) <= CLAIM_AHEAD_MS)
      .slice(0, Math.max(0, room));
    if (group.length === 0) return;
    const taken = new Set(group);
    this.ready = this.ready.filter((message) => !taken.has(message));
    this.claiming = this.beside(this.claim(group), () => (this.claiming = null));
  }

  private async claim(group: readonly DueMessage[]): Promise<void> {
    const token = randomUUIDv7();
    // Before the statement: the deadlines run from within it, however late its answer is seen here.
    const claimedAt = performance.now();
    const ids = group.map(({ id }) => id);
    const claimed = new Map((await this.work.claim(ids, token)).map((each) => [each.id, each]));
    for (const id of ids) if (!claimed.has(id)) this.known.delete(id);
    if (claimed.size < ids.length) this.lookAnew();
    // Another process has the queue by now, or it is paused, or all of the group was settled: the holder of the queue
    // begins anew.
    if (claimed.size === 0) this.halt();
    const messages = group.flatMap((message) => {
      const by = claimed.get(message.id);
      return by ? [{ ...message, ...by, token }] : [];
    });
    if (messages.length > 0) this.groups.push({ messages, claimedAt });
  }

  /** @returns the milliseconds until the next one may begin, where it is time that it waits for. */
  private beginWhatMay(): number {
    // First, for a process that was held up finds claims here that are nobody's by now.
    this.giveUpOld();
    let soonest = LOOK_AGAIN_MS;
    for (const group of this.groups) {
      group.messages = group.messages.filter((message) => {
        if (this.halted || this.inFlight >= IN_FLIGHT_MAX) return true;
        const waitMs = this.work.takeTime(message.recipient);
        if (waitMs === 0) this.begin(message);
        else soonest = Math.min(soonest, waitMs);
        return waitMs > 0;
      });
    }
    this.groups = this.groups.filter(({ messages }) => messages.length > 0);
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
      this.signal();
    });
  }

  /** What would wait into its deadline goes back: no byte of it has left. */
  private giveUpOld(): void {
    const old = performance.now() - WAIT_MS_MAX;
    const [given, kept] = [true, false].map((isOld) =>
      this.groups.filter(({ claimedAt }) => claimedAt < old === isOld),
    ) as [Group[], Group[]];
    this.groups = kept;
    this.putBack(given);
  }

  private putBack(groups: readonly Group[]): void {
    if (groups.length === 0) return;
    const going = groups.map(async ({ messages }) => {
      const ids = messages.map(({ id }) => id);
      await this.work.putBack(ids, messages[0]?.token ?? '');
      this.isBack(ids);
    });
    this.goingBack = Promise.all([this.goingBack, ...going]).then(() => undefined);
  }

  /**
   * A message whose recipient must wait longer than anything may wait here would only keep others out. Each is due
   * again when its recipient may be sent to; several to one recipient, one after the other.
   */
  private postponeSlow(): void {
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

  /** What fails ends the run. */
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
