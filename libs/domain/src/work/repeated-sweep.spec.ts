import { AsyncLocalStorage } from 'node:async_hooks';
import { RepeatedSweep } from './repeated-sweep';

const EVERY_MS = 5;

describe('a repeated sweep', () => {
  const said: string[] = [];
  const logger = {
    log: (line: unknown) => said.push(`log: ${String(line)}`),
    warn: (_: unknown, line: unknown) => said.push(`warn: ${String(line)}`),
  };
  let sweep: RepeatedSweep;
  const start = (act: () => Promise<void>): void => {
    said.length = 0;
    sweep = new RepeatedSweep('probe', EVERY_MS, act, logger);
    sweep.start();
  };

  beforeEach(() => jest.useFakeTimers());

  afterEach(async () => {
    sweep.end();
    await sweep.over();
    jest.useRealTimers();
  });

  it('begins at once, and never again before the last one is over', async () => {
    let begun = 0;
    let end = (): void => undefined;
    start(() => {
      begun += 1;
      return new Promise((resolve) => (end = resolve));
    });
    expect(begun).toBe(1);
    await jest.advanceTimersByTimeAsync(EVERY_MS * 4);
    expect(begun).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(begun).toBe(2);
    end();
  });

  it('comes together with others of its interval, and pauses for half of it at least', async () => {
    const other: number[] = [];
    const mine: number[] = [];
    start(async () => void mine.push(performance.now()));
    await jest.advanceTimersByTimeAsync(2);
    const second = new RepeatedSweep(
      'other',
      EVERY_MS,
      async () => void other.push(performance.now()),
      logger,
    );
    second.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS * 4);
    second.end();
    expect(mine.slice(-3)).toEqual(other.slice(-3));
    expect(Math.min(...mine.map((at, n) => (mine[n + 1] ?? Infinity) - at))).toBeGreaterThanOrEqual(
      EVERY_MS / 2,
    );
  });

  it('tells once of an outage, and once of its end', async () => {
    let times = 0;
    start(async () => {
      times += 1;
      if (times <= 3) throw new Error('away');
    });
    await jest.advanceTimersByTimeAsync(EVERY_MS * 6);
    expect(times).toBeGreaterThan(5);
    expect(said).toEqual([
      'warn: The sweep of probe failed; it goes on trying.',
      'log: The sweep of probe succeeds again.',
    ]);
  });

  it('belongs to no call, also where a call has it begin now', async () => {
    const call = new AsyncLocalStorage<string>();
    const calls: (string | undefined)[] = [];
    let end = (): void => undefined;
    start(() => {
      calls.push(call.getStore());
      return new Promise((resolve) => (end = resolve));
    });
    call.run('while one is under way', () => sweep.hurry());
    end();
    await jest.advanceTimersByTimeAsync(0);
    end();
    await jest.advanceTimersByTimeAsync(0);
    call.run('between two', () => sweep.hurry());
    end();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    end();
    expect(calls).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('ends for good, also when one is under way', async () => {
    let begun = 0;
    let end = (): void => undefined;
    start(() => {
      begun += 1;
      return new Promise((resolve) => (end = resolve));
    });
    sweep.end();
    end();
    await sweep.over();
    await jest.advanceTimersByTimeAsync(EVERY_MS * 4);
    expect(begun).toBe(1);
  });
});
