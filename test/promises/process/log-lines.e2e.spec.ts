import { randomBytes } from 'node:crypto';
import { setScene } from '../../support/scenes/base.scene';
import { request } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { MAIN, startServer } from '../../support/programs/server.process';

// Where an error comes from is told by the files.
const scene = setScene({ environment: { LOG_LEVEL: 'info' }, program: MAIN });

it('an unexpected error is logged with its origin, and without the rows concerned', async () => {
  await scene.database.pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'planted' USING DETAIL = 'of ' || NEW.name; END $$;
    CREATE TRIGGER failing BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION fail()`);
  const { status, body, headers } = await scene.admin.admin('POST', 'api-keys', {
    name: 'a secret name',
    scopes: ['admin'],
  });
  expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(body.error.message).not.toContain('planted');
  const line = await eventually(
    async () =>
      scene.server
        .output()
        .split('\n')
        .find((text) => text.includes('planted')),
    5_000,
    'no log line of the error',
  );
  const { err, request_id: requestId } = JSON.parse(line) as { err: object; request_id: string };
  expect(requestId).toBe(headers.get('x-request-id'));
  expect(err).toEqual({
    type: 'DatabaseError',
    message: 'planted',
    code: 'P0001',
    stack: expect.stringContaining('api-key.repository'),
  });
  expect(scene.server.output()).not.toContain('a secret name');
});

describe('the line of a request', () => {
  const logged = (path: string): Promise<boolean> =>
    eventually(async () => scene.server.output().includes(`"path":"${path}"`), 5_000, `no line of ${path}`);

  it('holds no key that was pasted where an id belongs, or sent as the request id', async () => {
    const { key } = scene.account;
    await scene.admin.admin('DELETE', `api-keys/${key}`);
    await scene.admin.call(`nowhere/${key}?${key}`, undefined, 'GET');
    await scene.admin.call(`nowhere/%6Cl%5F${key.slice(3)}/coded`, undefined, 'GET');
    const { headers } = await scene.admin.call('admin/accounts', undefined, 'GET', { 'X-Request-Id': key });
    expect(headers.get('x-request-id')).not.toContain(key);
    await logged('/api/v1/admin/api-keys/ll_…');
    await logged('/api/v1/nowhere/ll_…');
    await logged('/api/v1/admin/accounts');
    await logged('/api/v1/nowhere/ll_…/coded');
    expect(scene.server.output()).not.toContain(key.slice(3));
  });

  it('holds no address that opens a file, however it is written', async () => {
    const token = randomBytes(69).toString('base64url');
    await request(`${scene.server.url}/files/${token}?${token}`);
    await request(`${scene.server.url}/%66iles/${token}`);
    await request(`${scene.server.url}/below/files/%2F${token}`);
    await request(`${scene.server.url}/api/v1/nowhere/after-files`);
    await logged('/api/v1/nowhere/after-files');
    await logged('/files/…');
    await logged('/below/files/…');
    expect(scene.server.output()).not.toContain(token);
  });

  it('is one line of JSON, whatever line breaks and control characters its call has', async () => {
    const { key } = scene.account;
    const broken = 'breaks\r\n{"msg":"forged"}\n\u0000\u001b[2J';
    const path = `/api/v1/nowhere/${encodeURIComponent(broken)}`;
    // Of the second, the part behind the key is logged decoded.
    for (const called of [path, `/api/v1/nowhere/${key}/${encodeURIComponent(broken)}`])
      await request(scene.server.url + called, { headers: { 'X-Request-Id': encodeURIComponent(broken) } });
    await request(`${scene.server.url}/api/v1/nowhere/after`);
    await logged('/api/v1/nowhere/after');
    const lines = scene.server
      .output()
      .split('\n')
      .filter((line) => /breaks|forged/.test(line));
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
      path,
      `/api/v1/nowhere/ll_…/${broken}`,
    ]);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  it('holds the whole path also where a library has its own, and no query', async () => {
    await request(`${scene.server.url}/docs/swagger-ui.css?v=1`);
    await logged('/docs/swagger-ui.css');
  });
});

describe('the start and the stop of a process', () => {
  it('are told by one that serves: that it listens, and where, and that it stopped', async () => {
    await scene.server.stop();
    const lines = scene.server.output().trimEnd().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual([
      expect.stringMatching(/^Leadline listens on http:\/\/127\.0\.0\.1:\d+$/),
      'Leadline stopped',
    ]);
    // Everything else is a line of JSON.
    for (const line of lines.slice(1, -1)) expect(JSON.parse(line)).toHaveProperty('level');
  });

  it('say that it listens everywhere, and is a worker; its parts are logged at the level debug', async () => {
    const settings = { HOST: '0.0.0.0', ROLE: 'worker', LOG_LEVEL: 'debug' };
    const worker = await startServer(scene.database.url, settings);
    await worker.stop();
    const [line] = worker
      .output()
      .split('\n')
      .filter((each) => each.includes('listens on'));
    expect(line).toMatch(
      /^Leadline listens on http:\/\/127\.0\.0\.1:\d+ \(and on every other address of this machine; a worker: no operations and no boards\)$/,
    );
    expect(worker.output()).toMatch(/"level":"debug".*"msg":"Mapped \{\/health\/live, GET\} route"/);
  });
});
