import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { eventually } from '../../support/eventually';

/** Each of the busy ones has far more calls under way than a process has connections. */
const CALLS = 40;

const scene = setScene();

/** Somebody holds as many dialogs of an account as it has calls, each of which moves one of them. */
async function waitFor(account: AccountFixture): Promise<{ lock: RowLock; calls: Promise<Answer>[] }> {
  const threads = await Promise.all(Array.from({ length: CALLS }, () => account.addThread()));
  const lock = await RowLock.take(scene.database, ...threads);
  const api = new ApiClient(scene.server.url, account.key);
  return {
    lock,
    calls: threads.map((thread_id) => api.setStatus({ thread_id, status_id: account.stages[0] })),
  };
}

it('accounts that wait for their locked dialogs delay no other', async () => {
  const count = 4;
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

describe('callers at one dialog that somebody holds', () => {
  /** Statements that wait for a dialog, not those that count calls. */
  const waitsForDialogs = async (): Promise<string[]> => {
    const { rows } = await scene.database.pool.query<{ wait: string }>(
      `SELECT pid || ' ' || query_start AS wait FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM threads%'`,
    );
    return rows.map(({ wait }) => wait);
  };

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
      const calls = Promise.all(Array.from({ length: CALLS }, () => call(api, held, account.stages[0])));
      let answers: Answer[] | undefined;
      const answered = calls.then((all) => (answers = all));
      const waits = new Set<string>();
      let atOnce = 0;
      await eventually(
        async () => {
          const found = await waitsForDialogs();
          for (const wait of found) waits.add(wait);
          atOnce = Math.max(atOnce, found.length);
          return answers;
        },
        10_000,
        'the calls were not answered',
      );
      for (const { status, body } of await answered) {
        expect(status).toBe(503);
        expect(body.error.message).toContain('Another request holds the same dialog');
      }
      expect(atOnce).toBe(1);
      // A caller whom a busy machine had come only after the first wait has its own.
      expect(waits.size).toBeLessThanOrEqual(2);
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
