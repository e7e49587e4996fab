import { setTimeout as sleep } from 'node:timers/promises';
import { keyOf, type BenchDatabase, type BenchThread } from './bench.database';
import { idOf } from './bench.ids';
import { BoardCrowd } from './board.crowd';
import { threadIdOf, type Contestant, type KeyRing } from './contestant';
import { quantile } from './figures';
import { HttpConnection } from './http.connection';
import { cpuOf, cpuOfPostgres } from './process.cpu';

export const CLIENTS = 16;

export type Operation = 'set-status' | 'get-lead';

export interface RateSlice {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Microseconds of processor time a call. */
  serverCpu: number;
  databaseCpu: number;
  /** Share of one processor that this process used to make the load. */
  loadShare: number;
}

export interface BoardSlice {
  p50Ms: number;
  p99Ms: number;
  missing: number;
}

/** Makes the load, and counts every answer that is not what was asked for. */
export class LoadDriver {
  /** Answers other than the success expected, by status. */
  readonly faults = new Map<number, number>();
  private next = 0;

  constructor(
    private readonly database: BenchDatabase,
    private readonly keys: KeyRing,
  ) {}

  /** Sixteen clients, each with its next call as soon as the last is answered. */
  async rate(of: Contestant, operation: Operation, warmMs: number, measureMs: number): Promise<RateSlice> {
    const connections = await openAll(of.server.url, CLIENTS);
    const latencies: number[] = [];
    let measuring = false;
    let ended = false;
    const work = connections.map(async (connection) => {
      while (!ended) {
        const begun = performance.now();
        await this.call(connection, of, operation, this.nextThread());
        if (measuring) latencies.push(performance.now() - begun);
      }
    });
    await sleep(warmMs);
    const before = this.usage(of);
    measuring = true;
    await sleep(measureMs);
    measuring = false;
    const after = this.usage(of);
    ended = true;
    await Promise.all(work);
    for (const connection of connections) connection.close();
    const seconds = (after.at - before.at) / 1000;
    return {
      perSecond: latencies.length / seconds,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      serverCpu: (after.server - before.server) / latencies.length,
      databaseCpu: (after.database - before.database) / latencies.length,
      loadShare: (after.load - before.load) / 1_000_000 / seconds,
    };
  }

  /** Until a fresh process answers as one that has long been running: its code compiled, its statements prepared. */
  async warmUp(of: Contestant, operation: Operation, calls: number): Promise<void> {
    const connections = await openAll(of.server.url, CLIENTS);
    let left = calls;
    const work = connections.map(async (connection) => {
      while (left-- > 0) await this.call(connection, of, operation, this.nextThread());
    });
    await Promise.all(work);
    for (const connection of connections) connection.close();
  }

  /** One move at a time, at a steady pace, from just before its request is written until the last board has it. */
  async boards(of: Contestant, count: number, moves: number, everyMs: number): Promise<BoardSlice> {
    const agent = idOf('agent', WATCHED_ACCOUNT);
    const crowd = await BoardCrowd.open(of.server.url, count, keyOf(WATCHED_ACCOUNT, 0), agent);
    const [connection] = await openAll(of.server.url, 1);
    const watched = this.database.threads.filter((thread) => thread.account === WATCHED_ACCOUNT);
    const latencies: number[] = [];
    let missing = 0;
    for (let move = -WARM_MOVES; move < moves; move++) {
      const thread = watched[(move + WARM_MOVES) % watched.length];
      if (!connection || !thread) throw new Error('nobody to call, or nothing to move');
      const paced = sleep(everyMs);
      const heard = crowd.untilAllHear(threadIdOf(thread));
      const begun = performance.now();
      const answered = this.call(connection, of, 'set-status', thread);
      missing += await heard;
      if (move >= 0) latencies.push(performance.now() - begun);
      await Promise.all([answered, paced]);
    }
    connection?.close();
    crowd.close();
    return { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99), missing };
  }

  private async call(
    connection: HttpConnection,
    of: Contestant,
    operation: Operation,
    thread: BenchThread,
  ): Promise<void> {
    const body = operation === 'set-status' ? of.setStatusBody(thread) : of.getLeadBody(thread);
    const key = this.keys.keyFor(thread.account);
    const reply = await connection.post(`/api/v1/leads/${operation}`, key, body);
    const expected = operation === 'set-status' ? '"changed":true' : `"thread_id":"${threadIdOf(thread)}"`;
    if (reply.status !== 200 || !reply.body.includes(expected)) {
      this.faults.set(reply.status, (this.faults.get(reply.status) ?? 0) + 1);
    }
  }

  private nextThread(): BenchThread {
    const { threads } = this.database;
    const thread = threads[this.next++ % threads.length];
    if (!thread) throw new Error('there are no dialogs');
    return thread;
  }

  private usage(of: Contestant) {
    const { user, system } = process.cpuUsage();
    return {
      at: performance.now(),
      server: cpuOf(of.server.pid),
      database: cpuOfPostgres(this.database.postmaster),
      load: user + system,
    };
  }
}

const WATCHED_ACCOUNT = 0;
const WARM_MOVES = 10;

const openAll = (url: string, count: number): Promise<HttpConnection[]> =>
  Promise.all(Array.from({ length: count }, () => HttpConnection.open(url)));
