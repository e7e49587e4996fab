import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually, inTime } from '../../support/eventually';
import { limits, OWN_DATABASE_TIMES } from '../../support/programs/test.limits';
import { AccountFixture } from '../../support/database/fixture';
import { endAll, startServer, type ServerProcess } from '../../support/programs/server.process';
import { Mutex } from '../../support/mutex';
import { setScene } from '../../support/scenes/base.scene';

/** A call that comes when nothing answers any more is given up by the process after eight seconds. */
const GIVEN_UP_WITHIN_MS = 10_000;
/** So long a process of a busy machine may stand still. */
const STALL_MS = 5_000;
/** One dead connection of each pool may cost a call its eight seconds, once the way is open. */
const BACK_WITHIN_MS = 20_000;
const BOARD_EQUAL_WITHIN_MS = 5_000;
/** A process that hears of no move reads one second after it last read. */
const WITHOUT_NEWS_MS = 700;
/** Eight seconds become two, for the process that is only to come back. All others have the product's limits. */
const IMPATIENT = limits({ 'database.answerMs': 2_000, 'notifications.pingMs': 1_000 });

/** The way of its first process to the database stays whole. */
const scene = setScene();
/** All are started before the first test: these wait side by side. */
let patient: CutOff;
let impatient: CutOff;
let board: WatchedBoard;

/** A process that reaches the database by a wire that can be swallowed, and an account. */
class CutOff {
  private constructor(
    readonly proxy: DatabaseProxy,
    readonly server: ServerProcess,
    readonly account: AccountFixture,
    readonly threads: string[],
    readonly api: ApiClient,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<CutOff> {
    const proxy = await DatabaseProxy.start(scene.database.url);
    const server = await startServer(proxy.url, { ...OWN_DATABASE_TIMES, ...environment });
    const account = await AccountFixture.create(scene.database.pool);
    const threads = await Promise.all(Array.from({ length: 8 }, () => account.addThread()));
    const started = new CutOff(proxy, server, account, threads, new ApiClient(server.url, account.key));
    await started.isServed();
    return started;
  }

  /** As many calls at once as there are dialogs, so that several connections of each pool are in use. */
  isServed(): Promise<boolean> {
    const callAll = (): Promise<Answer[]> =>
      Promise.all(this.threads.map((thread) => this.api.getLead(thread)));
    return eventually(
      async () => (await callAll()).every(({ status }) => status === 200),
      BACK_WITHIN_MS,
      'the service did not come back',
    );
  }

  async end(): Promise<void> {
    await endAll([this.server]);
    await this.proxy.stop();
  }
}

/** A board that is open, with what it shows. */
class WatchedBoard {
  private constructor(
    readonly cutOff: CutOff,
    readonly client: BoardClient,
    private readonly model: BoardModel,
  ) {}

  static async open(environment?: Record<string, string>): Promise<WatchedBoard> {
    const cutOff = await CutOff.start(environment);
    const client = await BoardClient.connect(cutOff.server.url, { api_key: cutOff.account.key });
    const model = new BoardModel();
    await client.show(model, cutOff.account.assistantId);
    return new WatchedBoard(cutOff, client, model);
  }

  /** Its process's connection for news is whole, and used. */
  async hearsOfMoves(): Promise<void> {
    await this.isMovedElsewhere(2);
    await this.becomesEqual();
  }

  becomesEqual(): Promise<void> {
    return this.model.untilEqual(scene.database.pool, this.cutOff.account.assistantId, BOARD_EQUAL_WITHIN_MS);
  }

  async isMovedElsewhere(stage: number, [thread] = this.cutOff.threads): Promise<void> {
    const { account } = this.cutOff;
    const { status } = await new ApiClient(scene.server.url, account.key).setStatus({
      thread_id: thread,
      status_id: account.stages[stage],
    });
    expect(status).toBe(200);
  }

  async end(): Promise<void> {
    this.client.close();
    await this.cutOff.end();
  }
}

/** What was done, but not later than that. */
const within = <T>(milliseconds: number, act: Promise<T>): Promise<T> =>
  Promise.race([
    act,
    new Promise<never>((_, reject) => {
      setTimeout(reject, milliseconds, new Error(`not done within ${milliseconds} ms`)).unref();
    }),
  ]);

/** Whether the process of that wire has had an answer on its listening connection since, be it to a ping. */
const listensSince = async (instant: Date, { ports }: DatabaseProxy): Promise<boolean> => {
  const { rowCount } = await scene.database.pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE client_port = ANY ($2) AND application_name = 'leadline listener'
        AND state_change > $1 AND query ~ '^(LISTEN|SELECT 1$)'`,
    [instant, ports],
  );
  return rowCount === 1;
};

const now = async (): Promise<Date> =>
  (await scene.database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]!.now;

beforeAll(async () => {
  [patient, impatient, board] = await Promise.all([
    CutOff.start(),
    CutOff.start(IMPATIENT),
    WatchedBoard.open(),
  ]);
});

afterAll(async () => {
  await Promise.all([patient, impatient, board].map((started) => started?.end()));
});

describe('a way to the database that swallows everything and closes nothing', () => {
  const ofBoard = new Mutex();

  it.concurrent('makes calls of every kind, many calls of one key, and the question whether it is ready a 503 in time', async () => {
    const { proxy, server, account, threads, api } = patient;
    const kinds = new ApiClient(server.url, await account.addKey());
    proxy.swallow();
    const answers = Promise.all([
      request(`${server.url}/health/live`),
      request(`${server.url}/health/ready`),
      kinds.getStatuses(),
      kinds.getLead(threads[0] ?? ''),
      kinds.setStatus({ thread_id: threads[0], status_id: account.stages[0] }),
      kinds.setAi(threads[0] ?? '', false),
      kinds.getHistory({ thread_id: threads[0] }),
      kinds.setStatusBulk({ items: [{ thread_id: threads[0], status_id: null }] }),
      kinds.admin('GET', 'accounts'),
      ...Array.from({ length: 100 }, () => api.getLead(threads[0] ?? '')),
    ]);
    const [live, ...others] = await within(inTime(GIVEN_UP_WITHIN_MS) + STALL_MS, answers);
    expect(live.status).toBe(200);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['503 UNAVAILABLE']),
    );
    proxy.letThrough();
    await patient.isServed();
  });

  it.concurrent('is forgotten once it is open again, though the old connections stay dead without a word', async () => {
    impatient.proxy.swallow();
    impatient.proxy.letThrough();
    await impatient.isServed();
    expect(impatient.server.output()).not.toMatch(/our own fault|unhandled/i);
  });

  it.concurrent.each([
    // Where it had asked already, the answer was swallowed, and what it sends next is a connection.
    ['asked it for news', ['feed-look', 'leadline feed']],
    ['was connecting to it anew', ['leadline feed']],
  ])('leaves a board equal to it within 5 s of its being open again, when the feed %s', (_, sent) =>
    ofBoard.run(async () => {
      const { proxy, threads } = board.cutOff;
      await board.hearsOfMoves();
      proxy.swallow();
      for (const thread of threads) await board.isMovedElsewhere(0, [thread]);
      await proxy.hasSwallowed(...sent);
      proxy.letThrough();
      await board.becomesEqual();
      expect(board.client.disconnectedBecause).toBeNull();
    }),
  );

  it.concurrent('leaves a board that gets each move at once, because its process listens again', () =>
    ofBoard.run(async () => {
      const { proxy } = board.cutOff;
      await board.hearsOfMoves();
      proxy.swallow();
      await proxy.hasSwallowed('leadline listener');
      const opened = await now();
      proxy.letThrough();
      await eventually(() => listensSince(opened, proxy), 10_000, 'the process does not listen again');
      // The feed may still wait for an answer that was swallowed. That has its own limit, which another test holds.
      await board.hearsOfMoves();
      const quick: boolean[] = [];
      for (let move = 0; move < 10; move += 1) {
        const began = performance.now();
        await board.isMovedElsewhere(move % 2);
        await board.becomesEqual();
        quick.push(performance.now() - began < inTime(WITHOUT_NEWS_MS));
      }
      // Each move follows the read that showed the last one. With one read a second, none of them would be quick.
      expect(quick.filter(Boolean).length).toBeGreaterThanOrEqual(3);
    }));

  // Last of those that share the board's process: it stops it.
  it.concurrent('does not keep the process from stopping', () =>
    ofBoard.run(async () => {
      await board.hearsOfMoves();
      board.cutOff.proxy.swallow();
      expect(await board.cutOff.server.stop()).toBe(0);
    }));
});
