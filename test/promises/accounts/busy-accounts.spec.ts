import { ApiClient, request } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { LeadScene } from '../../support/scenes/lead.scene';
import { RowLock } from '../../support/faults/row.lock';

/** Each of the busy ones has far more calls under way than a process has connections. */
const CALLS = 60;

let scene: LeadScene;

beforeAll(async () => {
  scene = await LeadScene.open();
});

afterAll(() => scene?.close());

it.each([2, 4])('%i accounts that wait for their locked dialogs delay no other', async (count) => {
  const busy = await Promise.all(
    Array.from({ length: count }, () => AccountFixture.create(scene.database.pool)),
  );
  const threads = await Promise.all(busy.map((account) => account.addThread()));
  const other = await scene.account.addThread();
  const locks: RowLock[] = [];
  for (const thread of threads) locks.push(await RowLock.take(scene.database, thread));
  const calls = busy.flatMap(({ key, stages }, index) =>
    Array.from({ length: CALLS }, () =>
      new ApiClient(scene.server.url, key).setStatus({ thread_id: threads[index], status_id: stages[0] }),
    ),
  );
  try {
    await locks[0]?.waiters(count * 2);
    const served = [
      await scene.api.getStatuses(),
      await scene.api.getLead(other),
      await scene.api.setStatus({ thread_id: other, status_id: scene.stage(0) }),
      await scene.api.getHistory({ thread_id: other }),
      await request(`${scene.server.url}/health/ready`),
    ];
    expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
  } finally {
    for (const lock of locks) await lock.release();
    await Promise.all(calls);
  }
});

it('an account whose calls all wait for locked dialogs switches the agent of another one off at once', async () => {
  const busy = await AccountFixture.create(scene.database.pool);
  const api = new ApiClient(scene.server.url, busy.key);
  const [locked, other] = [await busy.addThread(), await busy.addThread()];
  const lock = await RowLock.take(scene.database, locked);
  const calls = Array.from({ length: CALLS }, () =>
    api.setStatus({ thread_id: locked, status_id: busy.stages[0] }),
  );
  try {
    await lock.waiters(2);
    const begun = performance.now();
    expect((await api.setAi(other, false)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1_000);
  } finally {
    await lock.release();
    await Promise.all(calls);
  }
});
