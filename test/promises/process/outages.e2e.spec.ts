import { Client } from 'pg';
import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { eventually, inTime } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { OwnCluster } from '../../support/database/own.cluster';
import { triesOf } from '../../support/long.mode';
import { startServer, type ServerProcess } from '../../support/programs/server.process';
import { metricsOf } from '../../support/clients/metrics.reader';
import { startStorm } from '../../support/clients/storm';
import { uuidOf } from '../../support/database/thread.uuid';
import { untilWaiting } from '../../support/faults/waiting.sessions';

/** From the first connection that the database accepts. */
const BACK_WITHIN_MS = 3_000;
/** The next test has it go away once more. */
const ROUNDS = triesOf(1, 5);

let cluster: OwnCluster;
let server: ServerProcess;
let account: AccountFixture;
let api: ApiClient;

beforeAll(async () => {
  cluster = await OwnCluster.start();
  server = await startServer(cluster.url);
  account = await AccountFixture.create(cluster.pool);
  api = new ApiClient(server.url, account.key);
});

afterAll(async () => {
  await server?.stop();
  await cluster?.remove();
});

const expectUnavailable = ({ status, headers, body }: Answer): void => {
  expect({ status, code: body.error?.code, retry: headers.get('retry-after') }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
    retry: expect.stringMatching(/^[1-9]\d*$/),
  });
};

/** Waits until all of these are answered with 200, and says how long after that moment they were. */
async function untilServed(accepted: number, calls: (() => Promise<Answer>)[]): Promise<number> {
  const served = async (): Promise<boolean> =>
    (await Promise.all(calls.map((call) => call()))).every(({ status }) => status === 200);
  await eventually(served, 20_000, 'the service did not come back');
  return performance.now() - accepted;
}

describe('a database that is restarted under load', () => {
  it('gives 503 meanwhile, is back 3 s after it, ends no process, and loses nothing that was acknowledged', async () => {
    const threads = await Promise.all(Array.from({ length: 8 }, () => account.addThread()));
    const refusals: Answer[] = [];
    const storm = startStorm([api], threads, account.stages, {
      onAnswer: (answer) => {
        if (answer.status !== 200) refusals.push(answer);
      },
    });
    for (let round = 0; round < ROUNDS; round++) {
      const before = storm.acknowledged;
      await eventually(async () => storm.acknowledged > before + 50, 20_000, 'the storm was too slow');
      await cluster.goAway();
      const known = refusals.length;
      await eventually(async () => refusals.length > known + 5, 20_000, 'no request was refused');
      expectUnavailable(await request(`${server.url}/health/ready`));
      expectUnavailable(await api.getLead(threads[0] ?? ''));
      expect((await request(`${server.url}/health/live`)).status).toBe(200);
      const back = await untilServed(await cluster.comeBack(), [
        () => request(`${server.url}/health/ready`),
        () => api.setStatus({ thread_id: threads[0], status_id: null }),
      ]);
      expect(back).toBeLessThan(inTime(BACK_WITHIN_MS));
    }
    await storm.stop();
    for (const refusal of refusals) expectUnavailable(refusal);
    expect([...storm.answers.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const { rows } = await cluster.pool.query<{ moves: number }>('SELECT count(*)::int AS moves FROM events');
    expect(rows[0]?.moves).toBeGreaterThanOrEqual(storm.acknowledged);
    expect(server.output()).not.toMatch(/our own fault|unhandled/i);
  });

  it('that is down when a call of every kind comes, is a 503 of each, and metrics tell all that needs none', async () => {
    const thread = await account.addThread();
    expect(await metricsOf(server)).toMatch(/^leadline_work_due\{work="replies"\}/m);
    await cluster.goAway();
    try {
      const answers = await Promise.all([
        api.getStatuses(),
        api.getLead(thread),
        api.setStatus({ thread_id: thread, status_id: null }),
        api.setAi(thread, false),
        api.getHistory({ thread_id: thread }),
        api.setStatusBulk({ items: [{ thread_id: thread, status_id: null }] }),
        api.admin('GET', 'accounts'),
        api.admin('GET', 'api-keys'),
      ]);
      for (const answer of answers) expectUnavailable(answer);
      const metrics = await metricsOf(server);
      expect(metrics).toMatch(/^leadline_work_in_flight\{work="replies"\} 0$/m);
      expect(metrics).not.toMatch(/^leadline_work_(due|oldest_due_seconds)\{/m);
    } finally {
      await cluster.comeBack();
    }
    await eventually(async () => (await api.getLead(thread)).status === 200, BACK_WITHIN_MS, 'no way back');
  });

  it('that takes no changes any more, as a demoted primary, is a 503', async () => {
    const takeNoChanges = async (readOnly: boolean): Promise<void> => {
      await cluster.pool.query(
        `BEGIN READ WRITE;
         DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${readOnly}', current_database()); END $$;
         COMMIT`,
      );
      await cluster.cutAll();
    };
    await takeNoChanges(true);
    try {
      for (const answer of await Promise.all([api.getStatuses(), api.admin('GET', 'accounts')])) {
        expectUnavailable(answer);
      }
    } finally {
      await takeNoChanges(false);
    }
    await eventually(async () => (await api.getStatuses()).status === 200, BACK_WITHIN_MS, 'no way back');
  });
});

describe('calls that wait for a locked dialog', () => {
  it('are 503 when the lock stays, and calls for other dialogs are served meanwhile', async () => {
    const [locked, free] = [await account.addThread(), await account.addThread()];
    const other = await AccountFixture.create(cluster.pool);
    const theirs = await other.addThread();
    const holder = new Client({ connectionString: cluster.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [uuidOf(locked)]);
      const waiting = Array.from({ length: 60 }, () =>
        api.setStatus({ thread_id: locked, status_id: account.stages[0] }),
      );
      await untilWaiting(cluster.pool, 1);
      const served = await Promise.all([
        ...Array.from({ length: 5 }, () => new ApiClient(server.url, other.key).getLead(theirs)),
        new ApiClient(server.url, other.key).setStatus({ thread_id: theirs, status_id: other.stages[0] }),
      ]);
      const refused = await Promise.all(waiting);
      expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
      for (const answer of refused) expectUnavailable(answer);
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
    expect((await api.setStatus({ thread_id: locked, status_id: account.stages[0] })).status).toBe(200);
    expect((await api.getLead(free)).status).toBe(200);
  });
});
