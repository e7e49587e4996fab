import { randomBytes } from 'node:crypto';
import { setScene } from '../../support/scenes/base.scene';
import { ApiClient, request } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { MAIN } from '../../support/programs/server.process';

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
  await scene.database.pool.query('DROP TRIGGER failing ON api_keys');
});

describe('the line of a request', () => {
  const logged = (path: string): Promise<boolean> =>
    eventually(async () => scene.server.output().includes(`"path":"${path}"`), 5_000, `no line of ${path}`);

  const logLineOf = async (id: string): Promise<unknown> => {
    const line = async () =>
      scene.server
        .output()
        .split('\n')
        // A refusal has a line of the audit, too.
        .find((text) => text.includes(id) && text.includes('"method"'));
    return JSON.parse(await eventually(line, 5_000, 'no log line of the request'));
  };

  it('has its id, method, path and status, and neither the key nor the body', async () => {
    const thread = await scene.account.addThread();
    const id = 'the-logged-one';
    await scene.api.call('leads/get-lead', { thread_id: thread, note: 'a secret text' }, 'POST', {
      'X-Request-Id': id,
    });
    expect(await logLineOf(id)).toMatchObject({
      request_id: id,
      method: 'POST',
      path: '/api/v1/leads/get-lead',
      status: 200,
    });
    expect(scene.server.output()).not.toContain(scene.account.key);
    expect(scene.server.output()).not.toContain('a secret text');
  });

  it.each([403, 429])('has the id of the key of a call refused with %i', async (status) => {
    const key = await scene.account.addKey({ scopes: ['messages'], limitLeads: 1 });
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM api_keys ORDER BY created_at DESC, id DESC LIMIT 1',
    );
    const refused = new ApiClient(scene.server.url, key);
    if (status === 429) await refused.getStatuses();
    const id = `refused-with-${status}`;
    await refused.call('leads/get-statuses', {}, 'POST', { 'X-Request-Id': id });
    expect(await logLineOf(id)).toMatchObject({ status, key_id: rows[0]?.id });
  });

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
});
