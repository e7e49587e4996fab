import { request, type Answer } from '../../support/clients/api.client';
import { requestLiterally } from '../../support/clients/raw.request';
import { callAuth, SessionClient, sessionOf, signIn, PASSWORD } from '../../support/clients/session.client';
import { boardBy } from '../../support/clients/session.watch';
import { dumpOf } from '../../support/database/database.dump';
import type { ServerProcess } from '../../support/programs/server.process';
import { setScene } from '../../support/scenes/base.scene';

const PUBLIC_HOST = 'leadline.example.com';
const PUBLIC_URL = `https://${PUBLIC_HOST}`;

const scene = setScene();
const url = (): string => scene.server.url;
const host = (): string => new URL(url()).host;

let person: SessionClient & { email: string };
let secure: ServerProcess;

beforeAll(async () => {
  person = await scene.join({ role: 'admin' });
  secure = await scene.addServer({ PUBLIC_URL, TRUSTED_PROXIES: '' });
});

/** A call with these headers and no others. */
const callBare = (method: string, path: string, headers: Record<string, string>): Promise<Answer> =>
  request(`${url()}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: method === 'GET' || method === 'DELETE' ? undefined : '{}',
  });

const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([given]) => given !== name));

/** Origins of pages that are not the service's, by what they try. Each other one is in origin.rules.spec.ts. */
const foreign = (): [string, string][] => [
  ['null, as of a sandboxed frame', 'null'],
  ['another site', 'https://evil.example'],
  ['a sub-domain', `http://sub.${host()}`],
];

it('a refusal names the header that is missing or wrong, at sign-in the Origin only', async () => {
  const { headers } = person;
  const evil = { Origin: 'https://evil.example' };
  for (const [path, sent, named, unnamed] of [
    ['sign-in', {}, 'Origin', 'X-CSRF-Token'],
    ['sign-in', evil, 'Origin', 'X-CSRF-Token'],
    ['sign-out', without(headers, 'Origin'), 'Origin', 'X-CSRF-Token'],
    ['sign-out', { ...headers, ...evil }, 'Origin', 'X-CSRF-Token'],
    ['sign-out', without(headers, 'X-CSRF-Token'), 'X-CSRF-Token', 'Origin'],
    ['sign-out', { ...headers, 'X-CSRF-Token': 'wrong' }, 'X-CSRF-Token', 'Origin'],
  ] as const) {
    const { body } = await callBare('POST', `/api/v1/auth/${path}`, sent);
    expect(body.error?.message).toContain(`header ${named}`);
    expect(body.error?.message).not.toContain(unnamed);
  }
});

it('a page of another origin neither changes anything nor signs anybody in, with the right token too', async () => {
  const thread_id = await scene.account.addThread();
  for (const [what, origin] of foreign()) {
    const moved = await person.call('leads/set-status', { thread_id, status_id: scene.stage(1) }, 'POST', {
      Origin: origin,
    });
    expect([what, moved.status, moved.body.error?.code]).toEqual([what, 403, 'CSRF']);
    const entered = await callAuth(
      url(),
      'sign-in',
      { email: person.email, password: PASSWORD },
      { Origin: origin },
    );
    expect([what, entered.status, entered.headers.getSetCookie()]).toEqual([what, 403, []]);
  }
  expect((await scene.api.getLead(thread_id)).body.data.status).toBeNull();
});

it('a token is of its session only, and comes in its header only', async () => {
  const own = await signIn(url(), person.email, PASSWORD);
  const other = await scene.join();
  const thread_id = await scene.account.addThread();
  const body = { thread_id, status_id: scene.stage(1) };
  const right = person.csrfToken;
  for (const token of [own.csrfToken, other.csrfToken, right.slice(1), `${right}=`, `${right}, ${right}`]) {
    const refused = await person.call('leads/set-status', body, 'POST', { 'X-CSRF-Token': token });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'CSRF']);
  }
  const bare = without(person.headers, 'X-CSRF-Token');
  const elsewhere = new Map([
    [`?csrf_token=${right}&X-CSRF-Token=${right}`, bare],
    ['', { ...bare, Cookie: `${person.cookie}; X-CSRF-Token=${right}; csrf_token=${right}` }],
  ]);
  for (const [query, headers] of elsewhere) {
    const { status } = await request(`${url()}/api/v1/leads/set-status${query}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, csrf_token: right, 'X-CSRF-Token': right }),
    });
    expect(status).toBe(403);
  }
  expect((await scene.api.getLead(thread_id)).body.data.status).toBeNull();
  expect((await person.call('leads/set-status', body)).status).toBe(200);
});

it('another site gets no permission of CORS', async () => {
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const { headers } = await callBare(method, '/api/v1/leads/set-status', {
      Cookie: person.cookie,
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-csrf-token',
    });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

it('a method is that of the request: neither a header nor a query nor a field gives another', async () => {
  const { body } = await person.call('auth/sessions');
  const [{ id }] = body.data as [{ id: string }];
  const before = await dumpOf(scene.database.pool);
  const cookie = { Cookie: person.cookie };
  for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
    for (const path of [`/api/v1/auth/sessions/${id}`, '/api/v1/auth/sign-out']) {
      // A link's GET that asks to be a change, and a change that asks to be a GET, which needs no token.
      for (const [method, other] of [
        ['GET', 'DELETE'],
        ['GET', 'POST'],
        ['POST', 'GET'],
      ] as const) {
        const answer = await callBare(method, `${path}?_method=${other}`, { ...cookie, [header]: other });
        expect([method, path, [403, 404, 405].includes(answer.status)]).toEqual([method, path, true]);
      }
    }
  }
  expect(await dumpOf(scene.database.pool)).toEqual(before);
});

it('a body that a form can send is none', async () => {
  const thread_id = await scene.account.addThread();
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  ]) {
    const credentials = { email: person.email, password: PASSWORD };
    const entered = await callAuth(url(), 'sign-in', credentials, { 'Content-Type': type });
    expect([type, entered.status, entered.headers.getSetCookie()]).toEqual([type, 422, []]);
    const body = { thread_id, status_id: scene.stage(1) };
    const moved = await person.call('leads/set-status', body, 'POST', { 'Content-Type': type });
    expect([type, moved.status, moved.body.error.code]).toEqual([type, 422, 'VALIDATION_ERROR']);
  }
  expect((await scene.api.getLead(thread_id)).body.data.status).toBeNull();
});

it('a cookie beside a key shows nobody: neither counts, for reading and boards too', async () => {
  const { key } = scene.account;
  expect((await person.call('auth/me')).status).toBe(200);
  for (const cookie of [person.cookie, 'leadline=forged', 'leadline=']) {
    const headers = { ...person.headers, Cookie: cookie, 'X-API-Key': key };
    for (const [method, path] of [
      ['GET', '/api/v1/auth/me'],
      ['POST', '/api/v1/leads/get-statuses'],
    ] as const) {
      const { status, body } = await callBare(method, path, headers);
      expect([cookie, path, status, body.error?.code]).toEqual([cookie, path, 401, 'UNAUTHORIZED']);
    }
    const page = new SessionClient(url(), cookie, '', '');
    await expect(boardBy(page, {}, { api_key: key })).rejects.toMatchObject({ message: 'UNAUTHORIZED' });
  }
});

it.each(['websocket', 'polling'])(
  'a board by a cookie opens from pages of the service only, by %s',
  async (transport) => {
    const options = { transports: [transport] };
    for (const [what, origin] of foreign()) {
      const opened = boardBy(person, { Origin: origin }, {}, options).then(
        (board) => board.close(),
        ({ message }: Error) => message,
      );
      expect([what, await opened]).toEqual([what, 'FORBIDDEN']);
    }
    const none = { ...options, extraHeaders: { Cookie: person.cookie } };
    await expect(boardBy(person, {}, {}, none)).rejects.toMatchObject({ message: 'FORBIDDEN' });
    (await boardBy(person, {}, {}, options)).close();
  },
);

describe('the cookie', () => {
  const attributesOf = (answer: Answer): string[] =>
    (answer.headers.getSetCookie()[0] ?? '').split('; ').map((part) => part.split('=')[0] ?? '');
  const enter = (origin: string): Promise<Answer> =>
    requestLiterally(secure.url, {
      path: '/api/v1/auth/sign-in',
      headers: { Host: PUBLIC_HOST, Origin: origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    });

  it('is of the host alone, for no script, sent by other sites with links only, and gone at sign-out', async () => {
    const answer = await callAuth(url(), 'sign-in', { email: person.email, password: PASSWORD });
    expect(attributesOf(answer).sort()).toEqual(['Expires', 'HttpOnly', 'Path', 'SameSite', 'leadline']);
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/;.*SameSite=Lax/);
    const out = await sessionOf(url(), answer).call('auth/sign-out', {});
    expect(out.headers.getSetCookie()[0]).toMatch(/^leadline=;.*Expires=Thu, 01 Jan 1970/);
  });

  // Which names and origins count behind https is in session-cookie.spec.ts and origin.rules.spec.ts.
  it('behind https has the prefix __Host- and is Secure, when it goes too, and the page came over TLS', async () => {
    expect((await enter(`http://${PUBLIC_HOST}`)).body.error.code).toBe('CSRF');
    const answer = await enter(PUBLIC_URL);
    const names = ['Expires', 'HttpOnly', 'Path', 'SameSite', 'Secure', '__Host-leadline'];
    expect(attributesOf(answer).sort()).toEqual(names);
    const session = sessionOf(secure.url, answer);
    const bare = { Cookie: session.cookie.replace('__Host-', '') };
    expect((await request(`${secure.url}/api/v1/auth/me`, { headers: bare })).status).toBe(401);
    const out = await session.call('auth/sign-out', {}, 'POST', { Origin: PUBLIC_URL });
    expect([out.status, attributesOf(out).sort()]).toEqual([200, names]);
  });
});

it('where no proxy is trusted the network that guesses are counted by is that of the connection, whatever headers say', async () => {
  const { email } = await scene.join();
  const enter = (password: string, name: string, ip: string): Promise<Answer> =>
    callAuth(secure.url, 'sign-in', { email, password }, { Origin: PUBLIC_URL, [name]: ip });
  const names = [
    ...['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'],
    ...['X-Forwarded-For', 'Forwarded', 'X-Forwarded-For', 'Forwarded'],
  ];
  for (const [n, name] of names.entries()) {
    const ip = `198.51.100.${n}`;
    expect((await enter('no such quiet river', name, name === 'Forwarded' ? `for=${ip}` : ip)).status).toBe(
      401,
    );
  }
  expect((await enter(PASSWORD, 'X-Forwarded-For', '198.51.100.99')).status).toBe(429);
});
