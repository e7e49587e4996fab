import type { Answer } from '../../support/clients/api.client';
import { ApiClient } from '../../support/clients/api.client';
import { untilAdmitted } from '../../support/database/admitted.calls';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { CLUSTERS } from '../../support/database/test.database';
import { addAdminKey } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { uuidOf } from '../../support/database/thread.uuid';

const BURST = 24;
/** Calls a minute of a key whose every call is noted with its time. */
const EXACTLY_COUNTED = 60;
/** As many as one account may have under way on a process. */
const AT_ONCE = 8;
/** Of so many moves: two statements under way, and one for those that come meanwhile. */
const COMMITS_MAX = 3;
/** So many bursts are counted: in one of them a call may come late, whose move then has a commit for itself. */
const BURSTS = 3;
/** A statement waits for a lock for two seconds. */
const BEFORE_GIVING_UP_MS = 1_500;
/** Enough moves at once that some share a statement, on two processes. */
describe.each(CLUSTERS)('Moves of different dialogs that come together, PostgreSQL $name', ({ name }) => {
  const scene = setScene({ version: name, servers: 2, stages: Array(4).fill({}) });

  const dialogs = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => scene.account.addThread({ statusId: scene.stage(0) })));

  const moveAll = (threads: readonly string[], stage: number): Promise<Answer[]> =>
    Promise.all(
      threads.map((thread_id, index) =>
        scene.apiAt(index).setStatus({ thread_id, status_id: scene.stage(stage) }),
      ),
    );

  const changed = (answers: readonly Answer[]): unknown[] =>
    answers.map(({ body }) => body.data?.changed as unknown);

  /** @returns by how many commits a burst of moves was made; `Infinity` where it did not come in time */
  const burst = async (): Promise<number> => {
    const threads = await dialogs(AT_ONCE);
    const key = await scene.account.addKey({ limitLeads: EXACTLY_COUNTED });
    const api = new ApiClient(scene.server.url, key);
    const holder = await scene.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE events IN EXCLUSIVE MODE');
    const answers = Promise.all(
      threads.map((thread_id) => api.setStatus({ thread_id, status_id: scene.stage(1) })),
    );
    // Two statements are under way, and wait. What has come meanwhile goes together.
    const came = Promise.all([
      untilAdmitted(scene.database.pool, key, AT_ONCE, BEFORE_GIVING_UP_MS),
      untilWaiting(scene.database.pool, 2, {
        words: 'generate_subscripts',
        deadlineMs: BEFORE_GIVING_UP_MS,
      }),
    ]);
    const inTime = await came.then(
      () => true,
      () => false,
    );
    await holder.query('COMMIT');
    holder.release();
    expect(changed(await answers)).toEqual(threads.map(() => true));
    for (const thread of threads) {
      expect(await scene.kept.events(thread)).toEqual([
        expect.objectContaining({ version: 2, from: scene.stage(0), to: scene.stage(1) }),
      ]);
      expect(await scene.kept.thread(thread)).toMatchObject({ status_id: scene.stage(1), version: 2 });
    }
    const { rows } = await scene.database.pool.query<{ commits: number }>(
      'SELECT count(DISTINCT xmin::text)::int AS commits FROM events WHERE account_id = $1 AND thread_id = ANY ($2)',
      [scene.account.id, threads.map(uuidOf)],
    );
    return inTime ? (rows[0]?.commits ?? 0) : Infinity;
  };

  it('share commits, and each is whole by itself', async () => {
    // A busy machine may not let all calls in before those that wait for the lock give up.
    const counted: number[] = [];
    for (let round = 0; round < 3 * BURSTS && counted.length < BURSTS; round += 1) {
      const commits = await burst();
      if (commits !== Infinity) counted.push(commits);
    }
    expect(counted).toHaveLength(BURSTS);
    const median = counted.sort((a, b) => a - b)[Math.floor(BURSTS / 2)];
    expect(median).toBeLessThanOrEqual(COMMITS_MAX);
  });

  it('have their own answers: moved, there already, elsewhere than expected, no such stage, no such dialog', async () => {
    const threads = await dialogs(BURST);
    const kinds = [
      { status_id: scene.stage(1) },
      { status_id: scene.stage(0) },
      { status_id: scene.stage(1), expected_status_id: scene.stage(2) },
      { status_id: '00000000-0000-7000-8000-000000000000' },
      { status_id: scene.stage(1), thread_id: 'thread_00000000-0000-7000-8000-000000000000' },
      { status_id: null },
    ];
    const answers = await Promise.all(
      threads.map((thread_id, index) =>
        scene.apiAt(0).setStatus({ thread_id, ...kinds[index % kinds.length] }),
      ),
    );
    const words = answers.map(({ status, body }) =>
      status === 200 ? (body.data.changed as boolean) : body.error.code,
    );
    const expected = [true, false, 'STATUS_CONFLICT', 'STATUS_NOT_FOUND', 'THREAD_NOT_FOUND', true];
    expect(words).toEqual(threads.map((_, index) => expected[index % expected.length]));
  });

  it('do not wait for one of a dialog that somebody holds', async () => {
    const threads = await dialogs(BURST);
    const [held = ''] = threads;
    const lock = await RowLock.take(scene.database, held);
    const waiting = scene.apiAt(0).setStatus({ thread_id: held, status_id: scene.stage(1) });
    const others = threads
      .slice(1)
      .map((thread_id) => scene.apiAt(0).setStatus({ thread_id, status_id: scene.stage(1) }));
    await lock.waiters(1);
    // What waits is the move of that dialog alone, not a statement that it shares with others.
    const { rows } = await scene.database.pool.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query NOT LIKE '%api_keys%'`,
    );
    expect(rows.map(({ query }) => query)).toEqual([expect.not.stringContaining('generate_subscripts')]);
    expect(changed(await Promise.all(others))).toEqual(others.map(() => true));
    await lock.release();
    expect(changed([await waiting])).toEqual([true]);
  });

  it('follow the rule of a stage, and start its scenario, from the moment that either is there', async () => {
    const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
    const threads = await dialogs(3 * BURST);
    const before = moveAll(threads.slice(0, BURST), 3);
    const ruled = await admin.admin('PATCH', `statuses/${scene.stage(3)}`, { on_enter: 'operator' });
    expect(ruled.status).toBe(200);
    const afterRule = moveAll(threads.slice(BURST, 2 * BURST), 3);
    const scenario = await scene.account.addScenario(scene.stage(2));
    const afterScenario = moveAll(threads.slice(2 * BURST), 2);
    await Promise.all([before, afterRule, afterScenario]);
    for (const thread of threads.slice(BURST, 2 * BURST)) {
      const events = await scene.kept.events(thread);
      expect(events.map(({ type, version }) => [type, version])).toEqual([
        ['status', 2],
        ['handler', 3],
      ]);
      expect(await scene.kept.thread(thread)).toMatchObject({ takeover: true, ai_epoch: 1 });
    }
    for (const thread of threads.slice(2 * BURST)) {
      expect(await scene.kept.runs(thread)).toEqual([
        { scenario_id: scenario, status_id: scene.stage(2), version: 2 },
      ]);
    }
    for (const thread of threads.slice(0, BURST)) {
      const { takeover, version } = await scene.kept.thread(thread);
      expect([takeover, version]).toEqual(takeover ? [true, 3] : [false, 2]);
    }
  });
});
