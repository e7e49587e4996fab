import { CodedError } from '@app/contracts/coded.error';

const WAITING_MAX = 2_000;
const WAIT_MS_MAX = 15_000;

/** Too many statements of one account wait on this process. */
export class CrowdedError extends CodedError {
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

interface Crowd {
  inside: number;
  waiting: Set<Waiting>;
}

/**
 * Lets so many pieces of work go on at once, and of one owner only as many as are left to all others: half of the
 * places to the first crowd, half of the rest to the second, and so on, so that whoever comes next finds one. Further
 * ones wait their turn, not for ever.
 */
export class InFlightLimiter {
  private readonly crowds = new Map<string, Crowd>();
  /** In the order in which they began to wait. */
  private readonly waiting = new Set<Crowd>();
  private taken = 0;

  constructor(private readonly places: number) {}

  /**
   * Works when it is the owner's turn. The place is free again when the work is over, whether anybody still waits for
   * its outcome or not. Work must not ask for another place: all that hold one would wait for one another.
   * @throws CrowdedError when the queue is full or the wait takes too long.
   */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const crowd = this.crowds.get(owner) ?? { inside: 0, waiting: new Set<Waiting>() };
    this.crowds.set(owner, crowd);
    if (crowd.waiting.size === 0 && this.mayEnter(crowd)) this.enter(crowd);
    else await this.wait(owner, crowd);
    try {
      return await work();
    } finally {
      crowd.inside -= 1;
      this.taken -= 1;
      this.letIn();
      this.forget(owner, crowd);
    }
  }

  private mayEnter({ inside }: Crowd): boolean {
    return inside < this.places - this.taken;
  }

  private enter(crowd: Crowd): void {
    crowd.inside += 1;
    this.taken += 1;
  }

  private wait(owner: string, crowd: Crowd): Promise<void> {
    if (crowd.waiting.size >= WAITING_MAX) return Promise.reject(new CrowdedError());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.endWaiting(crowd, waiting);
        this.forget(owner, crowd);
        reject(new CrowdedError());
      }, WAIT_MS_MAX);
      const waiting: Waiting = { go: resolve, timer };
      crowd.waiting.add(waiting);
      this.waiting.add(crowd);
    });
  }

  /** Of the crowds that wait, the one that has least; of these the one that has waited longest. */
  private letIn(): void {
    for (;;) {
      let least: Crowd | null = null;
      for (const crowd of this.waiting) {
        if (this.mayEnter(crowd) && crowd.inside < (least?.inside ?? Infinity)) least = crowd;
      }
      const [next] = least?.waiting ?? [];
      if (!least || !next) return;
      clearTimeout(next.timer);
      this.endWaiting(least, next);
      this.enter(least);
      next.go();
    }
  }

  private endWaiting(crowd: Crowd, waiting: Waiting): void {
    crowd.waiting.delete(waiting);
    if (crowd.waiting.size === 0) this.waiting.delete(crowd);
  }

  private forget(owner: string, crowd: Crowd): void {
    if (crowd.inside === 0 && crowd.waiting.size === 0) this.crowds.delete(owner);
  }
}
