import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { WorkNotifier } from '@app/domain/work/work.notifier';
import { NOTIFICATION_LIMITS, Notifications } from '@app/persistence/work/notifications.connection';
import { BoardClient } from '../../support/clients/board.client';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { metricsOf } from '../../support/clients/metrics.reader';
import { OwnCluster } from '../../support/database/own.cluster';
import { startServer } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { WorkScene } from '../../support/scenes/work.scene';

/** Well below the second after which a worker sweeps. */
const AT_ONCE_MS = 500;
/** From the first connection that the database accepts. */
const BACK_WITHIN_MS = 3_000;
/** A killed process's work continues within this time (promises.md), whatever its lease. */
const TAKEN_OVER_WITHIN_MS = 20_000;
/** What one probe does at a time. */
const AT_ONCE = 4;
const SWEEP_MS = '200';

let database: TestDatabase;
let scene: WorkScene;

beforeAll(async () => {
  database = await createDatabase();
});

beforeEach(async () => {
  await database.pool.query('DROP TABLE IF EXISTS probe_work, probe_runs');
  scene = await WorkScene.open(database.url, database.pool);
});

afterEach(async () => {
  await scene?.close();
});

afterAll(async () => {
  await database?.drop();
});

describe('a notification', () => {
  it('is heard on another process at once', async () => {
    await scene.addWorker();
    const waits: number[] = [];
    for (let n = 0; n < 20; n++) {
      const id = `prompt ${n}`;
      await scene.addWork(id);
      const began = performance.now();
      scene.notify(id);
      await scene.untilBegun(id);
      waits.push(performance.now() - began);
    }
    waits.sort((a, b) => a - b);
    expect(waits[10]).toBeLessThan(AT_ONCE_MS);
  });

  it('that comes again for a running item makes no other process begin it', async () => {
    await Promise.all([scene.addWorker(), scene.addWorker()]);
    await scene.addWork('again', { held: true });
    scene.notify('again');
    await scene.untilBegun('again');
    for (let times = 0; times < 20; times++) scene.notify('again');
    await scene.addWork('behind');
    scene.notify('behind');
    await scene.untilDone('behind');
    await scene.letGo('again');
    await scene.untilDone('again');
    expect((await scene.runsOf('again')).filter(({ claimed }) => claimed)).toHaveLength(1);
  });

  it('that is lost is made up for by a sweep', async () => {
    await scene.addWorker(SWEEP_MS);
    await scene.addWork('untold');
    await scene.untilDone('untold');
  });

  it('for work that fails is over, counted by its outcome, and tried no second time', async () => {
    const worker = await scene.addWorker();
    const counted = async (): Promise<string | undefined> =>
      /^leadline_work_total\{work="send-queues",outcome="failed"\} 1$/m.exec(await metricsOf(worker))?.[0];
    await scene.addWork('heard');
    await scene.untilDone('heard');
    scene.notify('faulty');
    await eventually(counted, 5_000, 'no failure was counted');
    expect(worker.output()).toMatch(/Due work failed/);
  });
});

describe('a worker', () => {
  it('begins no more at once than it may, and the next one when one is over', async () => {
    await scene.addWorker();
    const ids = Array.from({ length: AT_ONCE + 2 }, (_, n) => `held ${n}`);
    for (const id of ids) {
      await scene.addWork(id, { held: true });
      scene.notify(id);
    }
    await eventually(async () => (await scene.begun()).length === AT_ONCE, 5_000, 'too few were begun');
    const [first = ''] = await scene.begun();
    await scene.letGo(first);
    await eventually(async () => (await scene.begun()).length === AT_ONCE + 1, 5_000, 'no other was begun');
    for (const id of ids) await scene.letGo(id);
    for (const id of ids) await scene.untilDone(id);
    expect((await scene.begun()).sort()).toEqual(ids);
  });

  it('serves accounts by turns, however much one of them has due', async () => {
    for (let n = 0; n < 40; n++) await scene.addWork(`many ${n}`, { account: 'busy', held: n < AT_ONCE });
    for (let n = 0; n < 3; n++) await scene.addWork(`few ${n}`, { account: 'calm' });
    await scene.addWorker();
    for (let n = 0; n < 3; n++) await scene.untilDone(`few ${n}`);
    await scene.untilBegun('many 1');
    for (let n = 0; n < AT_ONCE; n++) await scene.letGo(`many ${n}`);
    await scene.untilDone('many 39', 20_000);
  });

  it('leaves slots for others where all that an account has due hangs', async () => {
    for (let n = 0; n < 2 * AT_ONCE; n++) await scene.addWork(`hangs ${n}`, { account: 'busy', held: true });
    await scene.addWorker();
    await scene.untilBegun('hangs 1');
    await scene.untilBegun('hangs 0');
    for (const id of ['later', 'later still']) {
      await scene.addWork(id, { account: 'calm' });
      scene.notify(id, 'calm');
      await scene.untilDone(id);
    }
    // Two begin at once, in either order.
    expect((await scene.begun()).sort()).toEqual(['hangs 0', 'hangs 1', 'later', 'later still']);
    for (let n = 0; n < 2 * AT_ONCE; n++) await scene.letGo(`hangs ${n}`);
    await scene.untilDone(`hangs ${2 * AT_ONCE - 1}`, 20_000);
  });

  it('that is killed leaves its work to another, as soon as its lease is over', async () => {
    const killed = await scene.addWorker();
    await scene.addWork('inherited', { held: true });
    scene.notify('inherited');
    await scene.untilBegun('inherited');
    const heir = await scene.addWorker(SWEEP_MS);
    await killed.kill('SIGKILL');
    await scene.letGo('inherited');
    expect(await scene.untilDone('inherited', TAKEN_OVER_WITHIN_MS)).toBe(heir.pid);
  });

  it('that was frozen while its lease ran out does not close what another one has by then', async () => {
    const frozen = await scene.addWorker();
    await scene.addWork('fenced', { held: true });
    scene.notify('fenced');
    await scene.untilBegun('fenced');
    await frozen.kill('SIGSTOP');
    const heir = await scene.addWorker(SWEEP_MS);
    await eventually(
      async () => (await scene.runsOf('fenced')).some(({ pid, claimed }) => claimed && pid === heir.pid),
      TAKEN_OVER_WITHIN_MS,
      'it was not taken over',
    );
    await frozen.kill('SIGCONT');
    await scene.letGo('fenced');
    expect(await scene.untilDone('fenced')).toBe(heir.pid);
  });

  it('that is asked to stop finishes what it has begun, and begins nothing more', async () => {
    const ending = await scene.addWorker(SWEEP_MS);
    await scene.addWork('last', { held: true });
    scene.notify('last');
    await scene.untilBegun('last');
    const stopped = ending.stop();
    await scene.untilToldToEnd('last');
    await scene.addWork('too late');
    scene.notify('too late');
    await scene.letGo('last');
    expect(await stopped).toBe(0);
    expect(await scene.untilDone('last')).toBe(ending.pid);
    expect(await scene.runsOf('too late')).toEqual([]);
  });
});

describe('a move that a worker commits', () => {
  it('is on a board of another process at once, not by its read of each second', async () => {
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
        assistantIds: [account.assistantId],
      };
      const waits: number[] = [];
      for (let move = 0; move < 9; move++) {
        const thread = await account.addThread();
        const request = {
          threadId: thread,
          target: { statusId: account.stages[0] },
          answerPendingMessage: false,
        };
        await scene.addWork(thread, { move: { by, request } });
        const began = performance.now();
        scene.notify(thread);
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
  it('loses notifications, ends nothing, and work goes on as soon as it is back', async () => {
    const cluster = await OwnCluster.start();
    await bringSchemaUpToDate(cluster.url);
    const own = await WorkScene.open(cluster.url, cluster.pool);
    try {
      await own.addWork('before');
      await own.addWork('after', { held: true });
      const worker = await own.addWorker(SWEEP_MS);
      await own.untilDone('before');
      await cluster.goAway();
      await eventually(async () => own.notifications.errors > 0, 5_000, 'the connection was not lost');
      for (let n = 0; n < 20; n++) own.notify(`meanwhile ${n}`);
      const failures = (): number => worker.output().split('The sweep of send-queues failed').length - 1;
      await eventually(async () => failures() > 0, 10_000, 'no sweep failed');
      const back = await cluster.comeBack();
      const again = own.addWork('again').then(() => own.notify('again'));
      await Promise.all([again, own.untilDone('again', 10_000)]);
      expect(performance.now() - back).toBeLessThan(BACK_WITHIN_MS);
      await own.letGo('after');
      await own.untilDone('after', TAKEN_OVER_WITHIN_MS);
      expect(failures()).toBe(1);
    } finally {
      await own.close();
      await cluster.remove();
    }
  });

  it('without a word is found out, and notifications are heard once the way is open', async () => {
    const proxy = await DatabaseProxy.start(database.url);
    const { pingMs } = NOTIFICATION_LIMITS;
    NOTIFICATION_LIMITS.pingMs = 500;
    const cutOff = new Notifications(proxy.url);
    const heard: (string | null)[] = [];
    const hearsOf = async (id: string): Promise<boolean> => {
      scene.notify(id);
      return heard.some((payload) => payload?.includes(id));
    };
    try {
      // Nothing answers yet: a start does not wait for it.
      proxy.swallow();
      cutOff.listen('leadline_work', (payload) => heard.push(payload));
      await eventually(async () => cutOff.errors > 0, 10_000, 'it was not found out');
      proxy.letThrough();
      await eventually(() => hearsOf('first'), 10_000, 'it did not listen');
      proxy.swallow();
      const before = cutOff.errors;
      new WorkNotifier(cutOff).notify('send-queues', { accountId: null, id: 'lost' });
      await eventually(async () => cutOff.errors > before, 10_000, 'it was not found out');
      proxy.letThrough();
      await eventually(() => hearsOf('second'), 15_000, 'it did not listen again');
    } finally {
      NOTIFICATION_LIMITS.pingMs = pingMs;
      await cutOff.stop();
      await cutOff.stop();
      await proxy.stop();
    }
  });
});
