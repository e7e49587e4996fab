import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { ApiClient } from '../support/clients/api.client';
import { AccountFixture, addAdminKey } from '../support/database/fixture';
import { injected } from '../support/faults/injected.faults';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { ENDPOINT_TIMES } from '../support/programs/test.limits';
import { startBenchCluster, type BenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { median, quantile, report, reportLeast } from './figures';
import { cpuOf, cpuOfPostgres } from './process.cpu';

const PLANS = {
  full: { accounts: 20, calm: 400, perSecond: 20, rounds: 3, dialogs: 100, each: 40 },
  quick: { accounts: 20, calm: 200, perSecond: 20, rounds: 1, dialogs: 100, each: 40 },
  smoke: { accounts: 2, calm: 5, perSecond: 20, rounds: 1, dialogs: 5, each: 2 },
};
type Plan = (typeof PLANS)[BenchSize];

const MOST_P50_MS = 50;
const MOST_P99_MS = 500;
const LEAST_PER_SECOND = 500;
/** Of the times at rest, while one of the endpoints hangs. */
const MOST_BESIDE_DEAD = 2;
const DEADLINE_MS = 120_000;
const LOOK_MS = 20;
/** Moves that are made at once to fill an account's log. */
const CALLERS = 16;

/** The way of an event from its commit to the first byte at its endpoint, one process sending. */
export async function benchEvents(size: BenchSize): Promise<void> {
  console.log('\n=== events\n');
  const cluster = await startBenchCluster();
  const bench = await EventBench.open(cluster);
  try {
    await bench.run(PLANS[size]);
  } finally {
    await bench.close();
    await cluster.stop();
  }
}

/** A receiver that notes when each event begins to come, after the time that it says it happened. */
class Receiver {
  readonly waits: number[] = [];
  hangs = false;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const at = performance.timeOrigin + performance.now();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (receiver.hangs) return;
        const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
        receiver.waits.push(at - Date.parse(timestamp));
        response.writeHead(204).end();
      });
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async until(count: number): Promise<void> {
    const last = performance.now() + DEADLINE_MS;
    while (this.waits.length < count) {
      if (performance.now() > last) throw new Error(`${this.waits.length} of ${count} events came`);
      await sleep(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

/** An account with one endpoint. */
interface Subscriber {
  account: AccountFixture;
  api: ApiClient;
  receiver: Receiver;
  threads: string[];
}

class EventBench {
  private readonly subscribers: Subscriber[] = [];
  private readonly turns = new Map<string, number>();

  private constructor(
    private readonly cluster: BenchCluster,
    private readonly db: Pool,
    private readonly server: ServerProcess,
  ) {}

  static async open(cluster: BenchCluster): Promise<EventBench> {
    const db = new Pool({ connectionString: cluster.url, max: 4 });
    // An idle connection may hear of the database's end before its own.
    db.on('error', () => undefined);
    const settings = {
      RATE_LIMIT_LEADS: '1000000',
      ...injected('on-this-machine'),
      ...ENDPOINT_TIMES,
    };
    return new EventBench(cluster, db, await startServer(cluster.url, settings));
  }

  async run(plan: Plan): Promise<void> {
    for (let made = 0; made < plan.accounts; made += 1) await this.subscribe(made === 0 ? plan.dialogs : 1);
    const rest = await this.calm(plan);
    report('commit to first byte at a calm rate, p50', 'ms', quantile(rest, 0.5), MOST_P50_MS);
    report('commit to first byte at a calm rate, p99', 'ms', quantile(rest, 0.99), MOST_P99_MS);
    const rounds: number[] = [];
    while (rounds.length < plan.rounds) rounds.push(await this.saturate(plan));
    reportLeast('events a second to one endpoint, behind a backlog', '/s', median(rounds), LEAST_PER_SECOND);
    await this.besideDead(plan, rest);
  }

  async close(): Promise<void> {
    await this.server.kill('SIGKILL');
    await Promise.all(this.subscribers.map(({ receiver }) => receiver.stop()));
    await this.db.end();
  }

  private async subscribe(dialogs: number): Promise<void> {
    const account = await AccountFixture.create(this.db);
    const receiver = await Receiver.start();
    const admin = new ApiClient(this.server.url, await addAdminKey(this.db, { limitGeneral: 100_000 }));
    const { status } = await admin.admin('POST', 'webhook-endpoints', {
      ...{ account_id: account.id, url: receiver.url, events: ['lead.status_changed'] },
    });
    if (status !== 201) throw new Error(`the endpoint was refused: ${status}`);
    const threads: string[] = [];
    while (threads.length < dialogs)
      threads.push(
        await account.addThread({ phone: `+${77_040_000_000 + Math.floor(Math.random() * 1e9)}` }),
      );
    const api = new ApiClient(this.server.url, account.key);
    this.subscribers.push({ account, api, receiver, threads });
  }

  /** Moves one by one, each of the next account. @returns how long each event was on its way, in milliseconds */
  private async calm(
    { calm, perSecond }: Plan,
    of: readonly Subscriber[] = this.subscribers,
  ): Promise<number[]> {
    for (const { receiver } of of) receiver.waits.length = 0;
    const begun = performance.now();
    for (let n = 0; n < calm; n += 1) {
      const wait = begun + (n * 1_000) / perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      const subscriber = of[n % of.length];
      if (subscriber) await this.move(subscriber, subscriber.threads[0] ?? '');
    }
    for (const [place, { receiver }] of of.entries())
      await receiver.until(Math.floor((calm - place - 1) / of.length) + 1);
    return of.flatMap(({ receiver }) => receiver.waits);
  }

  /** A backlog of one endpoint, from when it may be sent. @returns events a second */
  private async saturate({ dialogs, each }: Plan): Promise<number> {
    const [subscriber] = this.subscribers;
    if (!subscriber) return 0;
    const { receiver, threads } = subscriber;
    receiver.waits.length = 0;
    const left = [...threads];
    const usedServer = cpuOf(this.server.pid);
    const usedPostgres = cpuOfPostgres(this.cluster.postmaster);
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        // One after the other in each dialog: of two at once the later may find its stage already there.
        for (let thread = left.shift(); thread !== undefined; thread = left.shift())
          for (let n = 0; n < each; n += 1) await this.move(subscriber, thread);
      }),
    );
    await receiver.until(dialogs * each);
    const seconds = (performance.now() - begun) / 1_000;
    const micros = (used: number): string => (used / (dialogs * each)).toFixed(0);
    console.log(
      `a move with its event: server ${micros(cpuOf(this.server.pid) - usedServer)} µs, ` +
        `PostgreSQL ${micros(cpuOfPostgres(this.cluster.postmaster) - usedPostgres)} µs`,
    );
    return (dialogs * each) / seconds;
  }

  /** What the endpoints of the other accounts wait while that of the first one hangs. */
  private async besideDead(plan: Plan, rest: readonly number[]): Promise<void> {
    const [dead, ...others] = this.subscribers;
    if (!dead) return;
    dead.receiver.hangs = true;
    for (const thread of dead.threads) await this.move(dead, thread);
    const beside = await this.calm({ ...plan, calm: plan.calm - (plan.calm % others.length) }, others);
    const ratio = quantile(beside, 0.99) / quantile(rest, 0.99);
    report('p99 beside an endpoint that hangs, by p99 at rest', '×', ratio, MOST_BESIDE_DEAD);
  }

  /** Moves a lead to the stage in which it is not. */
  private async move({ account, api }: Subscriber, thread: string): Promise<void> {
    const turn = (this.turns.get(thread) ?? 0) + 1;
    this.turns.set(thread, turn);
    const { status, body } = await api.setStatus({ thread_id: thread, status_id: account.stages[turn % 2] });
    if (status !== 200) throw new Error(`the move was refused: ${status} ${JSON.stringify(body)}`);
  }
}
