import { CodedError } from '@app/contracts/coded.error';

const WAITING_MAX = 2_000;
const WAIT_MS_MAX = 15_000;

/** Too many statements of one account are under way on this process. */
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

/** Lets so many pieces of one owner's work go on at once; further ones wait their turn, not for ever. */
export class InFlightLimiter {
  private readonly crowds = new Map<string, Crowd>();

  constructor(private readonly atOnceMax: number) {}

  /**
   * Works when it is the owner's turn. The place is free again when the work is over, whether anybody still waits for
   * its outcome or not. Work must not ask for another place: all that hold one would wait for one another.
   * @throws CrowdedError when the queue is full or the wait takes too long.
   */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const crowd = this.crowds.get(owner) ?? { inside: 0, waiting: new Set<Waiting>() };
    this.crowds.set(owner, crowd);
    if (crowd.inside < this.atOnceMax) crowd.inside += 1;
    else await this.wait(crowd);
    try {
      return await work();
    } finally {
      this.leave(owner, crowd);
    }
  }

  private wait(crowd: Crowd): Promise<void> {
    if (crowd.waiting.size >= WAITING_MAX) return Promise.reject(new CrowdedError());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        crowd.waiting.delete(waiting);
        reject(new CrowdedError());
      }, WAIT_MS_MAX);
      const waiting: Waiting = { go: resolve, timer };
      crowd.waiting.add(waiting);
    });
  }

  /** Hands the place to who has waited longest. */
  private leave(owner: string, crowd: Crowd): void {
    const [next] = crowd.waiting;
    if (next) {
      crowd.waiting.delete(next);
      clearTimeout(next.timer);
      next.go();
      return;
    }
    crowd.inside -= 1;
    if (crowd.inside === 0) this.crowds.delete(owner);
  }
}
