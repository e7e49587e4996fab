import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import type { BeatRow, HoldRow, SendingHoldRepository } from '@app/persistence/work/sending-hold.repository';
import { Logger } from '@nestjs/common';
import { SendingHold } from './sending-hold.service';
import { WorkCounts } from './work-counts';
import { WorkLoop } from './work-loop';
import { WORK_TIMES } from './work-times';
import { Worker } from './worker';

const HELD: HoldRow = { held_since: new Date(), backup_at: new Date(), reason: 'database_restored' };
const NOT_HELD = { held_since: null, backup_at: null, reason: null };
const AWAY = new Error('the database is away');

const beatOf = (row: HoldRow | null, went_back = false): BeatRow => ({
  ...{ server: '1', written: 1, went_back, has_held: false },
  ...(row ?? NOT_HELD),
});

/** Does what it finds on the outside. */
class Probe extends Worker {
  readonly name = 'replies';
  readonly actsOutside = true;
  readonly concurrency = 1;
  readonly sweepEveryMs = 10;
  readonly finds = null;
  readonly done: string[] = [];
  isAway = false;

  async findDue() {
    if (this.isAway) throw AWAY;
    return [{ accountId: null, id: 'found' }];
  }

  async backlog() {
    return undefined;
  }

  async run({ id }: { id: string }): Promise<void> {
    this.done.push(id);
  }
}

describe('a process that was left running while its database was lost', () => {
  let row: HoldRow | null | Error = null;
  let looks = 0;
  let provenAt = -Infinity;
  let onBeat: (beat: BeatRow) => void;
  const repository = {
    watch: (listener) => (onBeat = listener),
    beat: async () => {
      looks += 1;
      if (row instanceof Error) throw row;
      onBeat(beatOf(row));
    },
    get provenAt() {
      return provenAt;
    },
  } as Partial<SendingHoldRepository> as SendingHoldRepository;
  let hold: SendingHold;
  let probe: Probe;
  let loop: WorkLoop;
  const lines: unknown[] = [];

  beforeEach(async () => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    [row, provenAt] = [null, -Infinity];
    hold = new SendingHold(repository);
    probe = new Probe();
    lines.length = 0;
    const log = (...line: unknown[]): number => lines.push(line.at(-1));
    loop = new WorkLoop(
      probe,
      new WorkCounts(),
      hold,
      { any: async () => true },
      { log, warn: log, error: log },
    );
    await hold.onModuleInit();
    hold.onApplicationBootstrap();
    loop.start();
    await jest.advanceTimersByTimeAsync(50);
    expect(probe.done).not.toEqual([]);
  });

  afterEach(async () => {
    loop.end();
    hold.onModuleDestroy();
    await loop.over();
    await hold.beforeApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const looked = () => jest.advanceTimersByTimeAsync(WORK_TIMES.sweepMs + 10);

  it('begins nothing until it knows that nothing is held', async () => {
    row = AWAY;
    await looked();
    probe.done.length = 0;
    // It reaches the database by the next statement, and does not know of the hold yet.
    loop.take({ accountId: null, id: 'told' }, true);
    await jest.advanceTimersByTimeAsync(50);
    expect(probe.done).toEqual([]);
    row = HELD;
    await looked();
    expect([probe.done, hold.isHeld]).toEqual([[], true]);
    row = null;
    await looked();
    expect(probe.done).toContain('found');
  });

  it('starts as soon as the database can be read', async () => {
    row = new DatabaseUnavailableError(AWAY);
    const started = new SendingHold(repository);
    const start = started.onModuleInit();
    await looked();
    expect(started.mayBeHeld).toBe(true);
    row = HELD;
    await looked();
    await start;
    expect(started.isHeld).toBe(true);
  });

  it('does not start by what no wait mends', async () => {
    row = AWAY;
    await expect(new SendingHold(repository).onModuleInit()).rejects.toBe(AWAY);
  });

  it('begins nothing for two seconds after the server changed, in which others may find that it lacks something', async () => {
    provenAt = performance.now();
    probe.done.length = 0;
    await looked();
    expect([probe.done, hold.isHeld]).toEqual([[], false]);
    await looked();
    expect(probe.done).toContain('found');
  });

  it('counts once that the database went back, by whomever it was noticed, and says why it holds', async () => {
    const back = { ...HELD, reason: 'database_went_back' };
    onBeat(beatOf(back, true));
    expect([hold.wentBack, hold.reason, hold.mayBeHeld]).toEqual([1, 'database_went_back', true]);
    row = back;
    await looked();
    expect(hold.wentBack).toBe(1);
    row = { ...back, held_since: new Date(HELD.held_since.getTime() + 1) };
    await looked();
    expect(hold.wentBack).toBe(2);
    // One that starts meanwhile has noticed nothing.
    const started = new SendingHold(repository);
    await started.onModuleInit();
    expect([started.wentBack, started.reason]).toEqual([0, 'database_went_back']);
    row = null;
    await started.onModuleInit();
    expect([started.wentBack, started.reason]).toEqual([0, null]);
  });

  it('is held at once where it noticed what its statement does not show yet', () => {
    onBeat(beatOf(null, true));
    expect([hold.isHeld, hold.reason]).toEqual([true, 'database_went_back']);
  });

  it('answers whether the database can be written by a look of the last second, one at most', async () => {
    await looked();
    const before = looks;
    await Promise.all([hold.requireWritable(), hold.requireWritable()]);
    expect(looks).toBe(before);
    row = AWAY;
    await looked();
    await expect(hold.requireWritable()).rejects.toBe(AWAY);
  });

  it('says that its sweep succeeds when it does, and not before', async () => {
    [row, probe.isAway] = [AWAY, true];
    await looked();
    await looked();
    expect(lines).toEqual(['The sweep of replies failed; it goes on trying.']);
    [row, probe.isAway] = [null, false];
    await looked();
    expect(lines.slice(1)).toEqual(['The sweep of replies succeeds again.']);
  });

  it('refuses a call by what the database says, not by what was read before', async () => {
    row = AWAY;
    await looked();
    await expect(hold.refuse()).rejects.toBe(AWAY);
    row = HELD;
    await expect(hold.refuse()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 60 });
    row = null;
    await looked();
    const before = looks;
    await hold.refuse();
    expect(looks).toBe(before);
  });
});
