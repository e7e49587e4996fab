import { TooManyWaitingError, InFlightLimiter } from './in-flight-limiter';

/** Work that runs until the test ends it. */
class Jobs {
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly limiter: InFlightLimiter) {}

  ask(owner: string, count: number): void {
    const work = (): Promise<void> => {
      this.begun.push(owner);
      return new Promise((resolve) => this.ends.push(resolve));
    };
    for (let asked = 0; asked < count; asked++) {
      this.limiter.run(owner, work).catch((error: unknown) => {
        if (error instanceof TooManyWaitingError) this.refused.push(owner);
      });
    }
  }

  inside(owner: string): number {
    return this.begun.filter((name) => name === owner).length;
  }

  async endFirst(): Promise<void> {
    this.ends.shift()?.();
    await new Promise(setImmediate);
  }
}

describe('of sixteen slots', () => {
  let jobs: Jobs;

  beforeEach(() => {
    jobs = new Jobs(new InFlightLimiter(16));
  });

  it('a group alone has half', () => {
    jobs.ask('a', 100);
    expect(jobs.inside('a')).toBe(8);
  });

  it('the next groups have half of what is left each, until the fifth has the last', () => {
    for (const owner of 'abcdef') jobs.ask(owner, 100);
    expect([...'abcdef'].map((owner) => jobs.inside(owner))).toEqual([8, 4, 2, 1, 1, 0]);
  });

  it('one that comes free goes to who has least, and among those to who has waited longest', async () => {
    for (const owner of 'abcdef') jobs.ask(owner, 100);
    jobs.ask('g', 1);
    await jobs.endFirst();
    expect(jobs.begun.slice(16)).toEqual(['f']);
    await jobs.endFirst();
    expect(jobs.begun.slice(16)).toEqual(['f', 'g']);
  });

  it('each is had in line by all of a group, and then they are all free', async () => {
    jobs.ask('a', 100);
    for (let ended = 0; ended < 100; ended++) await jobs.endFirst();
    expect(jobs.inside('a')).toBe(100);
    jobs.ask('b', 100);
    expect(jobs.inside('b')).toBe(8);
  });

  it('none is lost with work that fails', async () => {
    const limiter = new InFlightLimiter(16);
    const failing = Array.from({ length: 50 }, () =>
      limiter.run('a', () => Promise.reject(new Error('failed'))).catch((error: unknown) => error),
    );
    await Promise.all(failing);
    const after = new Jobs(limiter);
    after.ask('b', 100);
    expect(after.inside('b')).toBe(8);
  });

  it('more than 2,000 of one group are refused, and others still wait', async () => {
    jobs.ask('a', 8 + 2_000);
    await new Promise(setImmediate);
    expect(jobs.refused).toEqual([]);
    jobs.ask('a', 1);
    await new Promise(setImmediate);
    expect(jobs.refused).toEqual(['a']);
    jobs.ask('b', 1);
    expect(jobs.inside('b')).toBe(1);
  });
});

it('nothing waits for longer than 15 s, and what gave up waiting takes no slot', async () => {
  jest.useFakeTimers();
  try {
    const limiter = new InFlightLimiter(2);
    const jobs = new Jobs(limiter);
    jobs.ask('a', 2);
    jest.advanceTimersByTime(15_000);
    jest.useRealTimers();
    await new Promise(setImmediate);
    expect(jobs.refused).toEqual(['a']);
    await jobs.endFirst();
    expect(jobs.inside('a')).toBe(1);
    jobs.ask('a', 1);
    expect(jobs.inside('a')).toBe(2);
  } finally {
    jest.useRealTimers();
  }
});
