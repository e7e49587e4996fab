import { cpus } from 'node:os';
import { startBenchDatabase, ACCOUNTS, KEYS_PER_ACCOUNT, THREADS_PER_ACCOUNT } from './bench.database';
import { Contestant, KeyRing } from './contestant';
import { isReached, tableOf, type Comparison } from './figures';
import { onInterruption } from './interruption.hook';
import { CLIENTS, LoadDriver, type BoardSlice, type Operation, type RateSlice } from './load.driver';

interface Plan {
  rounds: number;
  warmUpCalls: number;
  warmMs: number;
  measureMs: number;
  moves: number;
}

const FULL: Plan = { rounds: 5, warmUpCalls: 15_000, warmMs: 500, measureMs: 4_000, moves: 100 };
const QUICK: Plan = { rounds: 2, warmUpCalls: 4_000, warmMs: 300, measureMs: 1_000, moves: 30 };
const MANY = 200;

type Slices<T> = Record<Contestant['name'], T[]>;

/**
 * The two in turn, in alternating order. The one that is not measured is stopped meanwhile: the service would read
 * the floor's moves from the event log otherwise.
 */
async function inTurn<T>(
  contestants: readonly Contestant[],
  rounds: number,
  measure: (of: Contestant) => Promise<T>,
): Promise<Slices<T>> {
  const slices: Slices<T> = { service: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      await contestant.server.kill('SIGCONT');
      slices[contestant.name].push(await measure(contestant));
      await contestant.server.kill('SIGSTOP');
    }
  }
  return slices;
}

function compare<T>(
  { service, floor }: Slices<T>,
  measure: string,
  unit: string,
  value: (slice: T) => number,
  goal?: Comparison['goal'],
): Comparison {
  return { measure, unit, service: service.map(value), floor: floor.map(value), goal };
}

function rateFigures(operation: string, least: number, slices: Slices<RateSlice>): Comparison[] {
  return [
    compare(slices, `${operation}, ${CLIENTS} clients`, '/s', (slice) => slice.perSecond, { least }),
    compare(slices, `${operation}, p50`, 'ms', (slice) => slice.p50Ms),
    compare(slices, `${operation}, p99`, 'ms', (slice) => slice.p99Ms),
    compare(slices, `${operation}, server CPU`, 'µs/call', (slice) => slice.serverCpu),
    compare(slices, `${operation}, PostgreSQL CPU`, 'µs/call', (slice) => slice.databaseCpu),
    // What both together cost decides the rate on a saturated machine, and stays true when others use it too.
    compare(slices, `${operation}, CPU of both`, 'µs/call', (slice) => slice.serverCpu + slice.databaseCpu),
    compare(slices, `${operation}, load's share of a core`, '', (slice) => slice.loadShare),
  ];
}

function boardFigures(what: string, slices: Slices<BoardSlice>, most?: number): Comparison[] {
  const goal = most === undefined ? undefined : { most };
  return [
    compare(slices, `request to ${what}, p50`, 'ms', (slice) => slice.p50Ms, goal),
    compare(slices, `request to ${what}, p99`, 'ms', (slice) => slice.p99Ms),
  ];
}

/** Moving and reading leads, and boards, beside a bare server. @returns whether all that must hold did. */
export async function benchLeads(quick: boolean): Promise<boolean> {
  const { rounds, warmUpCalls, warmMs, measureMs, moves } = quick ? QUICK : FULL;
  const begun = performance.now();
  const database = await startBenchDatabase();
  const contestants: Contestant[] = [];
  const end = async (): Promise<void> => {
    for (const { server } of contestants) {
      await server.kill('SIGCONT');
      await server.stop();
    }
    await database.stop();
  };
  const interrupted = onInterruption(end);
  try {
    contestants.push(await Contestant.service(database.url), await Contestant.floor(database.url));
    for (const { server } of contestants) await server.kill('SIGSTOP');
    const driver = new LoadDriver(database, new KeyRing());
    const turns = <T>(measure: (of: Contestant) => Promise<T>) => inTurn(contestants, rounds, measure);
    const rateOf = async (operation: Operation): Promise<Slices<RateSlice>> => {
      await inTurn(contestants, 1, (of) => driver.warmUp(of, operation, warmUpCalls));
      return turns((of) => driver.rate(of, operation, warmMs, measureMs));
    };
    const moving = await rateOf('set-status');
    const reading = await rateOf('get-lead');
    const oneBoard = await turns((of) => driver.boards(of, 1, moves, 20));
    const manyBoards = await turns((of) => driver.boards(of, MANY, moves, 40));
    const comparisons = [
      ...rateFigures('set-status', 0.45, moving),
      ...rateFigures('get-lead', 0.5, reading),
      ...boardFigures('board', oneBoard, 2),
      ...boardFigures(`the last of ${MANY} boards`, manyBoards),
    ];
    console.log(
      `${ACCOUNTS * THREADS_PER_ACCOUNT} dialogs, ${ACCOUNTS * KEYS_PER_ACCOUNT} keys at 60 calls a minute, ` +
        `${rounds} rounds in turn, ${cpus().length} processors, ${Math.round((performance.now() - begun) / 1000)} s. ` +
        'Medians; the ratio is service / floor of the same round.\n',
    );
    console.log(tableOf(comparisons));
    return report(driver, [...oneBoard.service, ...manyBoards.service], comparisons);
  } finally {
    interrupted.forget();
    await end();
  }
}

/** What must hold whatever the figures are: nothing refused, nothing missing. */
function report(driver: LoadDriver, boards: BoardSlice[], comparisons: Comparison[]): boolean {
  const missing = boards.reduce((sum, slice) => sum + slice.missing, 0);
  const faults = [...driver.faults].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(`\ndeliveries missing: ${missing}; answers that were not the expected success: ${faults || 0}`);
  const missed = comparisons.filter((comparison) => isReached(comparison) === false);
  for (const { measure } of missed) console.log(`goal missed: ${measure}`);
  return missing === 0 && driver.faults.size === 0;
}
