import { cpus } from 'node:os';
import { ACCOUNTS, KEYS_PER_ACCOUNT, startBenchDatabase } from './bench.database';
import type { BenchSize } from './bench.size';
import { Contestant, KeyRotation, type ContestantName, type Operation } from './contestant';
import { tableOf, type Comparison } from './figures';
import { CLIENTS, LoadDriver, type BoardSlice, type RateSlice } from './load.driver';

interface Plan {
  threadsPerAccount: number;
  rounds: number;
  warmUpCalls: number;
  warmMs: number;
  measureMs: number;
  moves: number;
  manyBoards: number;
}

const FULL: Plan = {
  ...{ threadsPerAccount: 2_000, rounds: 5, warmUpCalls: 15_000, warmMs: 500, measureMs: 5_000 },
  ...{ moves: 100, manyBoards: 200 },
};
const PLANS: Readonly<Record<BenchSize, Plan>> = {
  full: FULL,
  quick: { ...FULL, rounds: 3, warmUpCalls: 6_000, warmMs: 300, measureMs: 1_500, moves: 30 },
  smoke: {
    ...{ threadsPerAccount: 20, rounds: 1, warmUpCalls: 50, warmMs: 50, measureMs: 100 },
    ...{ moves: 5, manyBoards: 10 },
  },
};

type Slices<T> = { service: T[]; other: T[] };

/** The service and another server by turns. */
class Match {
  private constructor(
    private readonly service: Contestant,
    private readonly other: Contestant,
    readonly driver: LoadDriver,
    readonly plan: Plan,
  ) {}

  static async between(contestants: Contestants, other: ContestantName): Promise<Match> {
    const { driver, plan } = contestants;
    return new Match(await contestants.of('service'), await contestants.of(other), driver, plan);
  }

  /** In alternating order. Who is not measured is stopped meanwhile, so that it costs the other nothing. */
  async turns<T>(measure: (of: Contestant) => Promise<T>, rounds = this.plan.rounds): Promise<Slices<T>> {
    const slices: Slices<T> = { service: [], other: [] };
    for (let round = 0; round < rounds; round++) {
      const pair = [this.service, this.other];
      for (const contestant of round % 2 === 0 ? pair : pair.toReversed()) {
        await contestant.server.kill('SIGCONT');
        slices[contestant === this.service ? 'service' : 'other'].push(await measure(contestant));
        await contestant.server.kill('SIGSTOP');
      }
    }
    return slices;
  }

  async rate(operation: Operation, boards: number): Promise<Slices<RateSlice>> {
    const { warmUpCalls, warmMs, measureMs } = this.plan;
    await this.turns((of) => this.driver.warmUp(of, operation, warmUpCalls), 1);
    return this.turns((of) => this.driver.rate(of, { operation, boards, warmMs, measureMs }));
  }
}

/** The contestants on one database. Each is started when it is first needed, and paused while another is measured. */
class Contestants {
  private readonly started = new Map<ContestantName, Contestant>();

  constructor(
    private readonly databaseUrl: string,
    readonly driver: LoadDriver,
    readonly plan: Plan,
  ) {}

  /** A session asks the process that keys ask: both are measured on one. */
  async of(name: ContestantName): Promise<Contestant> {
    if (name === 'session') return (await this.of('service')).bySession();
    const contestant = this.started.get(name) ?? (await Contestant.start(name, this.databaseUrl));
    this.started.set(name, contestant);
    await contestant.server.kill('SIGSTOP');
    return contestant;
  }

  async stop(): Promise<void> {
    for (const { server } of this.started.values()) {
      await server.kill('SIGCONT');
      await server.stop();
    }
  }
}

function compare<T>(
  { service, other }: Slices<T>,
  measure: string,
  unit: string,
  value: (slice: T) => number,
  goal?: Comparison['goal'],
): Comparison {
  return { measure, unit, service: service.map(value), floor: other.map(value), goal };
}

function rateFigures(what: string, slices: Slices<RateSlice>, goal?: Comparison['goal']): Comparison[] {
  return [
    compare(slices, what, '/s', (slice) => slice.perSecond, goal),
    compare(slices, `  p50`, 'ms', (slice) => slice.p50Ms),
    compare(slices, `  p99`, 'ms', (slice) => slice.p99Ms),
    compare(slices, `  server CPU`, 'µs/call', (slice) => slice.serverCpu),
    compare(slices, `  PostgreSQL CPU`, 'µs/call', (slice) => slice.databaseCpu),
    // What both together cost decides the rate on a saturated machine, and stays true when others use it too.
    compare(slices, `  CPU of both`, 'µs/call', (slice) => slice.serverCpu + slice.databaseCpu),
    compare(slices, `  load's share of a core`, '', (slice) => slice.loadShare),
  ];
}

function boardFigures(what: string, slices: Slices<BoardSlice>, most: number): Comparison[] {
  return [
    compare(slices, `request to ${what}, p50`, 'ms', (slice) => slice.p50Ms, { most }),
    compare(slices, `  p99`, 'ms', (slice) => slice.p99Ms),
  ];
}

interface LeadPart {
  beside: ContestantName;
  measure(match: Match): Promise<Comparison[]>;
}

const ratePart = (what: string, operation: Operation, boards: number, least: number): LeadPart => ({
  beside: 'floor',
  measure: async (match) => rateFigures(what, await match.rate(operation, boards), { least }),
});

const PARTS: Readonly<Record<string, LeadPart>> = {
  'set-status': ratePart('set-status, no board', 'set-status', 0, 0.6),
  'set-status-one-board': ratePart('set-status, one board', 'set-status', 1, 0.55),
  'set-status-fifty-boards': ratePart("set-status, fifty agents' boards", 'set-status', ACCOUNTS, 0.55),
  'get-lead': ratePart('get-lead', 'get-lead', 0, 0.6),
  'one-board': {
    beside: 'floor',
    measure: async (match) =>
      boardFigures('board', await match.turns((of) => match.driver.boards(of, 1, match.plan.moves, 20)), 1.4),
  },
  'last-board': {
    beside: 'floor',
    measure: async (match) => {
      const { manyBoards, moves } = match.plan;
      const slices = await match.turns((of) => match.driver.boards(of, manyBoards, moves, 40));
      return boardFigures(`the last of ${manyBoards} boards`, slices, 1.2);
    },
  },
  // The ratio is key by session: how many times faster a key is.
  'set-status-by-session': {
    beside: 'session',
    measure: async (match) =>
      rateFigures('set-status, no board', await match.rate('set-status', 0), { most: 1.1 }),
  },
  // What HTTP, keys, limits, log and feed cost: the other runs the service's own statements, so it grows with them.
  'bare-server': {
    beside: 'bare',
    measure: async (match) => [
      ...rateFigures('set-status, no board', await match.rate('set-status', 0)),
      ...rateFigures('get-lead', await match.rate('get-lead', 0)),
    ],
  },
};

export const LEAD_PARTS: readonly string[] = Object.keys(PARTS);

/**
 * Moving and reading leads, and boards, compared with the frozen floor and with a bare server that runs the same
 * statements.
 * @throws at the first wrong answer, and where a board did not get a move.
 */
export async function benchLeads(size: BenchSize, names: readonly string[]): Promise<void> {
  const plan = PLANS[size];
  const database = await startBenchDatabase(plan.threadsPerAccount);
  const contestants = new Contestants(database.url, new LoadDriver(database, new KeyRotation()), plan);
  console.log(
    `${database.threads.length} dialogs, ${ACCOUNTS * KEYS_PER_ACCOUNT} keys at 60 calls a minute, ${CLIENTS} clients, ` +
      `${plan.rounds} rounds in turn, ${cpus().length} processors. ` +
      'Medians; the ratio is of the same round.',
  );
  try {
    for (const name of names) {
      const part = PARTS[name];
      if (!part) continue;
      console.log(`\n=== ${name}\n`);
      const match = await Match.between(contestants, part.beside);
      console.log(tableOf(await part.measure(match), part.beside));
    }
  } finally {
    await contestants.stop();
    await database.stop();
  }
}
