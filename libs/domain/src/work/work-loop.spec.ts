import { Worker, type WorkItem } from './worker';
import { WorkCounts } from './work-counts';
import { WorkLoop } from './work-loop';

const SWEEP_MS = 1_000;

/** Work that goes on until the test ends it. Each item is done once. */
class Probe extends Worker {
  readonly name = 'media';
  readonly actsOutside = false;
  readonly concurrency = 4;
  readonly sweepEveryMs = SWEEP_MS;
  readonly finds = ['media'] as const;
  kept = 0;
  override readonly maintenance = [{ of: ['parked'] as const, act: async () => void (this.kept += 1) }];
  readonly due: WorkItem[] = [];
  readonly begun: string[] = [];
  readonly stopping: AbortSignal[] = [];
  private readonly held = new Map<string, PromiseWithResolvers<void>>();

  async findDue() {
    return this.due.splice(0);
  }

  async backlog() {
    return undefined;
  }

  async run({ id }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (this.held.has(id)) return;
    this.begun.push(id);
    this.stopping.push(stopping);
    const held = Promise.withResolvers<void>();
    this.held.set(id, held);
    await held.promise;
  }

  async end(...ids: string[]): Promise<void> {
    for (const id of ids) this.held.get(id)?.resolve();
    await jest.advanceTimersByTimeAsync(0);
  }

  async fail(id: string): Promise<void> {
    this.held.get(id)?.reject(new Error('this work cannot be done'));
    await jest.advanceTimersByTimeAsync(0);
  }
}

const item = (id: string, accountId: string | null = null): WorkItem => ({ accountId, id });
const items = (count: number, name: string, accountId: string | null = null): WorkItem[] =>
  Array.from({ length: count }, (_, n) => item(`${name}${n}`, accountId));

let probe: Probe;
let counts: WorkCounts;
let loop: WorkLoop;
const lines: unknown[] = [];
/** Kinds of which there are rows. */
let waiting: string[];

beforeEach(async () => {
  jest.useFakeTimers();
  [probe, counts, lines.length] = [new Probe(), new WorkCounts(), 0];
  const log = (...line: unknown[]): number => lines.push(line.at(-1));
  waiting = ['media', 'parked'];
  const rows = { any: async (kinds: readonly string[]) => kinds.some((kind) => waiting.includes(kind)) };
  loop = new WorkLoop(probe, counts, { isHeld: false, mayBeHeld: false }, rows, {
    log,
    warn: log,
    error: log,
  });
  loop.start();
  await jest.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  loop.end();
  jest.useRealTimers();
});

const take = async (...given: WorkItem[]): Promise<boolean[]> => {
  const taken = given.map((each) => loop.take(each, true));
  await jest.advanceTimersByTimeAsync(0);
  return taken;
};

const swept = (): Promise<void> => jest.advanceTimersByTimeAsync(SWEEP_MS);

it('begins what it is notified of at once, and what nobody told it of by its sweep', async () => {
  await take(item('told'));
  expect(probe.begun).toEqual(['told']);
  probe.due.push(item('untold'));
  await swept();
  expect(probe.begun).toEqual(['told', 'untold']);
});

it('neither sweeps nor does what else it does where there are no rows for it', async () => {
  const before = probe.kept;
  waiting = ['parked'];
  probe.due.push(item('none'));
  await swept();
  expect([probe.begun, probe.kept]).toEqual([[], before + 1]);
  waiting = ['media'];
  await swept();
  expect([probe.begun, probe.kept]).toEqual([['none'], before + 1]);
});

it('sweeps at once where notifications may have been missed', async () => {
  probe.due.push(item('missed'));
  loop.look();
  await jest.advanceTimersByTimeAsync(0);
  expect(probe.begun).toEqual(['missed']);
});

it('begins no more at once than it may, the next one when one is over, and says that others may take it', async () => {
  expect(await take(...items(6, 'n'))).toEqual([true, true, true, true, false, false]);
  expect(probe.begun).toEqual(['n0', 'n1', 'n2', 'n3']);
  await probe.end('n2');
  expect(probe.begun).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  await probe.end('n0', 'n1', 'n3', 'n4', 'n5');
  expect(probe.begun).toHaveLength(6);
});

it('serves accounts by turns, and leaves slots for others where all that an account has due hangs', async () => {
  probe.due.push(...items(40, 'busy', 'a'), ...items(3, 'calm', 'b'));
  await swept();
  expect(probe.begun).toEqual(['busy0', 'calm0', 'busy1']);
  await take(item('late', 'c'));
  expect(probe.begun.at(-1)).toBe('late');
  await probe.end('calm0');
  expect(probe.begun.at(-1)).toBe('calm1');
});

it('work that fails is over, counted and told, and the next item begins', async () => {
  await take(...items(5, 'n'));
  await probe.fail('n1');
  expect(probe.begun.at(-1)).toBe('n4');
  expect(counts.of('media')).toEqual({ done: 0, failed: 1, inFlight: 4 });
  expect(lines).toEqual(['Due work failed; the next sweep finds what is left.']);
  await probe.end('n0');
  expect(counts.of('media')).toEqual({ done: 1, failed: 1, inFlight: 3 });
});

it('that is stopped finishes what it has begun, tells it to end, and begins nothing more', async () => {
  await take(item('last'));
  probe.due.push(item('due'));
  loop.end();
  await take(item('told'));
  await swept();
  expect([probe.begun, probe.stopping[0]?.aborted]).toEqual([['last'], true]);
  let isOver = false;
  const over = loop.over().then(() => (isOver = true));
  await jest.advanceTimersByTimeAsync(0);
  expect(isOver).toBe(false);
  await probe.end('last');
  await over;
  expect(probe.begun).toEqual(['last']);
});

it('takes an item at its time, and none after the stop', async () => {
  loop.takeIn(item('timed'), 500);
  await jest.advanceTimersByTimeAsync(499);
  expect(probe.begun).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(probe.begun).toEqual(['timed']);
  loop.takeIn(item('late'), 100);
  loop.end();
  await jest.advanceTimersByTimeAsync(200);
  expect(probe.begun).toEqual(['timed']);
});
