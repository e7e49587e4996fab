import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Answer } from '../../support/clients/api.client';
import { metricsOf } from '../../support/clients/metrics.reader';
import { requestLiterally, type LiteralRequest } from '../../support/clients/raw.request';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { eventually } from '../../support/eventually';
import { PageInstallation } from '../../support/programs/page.installation';
import { endAll, startServer, type ServerProcess } from '../../support/programs/server.process';

const PAGE = '<!doctype html><meta name="csp-nonce" content="" /><title>Leadline</title>';
/** As it is answered. @param session whether the browser sent a session's cookie */
const pageWith = (nonce: string, session: 'none' | 'given'): string =>
  PAGE.replace('content="" />', `content="${nonce}" /><meta name="session" content="${session}" />`);
const SCRIPT = `export const words = ${JSON.stringify('words '.repeat(200))};`;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const asBrowser = { headers: { Accept: BROWSER } };
const THREAD = 'thread_01930000-0000-7000-8000-00000000abcd';

let database: TestDatabase;
let installation: PageInstallation;
let server: ServerProcess;
/** What was answered at three addresses before a page was built. */
let bare: Answer[];
const servers: ServerProcess[] = [];

async function start(environment: Record<string, string>): Promise<ServerProcess> {
  const started = await startServer(database.url, environment, installation.main);
  servers.push(started);
  return started;
}

beforeAll(async () => {
  database = await createDatabase();
  installation = new PageInstallation();
  server = await start({ LOG_LEVEL: 'info' });
  bare = [await ask('/board'), await ask('/elsewhere', asBrowser), await ask('/health/ready')];
  installation.put('index.html', PAGE);
  installation.put('assets/index-a1.js', SCRIPT);
  installation.put('assets/index-a1.js.br', brotliCompressSync(SCRIPT));
  installation.put('assets/index-a1.js.gz', gzipSync(SCRIPT));
  installation.put('assets/mark-a1.png', Buffer.from([1, 2, 3]));
  installation.put('assets/notes.md', 'not for the page');
  installation.put('assets/.hidden.js', 'hidden');
  installation.putOutside('secret.js', 'secret');
});

afterAll(async () => {
  await endAll(servers);
  installation?.remove();
  await database?.drop();
});

const ask = (path: string, literal: Omit<LiteralRequest, 'path'> = {}, url = server.url): Promise<Answer> =>
  requestLiterally(url, { method: 'GET', path, ...literal });

const policyOf = ({ headers }: Answer): Map<string, string> =>
  new Map(
    String(headers.get('content-security-policy'))
      .split('; ')
      .map((rule) => [rule.split(' ', 1).join(), rule.split(' ').slice(1).join(' ')]),
  );

describe('the page', () => {
  it.each([
    ...[
      '/',
      '/sign-in',
      '/invitation',
      '/board',
      '/board/anything',
      `/dialogs/${THREAD}`,
      '/send',
      '/import',
      '/figures',
    ],
    ...['/runs', '/settings', '/settings/keys', '/board/x?search=a%20b'],
  ])('is at %s, for GET and for HEAD, without a key, and is not kept', async (path) => {
    const [got, head] = [await ask(path), await ask(path, { method: 'HEAD' })];
    for (const { status, headers } of [got, head]) {
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('ratelimit-limit')).toBeNull();
    }
    expect([got.text.includes('<title>Leadline</title>'), head.text]).toEqual([true, '']);
  });

  it.each(['POST', 'PUT', 'DELETE'])('takes no %s', async (method) => {
    const { status, body, headers } = await ask('/board', { method });
    expect([status, body.error.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD']);
  });

  it('tells a browser that sent no session that there is none, so that it need not ask and be refused', async () => {
    const [none, given] = [
      await ask('/'),
      await ask('/', { headers: { Cookie: 'leadline=s%3Aold.signature' } }),
    ];
    expect(none.text).toContain('<meta name="session" content="none" />');
    expect(given.text).toContain('<meta name="session" content="given" />');
  });

  it('has a nonce of each answer, the same in its policy and in its text, and nothing else changes', async () => {
    const answers = [await ask('/board'), await ask('/board'), await ask('/elsewhere', asBrowser)];
    const nonces = answers.map((answer) => {
      const [, nonce = ''] = /'nonce-([\w+/=]{22,})'/.exec(String(policyOf(answer).get('style-src'))) ?? [];
      expect(answer.text).toBe(pageWith(nonce, 'none'));
      return nonce;
    });
    expect(new Set(nonces).size).toBe(3);
  });

  it('lets the browser do nothing that it does not need', async () => {
    const answer = await ask('/board', { headers: { Host: 'leadline.example:8443' } });
    const policy = policyOf(answer);
    expect(Object.fromEntries([...policy].filter(([name]) => name !== 'style-src'))).toEqual({
      'default-src': "'self'",
      'script-src': "'self'",
      'img-src': "'self' data: blob:",
      'media-src': "'self' blob:",
      'font-src': "'self'",
      'connect-src': "'self' ws://leadline.example:8443",
      'worker-src': "'self'",
      'manifest-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'form-action': "'self'",
    });
    expect(policy.get('style-src')).toMatch(/^'self' 'nonce-[\w+/=]+'$/);
    const { headers } = answer;
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  it.each([
    "x; script-src 'unsafe-inline'",
    'x y',
    "'unsafe-eval'",
    'x,y',
    'evil.example/path',
    'user@evil.example',
    '*',
    '*.example',
    '"><script>alert(1)</script>',
    'x:1:2',
    'x:port',
    'ü.example',
  ])('has nothing of a Host that is none: %s', async (host) => {
    const answer = await ask('/board', { headers: { Host: Buffer.from(host).toString('latin1') } });
    expect([answer.status, policyOf(answer).get('connect-src')]).toEqual([200, "'self'"]);
    expect([...policyOf(answer).keys()]).toHaveLength(13);
  });

  it.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'leadline.example', 'LEADLINE.example'])(
    'may open its socket at the host by which it came: %s',
    async (host) => {
      const answer = await ask('/board', { headers: { Host: host } });
      expect(policyOf(answer).get('connect-src')).toBe(`'self' ws://${host}`);
    },
  );

  it('has nothing of what was asked in its text', async () => {
    const marked = '"><script>marker</script>';
    const headers = {
      Host: marked,
      Cookie: marked,
      Referer: marked,
      'X-Request-Id': marked,
      Accept: BROWSER,
    };
    const address = encodeURIComponent(marked);
    for (const path of [`/board/${address}?q=${address}`, `/${address}`, '/board/"><script>marker'])
      expect((await ask(path, { headers })).text).not.toContain('marker');
  });

  it('is in logs and metrics by the pattern of its address, not by the dialog', async () => {
    const id = 'the-page-of-a-dialog';
    await ask(`/dialogs/${THREAD}`, { headers: { 'X-Request-Id': id } });
    const line = await eventually(
      async () =>
        server
          .output()
          .split('\n')
          .find((text) => text.includes(id)),
      5_000,
      'no log line of the page',
    );
    expect(JSON.parse(line)).toMatchObject({ path: '/dialogs/:id', status: 200, method: 'GET' });
    expect(server.output()).not.toContain(THREAD);
    const metrics = await metricsOf(server);
    expect(metrics).toContain('route="/dialogs/:id",status="200"');
    expect(metrics).not.toContain(THREAD);
  });
});

describe('an unknown address', () => {
  it.each(['/elsewhere', '/board/a/b', '/Board', '/board/', '/%zz', '/apiary', '//x', '/dialogs'])(
    'shows the page, as 404, to whoever opens it in a browser: %s',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await ask(path, { method, ...asBrowser });
        expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(text.includes('<title>Leadline</title>')).toBe(method === 'GET');
      }
    },
  );

  it.each(['*/*', 'application/json', 'image/avif,image/webp,*/*;q=0.8', 'text/html;q=0', undefined])(
    'is in the envelope for programs: Accept %s',
    async (accept) => {
      const { status, body } = await ask('/elsewhere', { headers: accept ? { Accept: accept } : {} });
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('is in the envelope for whoever changes something', async () => {
    const { status, body } = await ask('/elsewhere', { method: 'POST', ...asBrowser });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ...[
      '/api',
      '/api/v1/leads/x',
      '/API/x',
      '/docs/x',
      '/health',
      '/health/x',
      '/files',
      '/files/x/y',
      '/metrics/x',
    ],
    ...['/socket.io', '/assets', '/assets/x/y.js', '/openapi.json/x', '/webhooks/x'],
  ])('is in the envelope where programs call: %s', async (path) => {
    const { status, body } = await ask(path, asBrowser);
    expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a file of the page', () => {
  const SCRIPT_PATH = '/assets/index-a1.js';

  it('is kept for good, with its type, without a question whether it has changed', async () => {
    const { status, headers, text } = await ask(SCRIPT_PATH);
    expect([status, text]).toEqual([200, SCRIPT]);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('content-length')).toBe(String(SCRIPT.length));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const absent of ['content-encoding', 'etag', 'last-modified', 'set-cookie'])
      expect([absent, headers.get(absent)]).toEqual([absent, null]);
    expect((await ask('/assets/mark-a1.png')).headers.get('content-type')).toBe('image/png');
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, br;q=0.1', null],
    ['zstd', null],
    ['', null],
    ['gzip;q=0', null],
  ])('comes as Accept-Encoding %j likes it best: %s', async (accepted, encoding) => {
    const { status, headers } = await ask(SCRIPT_PATH, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': accepted },
    });
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([
      200,
      encoding,
      'Accept-Encoding',
    ]);
    const length = { br: brotliCompressSync(SCRIPT).length, gzip: gzipSync(SCRIPT).length };
    const expected = encoding === null ? SCRIPT.length : length[encoding as 'br' | 'gzip'];
    expect(headers.get('content-length')).toBe(String(expected));
  });

  it.each(['br', 'gzip'])('is the same when its form %s is unpacked', async (encoding) => {
    const answer = await fetch(server.url + SCRIPT_PATH, { headers: { 'Accept-Encoding': encoding } });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([encoding, SCRIPT]);
  });

  it.each([
    { 'If-None-Match': '*' },
    { 'If-Match': '"x"' },
    { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { Range: 'bytes=0-3' },
  ])('is whole whatever a request says: %j', async (headers) => {
    const { status, text } = await ask(SCRIPT_PATH, { headers });
    expect([status, text]).toEqual([200, SCRIPT]);
  });

  it.each([
    ...['index-b2.js', 'index-a1.js.br', 'index-a1.js.gz', 'notes.md', '.hidden.js', '', '.', 'INDEX-A1.js'],
    ...['../secret.js', '..%2fsecret.js', '%2e%2e%2fsecret.js', '..%5csecret.js', '../assets/index-a1.js'],
    ...['..%2f..%2fsecret.js', 'index-a1.js%00', 'index-a1.js/', '%zz', 'x'.repeat(3_000) + '.js'],
  ])('that is none of them is 404 in the envelope, and not kept: %s', async (name) => {
    const { status, body, headers, text } = await ask(`/assets/${name}`, asBrowser);
    expect([status, body.error?.code, headers.get('cache-control')]).toEqual([404, 'NOT_FOUND', 'no-store']);
    expect(text).not.toContain('secret');
  });

  it('takes no POST', async () => {
    expect((await ask(SCRIPT_PATH, { method: 'POST' })).status).toBe(405);
  });
});

it('a process beside which no page was built says so, and serves it once it is, and no newer one', async () => {
  const [page, unknown, ready] = bare;
  expect([page?.status, page?.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect([page?.text.includes('npm run build'), page?.headers.get('cache-control')]).toEqual([
    true,
    'no-store',
  ]);
  expect([unknown?.body.error.code, ready?.status]).toEqual(['NOT_FOUND', 200]);
  expect((await ask('/board')).status).toBe(200);
  installation.put('index.html', `${PAGE}newer`);
  expect((await ask('/board')).text).not.toContain('newer');
});

describe('a process of production', () => {
  let production: Promise<ServerProcess> | undefined;
  const startProduction = (): Promise<ServerProcess> =>
    (production ??= start({ NODE_ENV: 'production', PUBLIC_URL: 'https://leadline.example' }));

  it('behind https tells browsers in each answer to come by https alone, and opens sockets so', async () => {
    const { url } = await startProduction();
    const headers = { Host: 'leadline.example' };
    const paths = ['/board', '/assets/index-a1.js', '/health/live', '/nowhere', '/docs', '/api/v1/auth/me'];
    for (const path of [...paths, '/socket.io/?EIO=4&transport=polling']) {
      const answer = await ask(path, { headers }, url);
      expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
    }
    expect(policyOf(await ask('/board', { headers }, url)).get('connect-src')).toBe(
      "'self' wss://leadline.example",
    );
  });

  it('hides the page of its parts, which others show', async () => {
    const { url } = await startProduction();
    expect([(await ask('/design', {}, url)).status, (await ask('/design')).status]).toEqual([404, 200]);
  });
});
