import { setTimeout as sleep } from 'node:timers/promises';
import { expectAnswer } from './answer.expectation';
import { ACCOUNTS, keyOf, type BenchDatabase, type BenchThread } from './bench.database';
import { idOf } from './bench.ids';
import { BoardLoad, type BoardOrder } from './board.load';
import type { Contestant, KeyRotation, Operation } from './contestant';
import { quantile } from './figures';
import { HttpConnection } from './http.connection';
import { cpuOf, cpuOfPostgres } from './process.cpu';

export const CLIENTS = 16;

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

export interface RatePlan {
  operation: Operation;
  /** How many agents have one board each open meanwhile. */
  boards: number;
  warmMs: number;
  measureMs: number;
}

export interface BoardSlice {
  p50Ms: number;
  p99Ms: number;
}

const WATCHED_ACCOUNT = 0;
const WARM_MOVES = 10;

const boardOf = (account: number): BoardOrder => ({
  key: keyOf(account, 0),
  assistantId: idOf('agent', account),
});

/** Makes the load. Each of its works ends at the first answer that is not the expected one, with that answer. */
export class LoadDriver {
  private next = 0;

  constructor(
    private readonly database: BenchDatabase,
    private readonly keys: KeyRotation,
  ) {}

  /**
   * Sixteen clients, each with its next call as soon as the last is answered.
   *
   * A connection to the floor is a board of all dialogs, so one is enough, and it gets every move. The service's
   * boards are of one agent each, so all agents' boards together also get every move once.
   * @throws also when a board did not get a move.
   */
  async rate(of: Contestant, { operation, boards, warmMs, measureMs }: RatePlan): Promise<RateSlice> {
    const watched = Array.from({ length: Math.min(boards, ACCOUNTS) }, (_, account) => boardOf(account));
    const watching = await BoardLoad.open(of, of.connectionIsBoard ? watched.slice(0, 1) : watched);
    const latencies: number[] = [];
    let measuring = false;
    let told = 0;
    const clients = await this.callInTurn(of, operation, (thread, milliseconds) => {
      if (measuring) latencies.push(milliseconds);
      if (boards > 0 && (of.connectionIsBoard || thread.account < boards)) told += 1;
    });
    await clients.during(warmMs);
    const before = this.usage(of);
    measuring = true;
    await clients.during(measureMs);
    measuring = false;
    const after = this.usage(of);
    await clients.end();
    await watching.untilHeard(told);
    watching.close();
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
    const watching = await BoardLoad.open(
      of,
      Array.from({ length: count }, () => boardOf(WATCHED_ACCOUNT)),
    );
    const connection = await HttpConnection.open(of.server.url);
    const watched = this.database.threads.filter((thread) => thread.account === WATCHED_ACCOUNT);
    const latencies: number[] = [];
    for (let move = -WARM_MOVES; move < moves; move++) {
      const thread = watched[(move + WARM_MOVES) % watched.length];
      if (!thread) throw new Error('nothing to move');
      const paced = sleep(everyMs);
      const heard = watching.untilAllHear(of.threadIdOf(thread));
      const begun = performance.now();
      const answered = this.call(connection, of, 'set-status', thread);
      const told = heard.then(() => performance.now() - begun);
      const [milliseconds] = await Promise.all([told, answered, paced]);
      if (move >= 0) latencies.push(milliseconds);
    }
    connection.close();
    watching.close();
    return { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
  }

  private async callInTurn(
    of: Contestant,
    operation: Operation,
    answered: (thread: BenchThread, milliseconds: number) => void,
  ) {
    const connections = await openAll(of.server.url, CLIENTS);
    let ended = false;
    const work = connections.map(async (connection) => {
      while (!ended) {
        const begun = performance.now();
        const thread = this.nextThread();
        await this.call(connection, of, operation, thread);
        answered(thread, performance.now() - begun);
      }
    });
    const all = Promise.all(work);
    return {
      /** So long, unless a call fails meanwhile. */
      during: (milliseconds: number) => Promise.race([sleep(milliseconds), all]),
      end: async (): Promise<void> => {
        ended = true;
        await all;
        for (const connection of connections) connection.close();
      },
    };
  }

  private async call(
    connection: HttpConnection,
    of: Contestant,
    operation: Operation,
    thread: BenchThread,
  ): Promise<void> {
    const { body, expected } = of.callOf(operation, thread);
    const caller = of.callerFor(thread.account, this.keys);
    const reply = await connection.post(`/api/v1/leads/${operation}`, caller, body);
    expectAnswer(`${operation} of the ${of.name}`, reply, expected);
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

const openAll = (url: string, count: number): Promise<HttpConnection[]> =>
  Promise.all(Array.from({ length: count }, () => HttpConnection.open(url)));
