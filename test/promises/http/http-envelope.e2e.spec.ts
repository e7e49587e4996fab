import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from '../../support/clients/api.client';
import { dumpOf } from '../../support/database/database.dump';
import { addAdminKey } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { requestLiterally, WEBSOCKET, type LiteralRequest } from '../../support/clients/raw.request';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const GET_LEAD = '/api/v1/leads/get-lead';

describe('every answer', () => {
  const scene = setScene();
  let threadId: string;
  let adminKey: string;

  beforeAll(async () => {
    threadId = await scene.account.addThread({ statusId: scene.account.stages[0] });
    adminKey = await addAdminKey(scene.database.pool);
  });

  const send = (literal: LiteralRequest): Promise<Answer> => requestLiterally(scene.server.url, literal);

  it('is 200 with the success envelope and nothing else', async () => {
    const { status, text, headers } = await scene.api.getLead(threadId);
    expect([status, Object.keys(JSON.parse(text) as object)]).toEqual([200, ['ok', 'data']]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each(['get-statuses', 'get-lead', 'set-status', 'set-status-bulk', 'set-ai', 'get-history'])(
    'is 200 and never 201 for %s',
    async (operation) => {
      const move = { thread_id: threadId, status_id: scene.account.stages[1] };
      const { status, body } = await scene.api.call(`leads/${operation}`, {
        ...(operation !== 'get-statuses' && { thread_id: threadId, ai_enabled: false }),
        ...(operation === 'set-status' && move),
        items: [move],
      });
      expect([status, body.ok]).toEqual([200, true]);
    },
  );

  it('carries the error envelope with its code, a sentence, the status again and the request id', async () => {
    const { status, body, headers } = await scene.api.getLead('thread_unknown');
    expect(status).toBe(404);
    expect(body).toEqual({
      ok: false,
      error: {
        code: 'THREAD_NOT_FOUND',
        message: expect.stringMatching(/^[A-Z].+\.$/),
        status: 404,
        request_id: headers.get('x-request-id'),
      },
    });
  });

  describe('X-Request-Id', () => {
    it.each(['a', 'order-7:retry.1', '01930000-0000-7000-8000-00000000abcd', 'x'.repeat(128)])(
      'is the caller’s when it is sane: %s',
      async (id) => {
        const headers = { 'X-Request-Id': id };
        const good = await scene.api.call('leads/get-lead', { thread_id: threadId }, 'POST', headers);
        const bad = await send({ path: '/nowhere', headers });
        expect(good.headers.get('x-request-id')).toBe(id);
        expect([bad.headers.get('x-request-id'), bad.body.error.request_id]).toEqual([id, id]);
      },
    );

    it.each(['', 'two words', 'x'.repeat(129), '"quoted"', '<b>', 'a,b', 'naïve', ['a', 'b']])(
      'is new when the caller’s is not sane: %j',
      async (id) => {
        const { headers, body } = await send({ path: '/nowhere', headers: { 'X-Request-Id': id } });
        expect(headers.get('x-request-id')).toMatch(UUID_7);
        expect(body.error.request_id).toBe(headers.get('x-request-id'));
      },
    );
  });

  it('has the headers that keep data where it belongs, and does not name its maker', async () => {
    const answers = [
      await scene.api.getLead(threadId),
      await scene.api.getLead('thread_x'),
      await send({ path: '/nowhere' }),
      await send({ method: 'GET', path: '/health/live' }),
      await send({ method: 'GET', path: '/openapi.json' }),
    ];
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each([
    '//',
    '/api/v1/leads/unknown',
    '/api/v1/leads/get-lead/',
    '/api/v1/leads/GET-LEAD',
    '/API/v1/leads/get-lead',
    '//api/v1/leads/get-lead',
    '/api/v1/leads/get%2Dlead',
    '/api/v1/leads%2Fget-lead',
    '/api/v1/../v1/leads/get-lead',
    '/api/v1/leads/get-lead;v=1',
    '/api/v1/leads/get-lead%00',
    '/api/v1/leads/%zz',
    '/api/v1/admin/accounts/%zz',
    '/api/v1/admin/accounts/%c3',
    '/api/v1/admin/accounts/a/b',
    '/api/v2/leads/get-lead',
    '/docs/unknown.js',
    '/docs/%zz',
    '/docs/..%2fpackage.json',
    '/socket.io',
    '/__proto__',
    '/constructor',
    'http://[/',
    'http://x:99999/',
    'http://x/unknown',
    'http://x/socket.io/?EIO=4&transport=polling',
    '//socket.io/?EIO=4&transport=polling',
    '/SOCKET.IO/?EIO=4&transport=polling',
    '/socket%2eio/?EIO=4&transport=polling',
    '/./socket.io/?EIO=4&transport=polling',
  ])('is 404 NOT_FOUND in the envelope, without a key, for the unknown path %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body, headers } = await send({ method, path, headers: { 'X-Request-Id': 'mine' } });
      expect([status, body.error?.code, body.error?.request_id]).toEqual([404, 'NOT_FOUND', 'mine']);
      expect(headers.get('ratelimit-limit')).toBeNull();
    }
  });

  it('takes an address in absolute form, as proxies send it, for its path', async () => {
    const { status, body } = await send({ method: 'GET', path: 'http://leadline.example/health/live?x=1' });
    expect([status, body.data]).toEqual([200, { status: 'live' }]);
  });

  it.each([
    [GET_LEAD, 'POST', ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']],
    ['/api/v1/leads/set-status', 'POST', ['GET', 'PUT', 'OPTIONS']],
    ['/api/v1/admin/accounts', 'GET, HEAD, POST', ['PUT', 'DELETE', 'OPTIONS', 'PATCH']],
    ['/api/v1/admin/accounts/some-id', 'GET, HEAD, PATCH', ['POST', 'DELETE', 'OPTIONS']],
    ['/api/v1/admin/api-keys/some-id', 'PATCH, DELETE', ['GET', 'POST', 'PUT', 'HEAD']],
    ['/health/live', 'GET, HEAD', ['POST', 'OPTIONS']],
    ['/metrics', 'GET, HEAD', ['POST']],
    ['/openapi.json', 'GET, HEAD', ['POST']],
    ['/docs', 'GET, HEAD', ['POST']],
  ])('is 405 with Allow for another method on %s, which takes %s', async (path, allow, methods) => {
    for (const method of methods) {
      const { status, body, headers } = await send({ method, path });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, allow]);
      if (method !== 'HEAD') expect(body.error.code).toBe('METHOD_NOT_ALLOWED');
      expect(headers.get('x-request-id')).toMatch(UUID_7);
    }
  });

  it('is JSON by its header too when the operation answers another type', async () => {
    const { status, body, headers } = await send({ method: 'GET', path: '/metrics' });
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('comes for a request with an expectation that no one knows', async () => {
    const headers = {
      Expect: 'miracles',
      'X-API-Key': scene.account.key,
      'Content-Type': 'application/json',
    };
    const { status } = await send({
      path: GET_LEAD,
      headers,
      body: JSON.stringify({ thread_id: threadId }),
    });
    expect(status).toBe(200);
  });

  it.each(['h2c', 'websocket'])('comes for a request that offers to upgrade to %s', async (protocol) => {
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: protocol,
      'HTTP2-Settings': 'AAMAAABk',
    };
    expect((await send({ method: 'GET', path: '/health/live', headers })).status).toBe(200);
  });

  it.each([
    'http://x/socket.io/?EIO=4&transport=websocket',
    'http://x/unknown',
    '//socket.io/?EIO=4&transport=websocket',
    '/socket%2eio/?EIO=4&transport=websocket',
    '/socket.io',
  ])('is 404 NOT_FOUND for an upgrade to a websocket at %s', async (path) => {
    const { status, body } = await send({ method: 'GET', path, headers: WEBSOCKET });
    expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('leaves everything as it was for 404, 405 and 401, the counters included', async () => {
    const before = await dumpOf(scene.database.pool, { withCounters: true });
    const body = JSON.stringify({ thread_id: threadId, status_id: null });
    const keyed = { 'Content-Type': 'application/json', 'X-API-Key': scene.account.key };
    const statuses = [
      await send({ path: '/api/v1/leads/set-statuS', headers: keyed, body }),
      await send({ method: 'PUT', path: '/api/v1/leads/set-status', headers: keyed, body }),
      await send({ path: '/api/v1/leads/set-status', headers: { ...keyed, 'X-API-Key': 'll_wrong' }, body }),
      await send({ method: 'POST', path: '/api/v1/admin/accounts/x', headers: { 'X-API-Key': adminKey } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 405, 401, 405]);
    expect(await dumpOf(scene.database.pool, { withCounters: true })).toEqual(before);
  });

  describe('to bytes', () => {
    async function said(bytes: string): Promise<string> {
      const { hostname, port } = new URL(scene.server.url);
      const socket = connect(Number(port), hostname);
      socket.write(bytes);
      return text(socket);
    }

    it('that are not HTTP is a bare 400 and the end of the connection, and the process lives on', async () => {
      expect(await said('\x16\x03\x01 not http\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
      expect((await send({ method: 'GET', path: '/health/live' })).status).toBe(200);
    });

    it('without Host, or with two, is a 400 and the end of the connection, but for probes by HTTP/1.0', async () => {
      const get = (version: string, hosts: string) =>
        said(`GET /health/live HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`);
      for (const hosts of ['', 'Host: a\r\nHost: a\r\n', 'Host: a\r\nhost: b\r\n'])
        expect(await get('1.1', hosts)).toMatch(/^HTTP\/1\.1 400 [\s\S]*X-Request-Id: /);
      expect(await get('1.1', 'Host: a\r\n')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await get('1.0', '')).toMatch(/^HTTP\/1\.1 200 /);
    });
  });

  describe('to a request with a condition', () => {
    const get = (path: string, headers: Record<string, string> = {}) =>
      send({ method: 'GET', path, headers });

    it.each(['/health/live', '/health/ready', '/openapi.json', '/docs', '/api/v1/admin/accounts'])(
      'is whole: %s',
      async (path) => {
        for (const value of ['*', '"x"', 'W/"x"']) {
          const { status, text } = await get(path, { 'If-None-Match': value, 'X-API-Key': adminKey });
          expect([value, status, text === '']).toEqual([value, 200, false]);
        }
      },
    );

    it('is whole, and no fault of ours, where it is a file', async () => {
      for (const [name, value] of [
        ['Range', 'bytes=99999999-'],
        ['Range', 'bytes=0-3'],
        ['If-Match', '"x"'],
        ['If-None-Match', '*'],
        ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
        ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ] as const) {
        const { status, text } = await get('/docs/swagger-ui.css', { [name]: value });
        expect([name, value, status, text.length > 10_000]).toEqual([name, value, 200, true]);
      }
      expect(scene.server.output()).not.toContain('our own fault');
    });
  });

  it('of the documentation is made of the files it needs, which take GET alone', async () => {
    const { text: page } = await send({ method: 'GET', path: '/docs' });
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => String(path));
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) {
      expect([path, (await send({ method: 'GET', path })).status]).toEqual([path, 200]);
      const { status, headers } = await send({ path });
      expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect((await send({ method: 'GET', path: '/docs/index.html' })).status).toBe(404);
  });

  it.each([
    '/socket.io/?EIO=4&transport=polling',
    '/socket.io/',
    '/socket.io/?EIO=4&transport=polling&sid=x',
  ])('of the sockets, to %s, names the request', async (path) => {
    const idOf = async (headers = {}) =>
      (await send({ method: 'GET', path, headers })).headers.get('x-request-id');
    expect([await idOf(), await idOf({ 'X-Request-Id': 'mine' })]).toEqual([
      expect.stringMatching(UUID_7),
      'mine',
    ]);
  });
});
