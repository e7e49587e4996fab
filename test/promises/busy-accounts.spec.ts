import { ApiClient, request } from '../support/api.client';
import { AccountFixture } from '../support/fixture';
import { LeadScene } from '../support/lead.scene';
import { RowLock } from '../support/row.lock';

/** Each of the busy ones has far more calls under way than a process has connections. */
const CALLS = 60;

let scene: LeadScene;

beforeAll(async () => {
  scene = await LeadScene.open();
});

afterAll(() => scene?.close());

it.each([2, 4])('%i accounts that wait for locked dialogs of their own hold up no other', async (count) => {
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
