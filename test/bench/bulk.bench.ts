import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { BareSender, IN_FLIGHT } from './bare.sender';
import { knowTables, startBenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { BulkSender, LIST_LENGTH } from './bulk.sender';
import { tableOf, type Comparison } from './figures';
import { cpuOf, cpuOfPostgres } from './process.cpu';
import { ProviderStub } from './provider.stub';

const LATENCY_MS = 50;
/** What the number may have in flight, by how long each takes: no sender can do more. */
const MOST_PER_SECOND = IN_FLIGHT / (LATENCY_MS / 1_000);
/** Of {@link MOST_PER_SECOND}, in every round. */
const LEAST_SHARE = 0.9;

/** Until a contestant is in its stride, and the first lists are stored: what is measured is what it keeps up. */
const RAMP_MS = 1_500;
const PLANS = {
  full: { rounds: 5, rampMs: RAMP_MS, warmMs: 5_000, measureMs: 8_000 },
  quick: { rounds: 2, rampMs: RAMP_MS, warmMs: 2_000, measureMs: 4_000 },
  smoke: { rounds: 1, rampMs: 300, warmMs: 0, measureMs: 200 },
};

/** One contestant's round. CPU in microseconds a message. */
interface BulkSlice {
  perSecond: number;
  senderCpu: number;
  databaseCpu: number;
  inFlightMax: number;
  doubles: number;
  /** Messages that the provider was asked for, less those that were counted as sent, when everything has ended. */
  unaccounted: number;
}

interface Usage {
  sender: number;
  database: number;
}

/**
 * Lists through a provider of 50 ms, compared with a bare loop at the same provider. @throws where a message was
 * doubled or lost.
 */
export async function benchBulk(size: BenchSize): Promise<void> {
  console.log('\n=== bulk\n');
  const { rounds, rampMs, warmMs, measureMs } = PLANS[size];
  const cluster = await startBenchCluster();
  const provider = await ProviderStub.start(LATENCY_MS);
  const db = new Pool({ connectionString: cluster.url, max: 2 });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  const bare = new BareSender(provider.url);
  let server: ServerProcess | null = null;
  const end = async (): Promise<void> => {
    await server?.stop();
    await bare.stop();
    await provider.stop();
    await db.end();
    await cluster.stop();
  };
  try {
    server = await startServer(cluster.url, { CLOUD_API_URL: provider.url });
    const { pid } = server;
    const bulk = await BulkSender.connect(server, db);
    const service: Contest = {
      start: () => bulk.start(),
      sent: () => bulk.stored(),
      stop: () => bulk.stop(),
      usage: () => ({ sender: cpuOf(pid), database: cpuOfPostgres(cluster.postmaster) }),
    };
    const floor: Contest = {
      start: () => bare.start(),
      sent: () => Promise.resolve(bare.sent),
      stop: () => bare.finish(),
      usage: () => ({ sender: ownCpu(), database: 0 }),
    };
    const measure = (contest: Contest, forMs: number) => round(contest, provider, rampMs, forMs);
    for (const contest of [service, floor]) await measure(contest, warmMs);
    await knowTables(db);
    const slices = { service: [] as BulkSlice[], floor: [] as BulkSlice[] };
    for (let n = 0; n < rounds; n++) {
      slices.service.push(await measure(service, measureMs));
      slices.floor.push(await measure(floor, measureMs));
    }
    report(slices.service, slices.floor);
  } finally {
    await end();
  }
}

interface Contest {
  /** Starts sending and continues. */
  start(): void;
  /** How many are sent so far, by the contestant's own books. */
  sent(): Promise<number>;
  /** Resolves when what was begun has ended. */
  stop(): Promise<void>;
  usage(): Usage;
}

async function round(
  contest: Contest,
  provider: ProviderStub,
  rampMs: number,
  milliseconds: number,
): Promise<BulkSlice> {
  await provider.counts();
  const atFirst = await contest.sent();
  contest.start();
  await delay(rampMs);
  const [before, sentBefore, begun] = [contest.usage(), await contest.sent(), performance.now()];
  await delay(milliseconds);
  const [after, sentAfter, ended] = [contest.usage(), await contest.sent(), performance.now()];
  await contest.stop();
  const { requests, doubles, inFlightMax } = await provider.counts();
  const sent = sentAfter - sentBefore;
  return {
    perSecond: (sent * 1_000) / (ended - begun),
    senderCpu: (after.sender - before.sender) / sent,
    databaseCpu: (after.database - before.database) / sent,
    inFlightMax,
    doubles,
    unaccounted: requests - ((await contest.sent()) - atFirst),
  };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function report(service: BulkSlice[], floor: BulkSlice[]): void {
  const compare = (measure: string, unit: string, value: (slice: BulkSlice) => number): Comparison => ({
    measure,
    unit,
    service: service.map(value),
    floor: floor.map(value),
  });
  const share = ({ perSecond }: BulkSlice): number => perSecond / MOST_PER_SECOND;
  console.log(
    `Lists of ${LIST_LENGTH} to new phones through a provider of ${LATENCY_MS} ms, one after another, ${service.length} ` +
      `rounds in turn with a bare loop of ${IN_FLIGHT} requests. Medians of what each keeps up; the ratio is ` +
      `service / bare loop of the same round.\n`,
  );
  console.log(
    tableOf(
      [
        compare(`messages sent and stored`, '/s', ({ perSecond }) => perSecond),
        compare(`share of ${MOST_PER_SECOND} a second`, '', share),
        compare('sender CPU', 'µs/message', ({ senderCpu }) => senderCpu),
        compare('PostgreSQL CPU', 'µs/message', ({ databaseCpu }) => databaseCpu),
      ],
      'bare loop',
    ),
  );
  const lowest = Math.min(...service.map(share));
  const verdict = lowest >= LEAST_SHARE ? 'reached' : 'MISSED';
  console.log(
    `\nlowest share of a round: ${lowest.toFixed(2)} (goal ≥ ${LEAST_SHARE} in every round: ${verdict})`,
  );
  const inFlight = Math.max(...service.map(({ inFlightMax }) => inFlightMax));
  const doubles = service.reduce((sum, slice) => sum + slice.doubles, 0);
  const unaccounted = service.reduce((sum, slice) => sum + slice.unaccounted, 0);
  const said = `in flight at once: ${inFlight}; sent twice: ${doubles}; asked for and not stored as sent: ${unaccounted}`;
  if (inFlight > IN_FLIGHT || doubles !== 0 || unaccounted !== 0) throw new Error(said);
  console.log(said);
}
