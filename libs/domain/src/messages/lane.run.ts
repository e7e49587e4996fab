import { randomUUIDv7 } from 'node:crypto';
import type { ClaimedMessage, PutBack } from '@app/persistence/messages/lane.repository';
import { QueueFront } from './queue.front';

/** In flight at once by one number (contract 2). */
const IN_FLIGHT_MAX = 80;
/**
 * Claimed ahead, so that the number never waits for a claim: one statement then claims many. Small, because whatever
 * a killed process had claimed becomes unknown, begun or not.
 */
const AHEAD = 32;
/** With fewer left, the next are claimed: a claim takes as long as some ten requests at full speed. */
const AHEAD_LEAST = 12;
/** Longest that a claimed message waits for its turn: its deadline runs. */
const AHEAD_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 100;
/** While requests are under way, others may have stored more. */
const MAY_HAVE_MORE_MS = 1_000;

/** What a run does with the messages of its lane. */
export interface LaneWork {
  /** Claimed at once: no more than can go out within a second. */
  readonly atOnceMax: number;
  /** @param from what was due before is left out; null: nothing is */
  claim(most: number, token: string, from: string | null): Promise<ClaimedMessage[]>;
  /** Of messages that were not begun. Never throws. */
  putBack(messages: PutBack[], token: string): Promise<void>;
  /** Milliseconds until this recipient may be sent to; 0 takes the turn. */
  turnInMs(recipient: string): number;
  /** Milliseconds for which the recipient alone has to wait, when so many others go to it first. */
  recipientWaitMs(recipient: string, before: number): number;
  /** Makes the request: resolves when the provider has answered. */
  begin(message: ClaimedMessage, token: string): Promise<void>;
}

interface Ready {
  message: ClaimedMessage;
  token: string;
  claimedAt: number;
}

/** One process's work on one number's queue: as many requests in flight as the number may have, until nothing is due. */
export class LaneRun {
  private readonly ready: Ready[] = [];
  private readonly front = new QueueFront();
  private inFlight = 0;
  private mayHaveMore = true;
  private claiming: Promise<void> | null = null;
  private goingBack: Promise<unknown> = Promise.resolve();
  private claimedAt = 0;
  private fault: Error | null = null;
  private halted = false;
  private signal: () => void = () => undefined;

  constructor(private readonly work: LaneWork) {}

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
   * @throws what a claim failed with.
   */
  async untilEmpty(): Promise<void> {
    try {
      while (!this.halted) {
        const waitMs = this.beginWhatMay();
        if (this.inFlight > 0 && performance.now() - this.claimedAt > MAY_HAVE_MORE_MS)
          this.mayHaveMore = true;
        this.claimMore();
        if (this.inFlight === 0 && this.ready.length === 0 && this.claiming === null) break;
        await this.change(waitMs);
      }
    } finally {
      // Requests go on meanwhile; what is claimed late goes back with the rest.
      await this.claiming;
      this.putBack(this.ready.splice(0));
      await this.goingBack;
      while (this.inFlight > 0) await this.change(LOOK_AGAIN_MS);
    }
    if (this.fault) throw this.fault;
  }

  /** Claims beside what goes out: no request waits for it while others are claimed already. */
  private claimMore(): void {
    if (!this.mayHaveMore || this.claiming !== null || this.ready.length > AHEAD_LEAST) return;
    this.mayHaveMore = false;
    this.claiming = this.claim()
      .catch((error: Error) => {
        this.fault = error;
        this.halted = true;
      })
      .finally(() => {
        this.claiming = null;
        this.signal();
      });
  }

  private async claim(): Promise<void> {
    const room = AHEAD - this.ready.length + IN_FLIGHT_MAX - this.inFlight;
    const wanted = Math.min(room, this.work.atOnceMax);
    const token = randomUUIDv7();
    // Before the statement: the deadlines run from within it, however late its answer is seen here.
    const claimedAt = performance.now();
    const from = this.front.place();
    const claimed = await this.work.claim(wanted, token, from);
    if (claimed.length === wanted) this.front.claimed(claimed);
    else this.front.reset();
    if (claimed.length === wanted || from !== null) this.mayHaveMore = true;
    this.claimedAt = claimedAt;
    this.ready.push(...claimed.map((message) => ({ message, token, claimedAt })));
  }

  /** @returns the milliseconds until the next one may begin, where it is time that it waits for. */
  private beginWhatMay(): number {
    // First, for a process that was held up finds claims here that are nobody's by now.
    this.giveUpOld();
    let soonest = LOOK_AGAIN_MS;
    let waiting = 0;
    const slow: Ready[] = [];
    while (!this.halted && this.inFlight < IN_FLIGHT_MAX && waiting < this.ready.length) {
      const next = this.ready[waiting] as Ready;
      const turnMs = this.work.turnInMs(next.message.recipient);
      if (turnMs > 0 && !this.isSlow(next, turnMs)) {
        soonest = Math.min(soonest, turnMs);
        waiting += 1;
        continue;
      }
      this.ready.splice(waiting, 1);
      if (turnMs > 0) slow.push(next);
      else this.begin(next);
    }
    this.putBack(slow);
    return soonest;
  }

  /** Whoever waits for its recipient longer than anything may wait here only takes the place of others. */
  private isSlow({ message }: Ready, turnMs: number): boolean {
    return turnMs > AHEAD_MS_MAX && this.work.recipientWaitMs(message.recipient, 0) > AHEAD_MS_MAX;
  }

  private begin({ message, token }: Ready): void {
    this.inFlight += 1;
    void this.work.begin(message, token).finally(() => {
      this.inFlight -= 1;
      this.signal();
    });
  }

  /** What would wait into its deadline goes back: no byte of it has left. */
  private giveUpOld(): void {
    const old = performance.now() - AHEAD_MS_MAX;
    if (this.ready[0] && this.ready[0].claimedAt < old) this.putBack(this.ready.splice(0));
  }

  /** Each is due again when its recipient may be sent to; of several to one recipient, one after the other. */
  private putBack(those: readonly Ready[]): void {
    if (those.length === 0) return;
    const before = new Map<string, number>();
    const back = those.map(({ message: { id, recipient }, token }) => {
      const others = before.get(recipient) ?? 0;
      before.set(recipient, others + 1);
      return { id, token, waitMs: this.work.recipientWaitMs(recipient, others) };
    });
    this.mayHaveMore = true;
    this.front.reset();
    const going = [...Map.groupBy(back, ({ token }) => token)].map(([token, group]) =>
      this.work.putBack(
        group.map(({ id, waitMs }) => ({ id, waitMs })),
        token,
      ),
    );
    this.goingBack = Promise.all([this.goingBack, ...going]);
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
