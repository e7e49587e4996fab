import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { startServer, type ServerProcess } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

/** A call that comes when nothing answers any more is given up by the process after eight seconds. */
const GIVEN_UP_WITHIN_MS = 10_000;
/** One dead connection of each pool may cost a call its eight seconds, once the way is open. */
const BACK_WITHIN_MS = 20_000;
const BOARD_EQUAL_WITHIN_MS = 5_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
/** Reaches the database by the wire that can be swallowed. */
let cutOff: ServerProcess;
let account: AccountFixture;
let threads: string[];
let api: ApiClient;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database?.drop());

/** A process and an account for each group of tests: one that was cut off needs up to 16 s until all of it is whole. */
const startAnew = async (): Promise<void> => {
  proxy = await DatabaseProxy.start(database.url);
  cutOff = await startServer(proxy.url);
  account = await AccountFixture.create(database.pool);
  threads = await Promise.all(Array.from({ length: 8 }, () => account.addThread()));
  api = new ApiClient(cutOff.url, account.key);
  await served();
};
const stopAll = async (): Promise<void> => {
  await cutOff?.stop();
  await proxy?.stop();
};

afterEach(() => proxy.letThrough());

/** As many calls at once as there are dialogs, so that several connections of each pool are in use. */
const callAll = (): Promise<Answer[]> => Promise.all(threads.map((thread) => api.getLead(thread)));
const served = (): Promise<boolean> =>
  eventually(
    async () => (await callAll()).every(({ status }) => status === 200),
    BACK_WITHIN_MS,
    'the service did not come back',
  );

/** What was done, but not later than that. */
const within = <T>(milliseconds: number, act: Promise<T>): Promise<T> =>
  Promise.race([
    act,
    new Promise<never>((_, reject) => {
      setTimeout(reject, milliseconds, new Error(`not done within ${milliseconds} ms`)).unref();
    }),
  ]);
const inTime = <T>(answers: Promise<T>): Promise<T> => within(GIVEN_UP_WITHIN_MS, answers);

/** The dead one is still there: the database does not know that it is dead. */
const listensSince = async (instant: Date): Promise<boolean> => {
  const { rows } = await database.pool.query<{ listening: number }>(
    `SELECT count(*)::int AS listening FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'leadline listener' AND backend_start > $1 AND query LIKE 'LISTEN%'`,
    [instant],
  );
  return rows[0]?.listening === 1;
};

const now = async (): Promise<Date> =>
  (await database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]!.now;

describe('a way to the database that swallows everything and closes nothing', () => {
  beforeAll(startAnew);
  afterAll(stopAll);
  beforeEach(() => proxy.swallow());

  it('is forgotten once it is open again, though the old connections stay dead without a word', async () => {
    proxy.letThrough();
    await served();
    expect(cutOff.output()).not.toMatch(/our own fault|unhandled/i);
  });

  it('makes calls of every kind, many calls of one key, and the question whether it is ready a 503 in time', async () => {
    const [thread = ''] = threads;
    const kinds = new ApiClient(cutOff.url, await account.addKey());
    const [live, ...others] = await inTime(
      Promise.all([
        request(`${cutOff.url}/health/live`),
        request(`${cutOff.url}/health/ready`),
        kinds.getStatuses(),
        kinds.getLead(thread),
        kinds.setStatus({ thread_id: thread, status_id: account.stages[0] }),
        kinds.setAi(thread, false),
        kinds.getHistory({ thread_id: thread }),
        kinds.setStatusBulk({ items: [{ thread_id: thread, status_id: null }] }),
        kinds.admin('GET', 'accounts'),
        ...Array.from({ length: 100 }, () => api.getLead(thread)),
      ]),
    );
    expect(live.status).toBe(200);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['503 UNAVAILABLE']),
    );
  });

  it('does not keep the process from stopping', async () => {
    proxy.letThrough();
    const begun = await now();
    const told = await startServer(proxy.url);
    await eventually(() => listensSince(begun), 10_000, 'the process does not listen');
    proxy.swallow();
    expect(await told.stop()).toBe(0);
  });
});

describe('a board of a process whose way to the database was swallowed', () => {
  let other: ServerProcess;
  let board: BoardClient;
  let model: BoardModel;

  beforeAll(async () => {
    other = await startServer(database.url);
    await startAnew();
    board = await BoardClient.connect(cutOff.url, { api_key: account.key });
    model = new BoardModel();
    await board.show(model, account.assistantId);
  });

  beforeEach(async () => {
    // The feed's connection is whole, and used.
    await moveElsewhere(threads[0], 2);
    await becomesEqual();
  });

  afterAll(async () => {
    board?.close();
    await Promise.all([other?.stop(), stopAll()]);
  });

  const moveElsewhere = async (thread: string | undefined, stage: number): Promise<void> => {
    const { status } = await new ApiClient(other.url, account.key).setStatus({
      thread_id: thread,
      status_id: account.stages[stage],
    });
    expect(status).toBe(200);
  };
  const becomesEqual = () => model.untilEqual(database.pool, account.assistantId, BOARD_EQUAL_WITHIN_MS);

  it.each([
    ['asked it for news', 'feed-look'],
    ['was connecting to it anew', 'leadline feed'],
  ])('equals it within 5 s of its being open again, when the feed %s', async (_, sent) => {
    proxy.swallow();
    for (const thread of threads) await moveElsewhere(thread, 0);
    await proxy.hasSwallowed(sent);
    proxy.letThrough();
    await becomesEqual();
    expect(board.disconnectedBecause).toBeNull();
  });

  it('gets each move on other processes at once again, because it listens again', async () => {
    proxy.swallow();
    await proxy.hasSwallowed('leadline listener');
    const opened = await now();
    proxy.letThrough();
    await eventually(() => listensSince(opened), 10_000, 'the process does not listen again');
    // One read a second alone would take ten seconds to report ten moves that wait for one another.
    const tenMoves = async (): Promise<void> => {
      for (let move = 0; move < 10; move += 1) {
        await moveElsewhere(threads[0], move % 2);
        await becomesEqual();
      }
    };
    await within(5_000, tenMoves());
  });
});
