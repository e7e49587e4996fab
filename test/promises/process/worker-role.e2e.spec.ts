import { eventually } from '../../support/eventually';
import { requestLiterally, WEBSOCKET } from '../../support/clients/raw.request';
import { injected } from '../../support/faults/injected.faults';
import { startServer, type ServerProcess } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

describe('a process that does background work only', () => {
  let database: TestDatabase;
  let worker: ServerProcess;

  beforeAll(async () => {
    database = await createDatabase();
    worker = await startServer(database.url, {
      ...{ ROLE: 'worker', AI_BASE_URL: 'http://127.0.0.1:1/v1' },
      ...injected('loaded-modules'),
    });
  });

  afterAll(async () => {
    await worker?.stop();
    await database?.drop();
  });

  it.each([
    ['GET', '/socket.io/?EIO=4&transport=polling', {}],
    ['POST', '/socket.io/?EIO=4&transport=polling', {}],
    ['GET', 'http://x/socket.io/?EIO=4&transport=polling', {}],
    ['GET', '/socket.io/?EIO=4&transport=websocket', WEBSOCKET],
    ['GET', 'http://x/socket.io/?EIO=4&transport=websocket', WEBSOCKET],
    ['POST', '/api/v1/leads/get-lead', {}],
    ['GET', '/docs/unknown', {}],
  ])('answers 404 NOT_FOUND in the envelope to %s %s (%#)', async (method, path, headers) => {
    const { status, body } = await requestLiterally(worker.url, { method, path, headers });
    expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
    expect(worker.output()).not.toMatch(/our own fault/);
  });

  it('lists at /openapi.json what it serves, and nothing else', async () => {
    const { status, body } = await requestLiterally(worker.url, { method: 'GET', path: '/openapi.json' });
    expect(status).toBe(200);
    const { paths } = body as unknown as { paths: object };
    expect(Object.keys(paths).sort()).toEqual(['/health/live', '/health/ready']);
  });

  it('says when it listens that it is no more than that', () => {
    expect(worker.output()).toMatch(/listens on \S+ \(a worker: no operations and no boards\)\n$/);
  });

  it('has loaded the SDK of its model by then: at the first reply that would hold up everything', () => {
    expect(worker.output()).toMatch(/^loaded ai\n[^]*listens on/);
  });

  it('is live and ready', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect((await requestLiterally(worker.url, { method: 'GET', path })).status).toBe(200);
    }
  });

  it('reads no event log: no board can be there', async () => {
    const sessions = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ name: string }>(
        `SELECT application_name AS name FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'leadline feed'`,
      );
      return rows.map(({ name }) => name);
    };
    // Another process with boards was started later, so that by then the worker would have had its boards.
    const other = await startServer(database.url, { ROLE: 'api' });
    try {
      await eventually(async () => (await sessions()).length >= 1, 5_000, 'nobody read the log');
      expect(await sessions()).toEqual(['leadline feed']);
    } finally {
      await other.stop();
    }
  });
});
