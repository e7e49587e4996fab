import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { LONG_WAITS } from '../../support/programs/test.limits';
import { setScene } from '../../support/scenes/base.scene';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { inTime } from '../../support/eventually';

/** Each of the busy ones has far more calls under way than a process has connections. */
const CALLS = 60;
/** Half of the sixteen slots that a process has for accounts' statements. */
const SLOTS_OF_ONE_ACCOUNT = 8;

const scene = setScene();

/** Somebody holds as many dialogs of an account as it has calls, each of which moves one of them. */
async function waitFor(
  account: AccountFixture,
  url = scene.server.url,
): Promise<{ lock: RowLock; calls: Promise<Answer>[] }> {
  const threads = await Promise.all(Array.from({ length: CALLS }, () => account.addThread()));
  const lock = await RowLock.take(scene.database, ...threads);
  const api = new ApiClient(url, account.key);
  return {
    lock,
    calls: threads.map((thread_id) => api.setStatus({ thread_id, status_id: account.stages[0] })),
  };
}

it.each([2, 4])('%i accounts that wait for their locked dialogs delay no other', async (count) => {
  const busy = await Promise.all(
    Array.from({ length: count }, () => AccountFixture.create(scene.database.pool)),
  );
  const other = await scene.account.addThread();
  const waiting = await Promise.all(busy.map((account) => waitFor(account)));
  try {
    await untilWaiting(scene.database.pool, count * 2, { words: 'FROM threads' });
    const served = [
      await scene.api.getStatuses(),
      await scene.api.getLead(other),
      await scene.api.setStatus({ thread_id: other, status_id: scene.stage(0) }),
      await scene.api.getHistory({ thread_id: other }),
      await request(`${scene.server.url}/health/ready`),
    ];
    expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
  } finally {
    for (const { lock } of waiting) await lock.release();
    await Promise.all(waiting.flatMap(({ calls }) => calls));
  }
});

it('an account whose calls all wait for locked dialogs switches the agent of another one off at once', async () => {
  const { url } = await scene.addServer(LONG_WAITS);
  const busy = await AccountFixture.create(scene.database.pool);
  const other = await busy.addThread();
  const { lock, calls } = await waitFor(busy, url);
  try {
    await lock.waiters(SLOTS_OF_ONE_ACCOUNT);
    expect((await new ApiClient(url, busy.key).setAi(other, false)).status).toBe(200);
  } finally {
    await lock.release();
    await Promise.all(calls);
  }
});

describe('callers at one dialog that somebody holds', () => {
  /** Less than two waits for a lock, each of which takes two seconds. */
  const ONE_WAIT_MS = 3_500;

  const ways: [string, (api: ApiClient, thread: string, stage?: string) => Promise<Answer>][] = [
    ['moves', (api, thread_id, status_id) => api.setStatus({ thread_id, status_id })],
    [
      'moves with the flag',
      (api, thread_id, status_id) => api.setStatus({ thread_id, status_id, answer_pending_message: true }),
    ],
    ['switches', (api, thread) => api.setAi(thread, true)],
  ];

  it.each(ways)('such as %s wait for it once, by one connection, and are told so', async (_, call) => {
    const account = await AccountFixture.create(scene.database.pool);
    const api = new ApiClient(scene.server.url, account.key);
    const held = await account.addThread({ aiEnabled: false });
    const lock = await RowLock.take(scene.database, held);
    try {
      const begun = performance.now();
      const calls = Promise.all(
        Array.from({ length: CALLS }, async () => {
          const answer = await call(api, held, account.stages[0]);
          return { answer, after: performance.now() - begun };
        }),
      );
      await lock.waiters(1);
      // Besides those that count calls, which wait for one another for a moment.
      const more = untilWaiting(scene.database.pool, 2, { words: 'FROM threads', deadlineMs: 1_500 });
      await expect(more).rejects.toThrow('did not come to wait');
      for (const { answer, after } of await calls) {
        expect(answer.status).toBe(503);
        expect(answer.body.error.message).toContain('Another request holds the same dialog');
        expect(after).toBeLessThan(inTime(ONE_WAIT_MS));
      }
    } finally {
      await lock.release();
    }
    // Nothing was done, and the next call is served.
    expect(await scene.kept.events(held)).toEqual([]);
    expect((await api.setAi(held, true)).body.data.changed).toBe(true);
  });

  it('are all served when it is let go in time', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const api = new ApiClient(scene.server.url, account.key);
    const held = await account.addThread();
    const lock = await RowLock.take(scene.database, held);
    const calls = Promise.all(
      Array.from({ length: CALLS }, () => api.setStatus({ thread_id: held, status_id: account.stages[0] })),
    );
    try {
      await lock.waiters(1);
    } finally {
      await lock.release();
    }
    const answers = await calls;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.data.changed)).toHaveLength(1);
  });
});
