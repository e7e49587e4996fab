import { readdirSync } from 'node:fs';
import { eventually } from '../../support/eventually';
import { requestLiterally, WEBSOCKET } from '../../support/clients/raw.request';
import { injected } from '../../support/faults/injected.faults';
import type { ServerProcess } from '../../support/programs/server.process';
import { setScene } from '../../support/scenes/base.scene';

/** As browsers ask for a page. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const [ASSET = ''] = readdirSync('dist/monitor/assets').filter((name) => name.endsWith('.js'));

describe('a process that does background work only', () => {
  /** Its first process has boards, and reads the log. */
  const scene = setScene();
  let worker: ServerProcess;

  beforeAll(async () => {
    worker = await scene.addServer({
      ...{ ROLE: 'worker', AI_BASE_URL: 'http://127.0.0.1:1/v1', HOST: '0.0.0.0', LOG_LEVEL: 'debug' },
      ...injected('loaded-modules'),
    });
  });

  it.each([
    ['GET', '/socket.io/?EIO=4&transport=polling', {}],
    ['POST', '/socket.io/?EIO=4&transport=polling', {}],
    ['GET', 'http://x/socket.io/?EIO=4&transport=polling', {}],
    ['GET', '/socket.io/?EIO=4&transport=websocket', WEBSOCKET],
    ['GET', 'http://x/socket.io/?EIO=4&transport=websocket', WEBSOCKET],
    ['POST', '/webhooks/whatsapp', {}],
    ['POST', '/api/v1/leads/get-lead', {}],
    ['GET', '/docs/unknown', {}],
    ['GET', '/', BROWSER],
    ['GET', '/board', BROWSER],
    ['GET', '/elsewhere', BROWSER],
    ['GET', `/assets/${ASSET}`, BROWSER],
  ])('answers 404 NOT_FOUND in the envelope to %s %s (%#)', async (method, path, given) => {
    const { status, body, headers } = await requestLiterally(worker.url, { method, path, headers: given });
    expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.error.request_id).toBe(headers.get('x-request-id'));
    expect(worker.output()).not.toMatch(/our own fault/);
  });

  it('lists at /openapi.json what it serves, and nothing else', async () => {
    const { status, body } = await requestLiterally(worker.url, { method: 'GET', path: '/openapi.json' });
    expect(status).toBe(200);
    const { paths } = body as unknown as { paths: object };
    expect(Object.keys(paths).sort()).toEqual(['/health/live', '/health/ready']);
  });

  it('says when it listens where, and that it is no more than that; its parts are logged at the level debug', () => {
    expect(worker.output()).toMatch(
      /^Leadline listens on http:\/\/127\.0\.0\.1:\d+ \(and on every other address of this machine; a worker: no operations and no boards\)$/m,
    );
    expect(worker.output()).toMatch(/"level":"debug".*"msg":"Mapped \{\/health\/live, GET\} route"/);
  });

  it('has loaded the SDK of its model by then, and nothing of traces, which nobody asked for', () => {
    // At the first reply that would hold up everything.
    expect(worker.output()).toMatch(/^loaded ai\n[^]*listens on/m);
    expect(worker.output()).not.toContain('loaded @opentelemetry');
    expect(worker.output()).not.toContain('trace_id');
  });

  it('is live and ready', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect((await requestLiterally(worker.url, { method: 'GET', path })).status).toBe(200);
    }
  });

  it('reads no event log: no board can be there', async () => {
    const sessions = async (): Promise<string[]> => {
      const { rows } = await scene.database.pool.query<{ name: string }>(
        `SELECT application_name AS name FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'leadline feed'`,
      );
      return rows.map(({ name }) => name);
    };
    await eventually(async () => (await sessions()).length >= 1, 5_000, 'nobody read the log');
    expect(await sessions()).toEqual(['leadline feed']);
  });
});
