import fc from 'fast-check';
import { EventGaps, GAPS_MAX } from './event-gaps-tracker';

describe('EventGaps', () => {
  it('has nothing open where no number is missing', () => {
    const gaps = new EventGaps(5);
    gaps.see({ xmin: 10n, seqs: [6, 7] });
    expect([gaps.newest, gaps.mark, gaps.open, gaps.needBound]).toEqual([7, 7, [], false]);
  });

  it('keeps a missing number open until it is seen', () => {
    const gaps = new EventGaps(5);
    gaps.see({ xmin: 10n, seqs: [8] });
    expect([gaps.newest, gaps.mark, gaps.open]).toEqual([8, 5, [6, 7]]);
    gaps.see({ xmin: 10n, seqs: [6] });
    expect([gaps.newest, gaps.mark, gaps.open]).toEqual([8, 6, [7]]);
    gaps.see({ xmin: 10n, seqs: [7] });
    expect([gaps.newest, gaps.mark, gaps.open]).toEqual([8, 8, []]);
  });

  it('gives up a missing number only when a read finds every transaction below its bound over', () => {
    const gaps = new EventGaps(5, [4]);
    gaps.bind(20n);
    gaps.see({ xmin: 19n, seqs: [] });
    expect([gaps.mark, gaps.open]).toEqual([3, [4]]);
    gaps.see({ xmin: 20n, seqs: [] });
    expect([gaps.mark, gaps.open]).toEqual([5, []]);
  });

  it('never gives up a number that has no bound yet', () => {
    const gaps = new EventGaps(0);
    gaps.see({ xmin: 10n, seqs: [2] });
    gaps.see({ xmin: 1_000n, seqs: [] });
    expect([gaps.open, gaps.needBound]).toEqual([[1], true]);
  });

  it('keeps the bound that a number already has', () => {
    const gaps = new EventGaps(0);
    gaps.see({ xmin: 10n, seqs: [2] });
    gaps.bind(11n);
    gaps.bind(50n);
    gaps.see({ xmin: 11n, seqs: [] });
    expect(gaps.open).toEqual([]);
  });
});

describe('EventGaps over more holes than it holds open', () => {
  it('keeps what was open before, and the last numbers of a very large hole', () => {
    const gaps = new EventGaps(10, [7]);
    const newest = 10 + 2 * GAPS_MAX;
    expect(gaps.see({ xmin: 0n, seqs: [newest - 1, newest] })).toBe(GAPS_MAX - 1);
    expect([gaps.newest, gaps.mark, gaps.open.length]).toEqual([newest, 6, GAPS_MAX]);
    expect([gaps.open[0], gaps.open[1], gaps.open.at(-1)]).toEqual([7, newest - GAPS_MAX, newest - 2]);
  });

  it('counts the gaps of one read together', () => {
    const gaps = new EventGaps(0);
    const step = GAPS_MAX / 2;
    gaps.see({ xmin: 0n, seqs: [step, 2 * step, 3 * step] });
    expect([gaps.open.length, gaps.open[0]]).toEqual([GAPS_MAX - 2, step + 1]);
  });

  it('stays bounded while nothing can be proved dead', () => {
    const gaps = new EventGaps(0);
    for (let look = 1; look <= 5; look++) {
      gaps.see({ xmin: 0n, seqs: [look * GAPS_MAX] });
      gaps.bind(BigInt(look));
    }
    expect([gaps.open.length, gaps.open.at(-1)]).toEqual([2 * GAPS_MAX, 5 * GAPS_MAX - 1]);
  });
});

type Step = { do: 'begin' | 'look' | 'bind' } | { do: 'number' | 'commit' | 'rollback'; which: number };

type Bound = 'asked for afterwards' | 'xmax of the look';

/** A small model of PostgreSQL: transaction ids and event numbers, each given in order, and snapshots. */
class ModelDatabase {
  private nextXid = 100n;
  private nextSeq = 1;
  private highestOver = 99n;
  readonly running: { xid: bigint; seqs: number[] }[] = [];
  readonly committed = new Set<number>();

  begin(): void {
    this.running.push({ xid: this.nextXid++, seqs: [] });
  }

  takeNumber(which: number): void {
    this.running[which % this.running.length]?.seqs.push(this.nextSeq++);
  }

  end(which: number, commit: boolean): void {
    const [over] = this.running.splice(which % Math.max(1, this.running.length), 1);
    if (!over) return;
    if (over.xid > this.highestOver) this.highestOver = over.xid;
    if (commit) for (const seq of over.seqs) this.committed.add(seq);
  }

  get xmin(): bigint {
    return this.running.reduce((lowest, { xid }) => (xid < lowest ? xid : lowest), this.xmax);
  }

  /** One past the highest finished transaction; a running one may be above it. */
  get xmax(): bigint {
    return this.highestOver + 1n;
  }

  /** `pg_current_xact_id()` in a separate statement. */
  ownTransaction(): bigint {
    const xid = this.nextXid++;
    this.highestOver = xid;
    return xid;
  }
}

const LOOK_LIMIT = 3;

/** Does with the tracker what the feed does, against the model. Throws at the first broken promise. */
class ModelFeed {
  readonly gaps = new EventGaps(0);
  readonly delivered: number[] = [];

  constructor(
    private readonly db: ModelDatabase,
    private readonly bound: Bound,
  ) {}

  look(): void {
    const { committed, xmin, xmax } = this.db;
    const above = [...committed].filter((seq) => seq > this.gaps.newest).sort((a, b) => a - b);
    const late = this.gaps.open.filter((seq) => committed.has(seq));
    const seqs = [...late, ...above.slice(0, LOOK_LIMIT)].sort((a, b) => a - b);
    this.gaps.see({ xmin, seqs });
    this.delivered.push(...seqs);
    if (this.bound === 'xmax of the look' && this.gaps.needBound) this.gaps.bind(xmax);
  }

  bind(): void {
    if (this.gaps.needBound) this.gaps.bind(this.db.ownTransaction());
  }

  check(): void {
    if (new Set(this.delivered).size !== this.delivered.length) throw new Error('a number came twice');
    const open = this.db.running.flatMap(({ seqs }) => seqs);
    const undelivered = [...this.db.committed].filter((seq) => !this.delivered.includes(seq));
    for (const seq of [...open, ...undelivered]) {
      if (this.gaps.mark >= seq) throw new Error(`the mark ${this.gaps.mark} passed ${seq}`);
    }
  }
}

const some = (kind: 'number' | 'commit' | 'rollback') =>
  fc.nat({ max: 7 }).map((which): Step => ({ do: kind, which }));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'begin' }) },
  { weight: 5, arbitrary: some('number') },
  { weight: 3, arbitrary: some('commit') },
  { weight: 1, arbitrary: some('rollback') },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'look' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'bind' }) },
);

function run(steps: readonly Step[], bound: Bound): void {
  const db = new ModelDatabase();
  const feed = new ModelFeed(db, bound);
  for (const each of steps) {
    if (each.do === 'begin') db.begin();
    else if (each.do === 'look') feed.look();
    else if (each.do === 'bind') feed.bind();
    else if (each.do === 'number') db.takeNumber(each.which);
    else if ('which' in each) db.end(each.which, each.do === 'commit');
    feed.check();
  }
  while (db.running.length > 0) db.end(0, true);
  for (let look = 0; look <= steps.length; look++) {
    feed.look();
    feed.bind();
    feed.check();
  }
  if (feed.delivered.length !== db.committed.size) throw new Error('a committed number never came');
  if (feed.gaps.open.length > 0) throw new Error('a number that will never come is still awaited');
  if (feed.gaps.mark !== feed.gaps.newest) throw new Error('the mark stays behind');
}

describe('EventGaps, over any order of numbers, commits, rollbacks and reads', () => {
  const holds = (bound: Bound, numRuns: number) =>
    fc.check(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => run(steps, bound)),
      { numRuns, seed: 42 },
    );

  it('misses nothing, gives nothing twice, and the mark never passes a number that may still come', () => {
    const { failed, counterexample, errorInstance } = holds('asked for afterwards', 5_000);
    expect({ failed, counterexample, errorInstance }).toMatchObject({ failed: false });
  });

  it('would pass an open number if the bound were the xmax of the read that found the gap', () => {
    expect(holds('xmax of the look', 5_000).failed).toBe(true);
  });
});
