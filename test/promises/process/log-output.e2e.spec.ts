import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { ApiClient, request } from '../../support/clients/api.client';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { holdPort } from '../../support/faults/held.port';
import { ownEnvironment } from '../../support/programs/own.environment';
import { MAIN, SECRETS } from '../../support/programs/server.process';

/** Each line has its path: they are more than a pipe, its reader and the process itself take. */
const CALLS = 400;
/** An output that fails does so at the first of them. */
const SOME_CALLS = 100;
const LONG_PATH = `nowhere/${'x'.repeat(6_000)}`;
const AT_ONCE = 20;

let database: TestDatabase;
let server: ChildProcess | null = null;

beforeAll(async () => {
  database = await createDatabase();
});

afterEach(() => server?.kill('SIGKILL'));

afterAll(() => database?.drop());

/** A server whose log goes where the test says. */
async function startOn(stdout: number | 'pipe'): Promise<{ url: string; child: ChildProcess }> {
  const holder = await holdPort();
  holder.close();
  server = spawn(process.execPath, [process.env.LEADLINE_TEST_SERVER ?? MAIN], {
    env: {
      ...{ ...ownEnvironment(), ...SECRETS, DATABASE_URL: database.url },
      ...{ PORT: holder.port, ALLOW_HTTP: '1', LOG_LEVEL: 'info' },
    },
    stdio: ['ignore', stdout, 'ignore'],
  });
  const url = `http://127.0.0.1:${holder.port}`;
  const isReady = async (): Promise<boolean> => {
    const ready = await request(`${url}/health/ready`).catch(() => null);
    return ready?.status === 200;
  };
  await eventually(isReady, 45_000, 'the server did not come up');
  return { url, child: server };
}

/** Calls that are logged, and one call whose answer is checked. */
async function expectServing(url: string, child: ChildProcess, count: number): Promise<void> {
  const account = await AccountFixture.create(database.pool);
  const api = new ApiClient(url, account.key);
  for (let calls = 0; calls < count; calls += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, () => api.call(LONG_PATH, undefined, 'GET'));
    for (const { status } of await Promise.all(some)) expect(status).toBe(404);
  }
  expect((await api.getStatuses()).status).toBe(200);
  expect(child.exitCode).toBeNull();
}

async function expectToEnd(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
}

it('a disk without space under the log ends no process, and fails no call', async () => {
  const full = openSync('/dev/full', 'w');
  const { url, child } = await startOn(full);
  closeSync(full);
  await expectServing(url, child, SOME_CALLS);
  await expectToEnd(child);
});

it('a reader of the log that reads nothing, and is gone then, ends and stops no process, and fails no call', async () => {
  const { url, child } = await startOn('pipe');
  child.stdout?.pause();
  await expectServing(url, child, CALLS);
  child.stdout?.destroy();
  await expectServing(url, child, SOME_CALLS);
  await expectToEnd(child);
});
