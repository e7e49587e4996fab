import { CodedError } from './coded.errors';

/**
 * Whether somebody may take one more of the slots that several share: at most as many as stay free for all others. The
 * first may take half of them, the second half of what is left, and so on, so a few who have much to do always leave
 * slots for a new one.
 * @param held slots that they hold already
 * @param free slots that nobody holds
 */
export const mayTakeSlot = (held: number, free: number): boolean => held < free;

/** Of one owner. */
const WAITING_MAX = 2_000;

interface WaitingLimits {
  /** Shared by all owners like the slots; by default each may have 2,000. */
  places?: number;
  /** How long work waits at most, in milliseconds. */
  forMs?: number;
}

/** Too much work of one account waits on this process. */
export class TooManyWaitingError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Too many requests of this account are waiting for one another. Repeat the request in a moment.');
  }
}

interface Waiting {
  go: () => void;
  timer: NodeJS.Timeout;
}

interface WaitingGroup {
  inside: number;
  waiting: Set<Waiting>;
}

/**
 * Limits how many pieces of work run at once, in total and for one owner ({@link mayTakeSlot}). Further work waits in
 * line, for a limited time.
 */
export class InFlightLimiter {
  private readonly groups = new Map<string, WaitingGroup>();
  /** In the order in which they began to wait. */
  private readonly waiting = new Set<WaitingGroup>();
  private taken = 0;
  private places: number;
  private readonly waitMsMax: number;

  constructor(
    private readonly slots: number,
    { places = Infinity, forMs = 15_000 }: WaitingLimits = {},
  ) {
    this.places = places;
    this.waitMsMax = forMs;
  }

  /** How much work waits for a slot. */
  get waitingCount(): number {
    let count = 0;
    for (const { waiting } of this.waiting) count += waiting.size;
    return count;
  }

  /**
   * Runs the work when it is first in line. Its slot is free again when the work is over, even when its caller no
   * longer waits. The work must not ask for another slot, because all holders of slots could then wait for one
   * another.
   * @throws TooManyWaitingError when the queue is full or the wait takes too long.
   */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const group = this.groups.get(owner) ?? { inside: 0, waiting: new Set<Waiting>() };
    this.groups.set(owner, group);
    if (group.waiting.size === 0 && this.mayEnter(group)) this.enter(group);
    else await this.wait(owner, group);
    try {
      return await work();
    } finally {
      group.inside -= 1;
      this.taken -= 1;
      this.letIn();
      this.forget(owner, group);
    }
  }

  private mayEnter({ inside }: WaitingGroup): boolean {
    return mayTakeSlot(inside, this.slots - this.taken);
  }

  private enter(group: WaitingGroup): void {
    group.inside += 1;
    this.taken += 1;
  }

  private wait(owner: string, group: WaitingGroup): Promise<void> {
    const { size } = group.waiting;
    if (size >= WAITING_MAX || !mayTakeSlot(size, this.places)) return this.refuse(owner, group);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.endWaiting(group, waiting);
        this.refuse(owner, group).catch(reject);
      }, this.waitMsMax);
      const waiting: Waiting = { go: resolve, timer };
      group.waiting.add(waiting);
      this.waiting.add(group);
      this.places -= 1;
    });
  }

  /** Of the waiting owners, the one with the fewest slots; among equals, the one that has waited longest. */
  private letIn(): void {
    for (;;) {
      let least: WaitingGroup | null = null;
      for (const group of this.waiting) {
        if (this.mayEnter(group) && group.inside < (least?.inside ?? Infinity)) least = group;
      }
      const [next] = least?.waiting ?? [];
      if (!least || !next) return;
      clearTimeout(next.timer);
      this.endWaiting(least, next);
      this.enter(least);
      next.go();
    }
  }

  private endWaiting(group: WaitingGroup, waiting: Waiting): void {
    group.waiting.delete(waiting);
    this.places += 1;
    if (group.waiting.size === 0) this.waiting.delete(group);
  }

  private refuse(owner: string, group: WaitingGroup): Promise<never> {
    this.forget(owner, group);
    return Promise.reject(new TooManyWaitingError());
  }

  private forget(owner: string, group: WaitingGroup): void {
    if (group.inside === 0 && group.waiting.size === 0) this.groups.delete(owner);
  }
}
