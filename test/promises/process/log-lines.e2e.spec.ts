import { randomBytes } from 'node:crypto';
import { AdminScene } from '../../support/scenes/admin.scene';
import { ApiClient, request } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { MAIN, startServer, type ServerProcess } from '../../support/programs/server.process';

let scene: AdminScene;

beforeAll(async () => {
  // Where an error comes from is told by the files.
  scene = await AdminScene.open({}, MAIN);
});

afterAll(() => scene?.close());

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
  let server: ServerProcess;
  let api: ApiClient;

  beforeAll(async () => {
    server = await startServer(scene.database.url, { LOG_LEVEL: 'info' });
    api = new ApiClient(server.url, scene.admin.key);
  });

  afterAll(() => server?.stop());

  const logged = (path: string): Promise<boolean> =>
    eventually(async () => server.output().includes(`"path":"${path}"`), 5_000, `no line of ${path}`);

  it('holds no key that was pasted where an id belongs, or sent as the request id', async () => {
    const { key } = scene.account;
    await api.admin('DELETE', `api-keys/${key}`);
    await api.call(`nowhere/${key}?${key}`, undefined, 'GET');
    await api.call(`nowhere/%6Cl%5F${key.slice(3)}/coded`, undefined, 'GET');
    const { headers } = await api.call('admin/accounts', undefined, 'GET', { 'X-Request-Id': key });
    expect(headers.get('x-request-id')).not.toContain(key);
    await logged('/api/v1/admin/api-keys/ll_…');
    await logged('/api/v1/nowhere/ll_…');
    await logged('/api/v1/admin/accounts');
    await logged('/api/v1/nowhere/ll_…/coded');
    expect(server.output()).not.toContain(key.slice(3));
  });

  it('holds no address that opens a file, however it is written', async () => {
    const token = randomBytes(69).toString('base64url');
    await request(`${server.url}/files/${token}?${token}`);
    await request(`${server.url}/%66iles/${token}`);
    await request(`${server.url}/below/files/%2F${token}`);
    await request(`${server.url}/api/v1/nowhere/after-files`);
    await logged('/api/v1/nowhere/after-files');
    await logged('/files/…');
    await logged('/below/files/…');
    expect(server.output()).not.toContain(token);
  });

  it('is one line of JSON, whatever line breaks and control characters its call has', async () => {
    const { key } = scene.account;
    const broken = 'breaks\r\n{"msg":"forged"}\n\u0000\u001b[2J';
    const path = `/api/v1/nowhere/${encodeURIComponent(broken)}`;
    // Of the second, the part behind the key is logged decoded.
    for (const called of [path, `/api/v1/nowhere/${key}/${encodeURIComponent(broken)}`])
      await request(server.url + called, { headers: { 'X-Request-Id': encodeURIComponent(broken) } });
    await request(`${server.url}/api/v1/nowhere/after`);
    await logged('/api/v1/nowhere/after');
    const lines = server
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
    await request(`${server.url}/docs/swagger-ui.css?v=1`);
    await logged('/docs/swagger-ui.css');
  });
});
