import { queueConnection } from '@app/domain/jobs/job.connections';
import { PgBossQueue } from '@app/integrations/queue/pg-boss.queue';
import { Logger } from '@nestjs/common';
import { prepareDatabase } from '../../apps/server/src/database.preparation';
import { BoardClient } from '../support/board.client';
import { DatabaseProxy } from '../support/database.proxy';
import { eventually } from '../support/eventually';
import { AccountFixture } from '../support/fixture';
import { JobScene } from '../support/job.scene';
import { metricsOf } from '../support/metrics.reader';
import { OwnCluster } from '../support/own.cluster';
import { startServer } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

/** Well below the second after which a worker looks by itself. */
const AT_ONCE_MS = 500;
/** From the first connection that the database accepts. */
const BACK_WITHIN_MS = 3_000;

let database: TestDatabase;
let scene: JobScene;

beforeAll(async () => {
  // What a queue of this process says of the outages is of no interest.
  Logger.overrideLogger(false);
  database = await createDatabase();
  scene = await JobScene.open(database.url, database.pool);
});

afterAll(async () => {
  await scene?.close();
  await database?.drop();
});

const jobs = async (state: string): Promise<number> => {
  const { rows } = await database.pool.query<{ jobs: number }>(
    `SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'send-lane' AND state = $1`,
    [state],
  );
  return rows[0]?.jobs ?? 0;
};

describe('rings', () => {
  it('of one key that nobody has taken up yet are one job, and others are theirs', async () => {
    for (let ring = 0; ring < 20; ring++) scene.ring('often');
    await eventually(async () => (await jobs('created')) > 0, 5_000, 'nothing was rung');
    for (let ring = 0; ring < 20; ring++) {
      scene.ring('often');
      await new Promise((resolve) => setImmediate(resolve));
    }
    scene.ring('once');
    await eventually(async () => (await jobs('created')) === 2, 5_000, 'there were not two jobs');
    await scene.addWorker();
    await scene.untilBegun('often');
    await scene.untilBegun('once');
    expect(await scene.runsOf('often')).toHaveLength(1);
    expect(await scene.runsOf('once')).toHaveLength(1);
  });

  it('are heard on another process at once', async () => {
    const waits: number[] = [];
    for (let ring = 0; ring < 20; ring++) {
      const id = `prompt ${ring}`;
      const began = performance.now();
      scene.ring(id);
      await scene.untilBegun(id);
      waits.push(performance.now() - began);
    }
    waits.sort((a, b) => a - b);
    expect(waits[10]).toBeLessThan(AT_ONCE_MS);
  });

  it('come again for a key that is at work', async () => {
    await scene.addWork('again', true);
    scene.ring('again');
    await scene.untilBegun('again');
    scene.ring('again');
    await eventually(async () => (await scene.runsOf('again')).length === 2, AT_ONCE_MS * 4, 'it was lost');
    await scene.letGo('again');
    await scene.untilDone('again');
  });

  it('for work that fails are over, counted by their outcome, and tried no second time', async () => {
    const [worker] = scene.workers;
    if (!worker) throw new Error('no worker');
    const counted = async (): Promise<string | undefined> =>
      /^leadline_jobs_total.*outcome="failed".*$/m.exec(await metricsOf(worker))?.[0];
    scene.ring('faulty');
    expect(await eventually(counted, 5_000, 'no failure was counted')).toBe(
      'leadline_jobs_total{kind="send-lane",outcome="failed"} 1',
    );
    expect(worker.output()).toMatch(/A job failed/);
    expect([await jobs('retry'), await jobs('failed')]).toEqual([0, 0]);
  });

  it('leave no job behind: what is over is deleted', async () => {
    const kept = async (): Promise<number> =>
      (await database.pool.query('SELECT 1 FROM pgboss.job')).rowCount ?? 0;
    expect(await kept()).toBeGreaterThan(0);
    await eventually(async () => (await kept()) === 0, 50_000, 'jobs were left');
  });
});

describe('a worker', () => {
  it('that is killed leaves its work to a sweep of another', async () => {
    const killed = await scene.addWorker();
    await scene.workers[0]?.stop();
    await scene.addWork('inherited', true);
    scene.ring('inherited');
    await scene.untilBegun('inherited');
    await killed.kill('SIGKILL');
    await scene.letGo('inherited');
    const heir = await scene.addWorker('200');
    expect(await scene.untilDone('inherited')).toBe(heir.pid);
  });

  it('that is told to end lets what it has begun be done, and takes up nothing more', async () => {
    const ending = await scene.addWorker();
    for (const worker of scene.workers) if (worker !== ending) await worker.stop();
    await scene.addWork('last', true);
    scene.ring('last');
    await scene.untilBegun('last');
    const stopped = ending.stop();
    await scene.untilToldToEnd('last');
    await scene.addWork('too late');
    scene.ring('too late');
    await eventually(async () => (await jobs('created')) === 1, 5_000, 'it was taken up');
    await scene.letGo('last');
    expect(await stopped).toBe(0);
    expect(await scene.untilDone('last')).toBe(ending.pid);
    expect(await scene.runsOf('too late')).toEqual([]);
  });
});

describe('a move that a worker commits', () => {
  it('is on a board of another process at once, not by its look of each second', async () => {
    const account = await AccountFixture.create(database.pool);
    const [server] = await Promise.all([startServer(database.url, { ROLE: 'api' }), scene.addWorker()]);
    const board = await BoardClient.connect(server.url, { api_key: account.key });
    try {
      await board.open(account.assistantId);
      const by = {
        accountId: account.id,
        keyId: account.id,
        keyName: 'probe',
        scopes: ['leads'],
        botIds: [],
      };
      const waits: number[] = [];
      for (let move = 0; move < 9; move++) {
        const thread = await account.addThread();
        const request = {
          threadId: thread,
          target: { statusId: account.stages[0] },
          answerPendingMessage: false,
        };
        const began = performance.now();
        scene.ring(thread, {
          move: JSON.stringify({ by: { ...by, assistantIds: [account.assistantId] }, request }),
        });
        await board.hears((event) => event.thread_id === thread);
        waits.push(performance.now() - began);
      }
      waits.sort((a, b) => a - b);
      expect(waits[4]).toBeLessThan(AT_ONCE_MS / 2);
    } finally {
      board.close();
      await server.stop();
    }
  });
});

describe('a database that goes away', () => {
  it('loses rings, ends nothing, and is rung through again as soon as it is back', async () => {
    const cluster = await OwnCluster.start();
    await prepareDatabase(cluster.url);
    const own = await JobScene.open(cluster.url, cluster.pool);
    try {
      const worker = await own.addWorker();
      own.ring('before');
      await own.untilBegun('before');
      await cluster.goAway();
      for (let ring = 0; ring < 20; ring++) own.ring(`meanwhile ${ring}`);
      await eventually(async () => own.ringer.errors > 0, 5_000, 'no ring was lost');
      const back = await cluster.comeBack();
      await eventually(
        async () => {
          own.ring('after');
          return (await own.runsOf('after')).length > 0;
        },
        10_000,
        'nobody worked again',
      );
      expect(performance.now() - back).toBeLessThan(BACK_WITHIN_MS);
      expect(worker.output().match(/The queue of jobs fails/g)).toHaveLength(1);
    } finally {
      await own.close();
      await cluster.remove();
    }
  });

  it('without a word is found out, and work goes on once the way is open', async () => {
    const proxy = await DatabaseProxy.start(database.url);
    const ringer = new PgBossQueue({ connection: queueConnection(proxy.url), works: true });
    const begun: string[] = [];
    await ringer.work('take-webhook', 2, async ({ id }) => void begun.push(id ?? ''));
    try {
      // Nobody answers yet: a start does not wait for it.
      proxy.swallow();
      ringer.onModuleInit();
      ringer.ring('take-webhook', 'first', { id: 'first' });
      await eventually(async () => ringer.errors > 0, 10_000, 'it was not found out');
      proxy.letThrough();
      await eventually(async () => begun.includes('first'), 10_000, 'it did not start');
      proxy.swallow();
      const before = ringer.errors;
      ringer.ring('take-webhook', 'lost', { id: 'lost' });
      await eventually(async () => ringer.errors > before, 10_000, 'it was not found out');
      proxy.letThrough();
      const worksAgain = async (): Promise<boolean> => {
        ringer.ring('take-webhook', 'second', { id: 'second' });
        return begun.includes('second');
      };
      await eventually(worksAgain, 15_000, 'it did not work again');
    } finally {
      await ringer.stop();
      await ringer.stop();
      await proxy.stop();
    }
  });
});
