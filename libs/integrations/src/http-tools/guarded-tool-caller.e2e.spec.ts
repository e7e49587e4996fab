import { gzipSync } from 'node:zlib';
import type { HttpToolAnswer, HttpToolRequest } from '@app/domain/assistants/http-tool.port';
import { HOSTILE_URLS } from '../../../../test/support/stand-ins/hostile.addresses';
import { StandInProvider, UNUSABLE } from '../../../../test/support/stand-ins/provider.stand-in';
import { GuardedToolCaller } from './guarded-tool-caller';

const NEVER = new AbortController().signal;
const SECRET = 'sk_live_4f1c9be27d60a8352e9b7c14';

let standIn: StandInProvider;

/** The caller as the demo configures it. */
const here = new GuardedToolCaller({ mayReachThisMachine: true });
/** The caller as in production. */
const strict = new GuardedToolCaller({ mayReachThisMachine: false });

const call = (
  given: Partial<HttpToolRequest> = {},
  { caller = here, signal = NEVER }: { caller?: GuardedToolCaller; signal?: AbortSignal } = {},
): Promise<HttpToolAnswer> =>
  caller.call(
    { method: 'POST', url: `${standIn.url}/stock`, headers: {}, arguments: {}, timeoutMs: 5_000, ...given },
    signal,
  );

const failed = (reason: string) => ({ kind: 'failed', reason: expect.stringContaining(reason) as string });
const refused = (reason: string) => ({ ...failed(reason), refused: true });

beforeAll(async () => {
  standIn = await StandInProvider.open();
});

beforeEach(() => standIn.reset());

afterAll(() => standIn.close());

describe('a call', () => {
  it.each(['POST', 'PUT', 'PATCH'] as const)('by %s carries its arguments as JSON', async (method) => {
    standIn.answer(201, { left: 3 });
    const answer = await call({ method, arguments: { city: 'Алматы', n: 2, of: [1], no: null } });
    expect(answer).toEqual({ kind: 'answered', status: 201, body: '{"left":3}', overlong: false });
    const body = '{"city":"Алматы","n":2,"of":[1],"no":null}';
    expect(standIn.ledger).toMatchObject([{ method, url: '/stock', body }]);
    expect(standIn.ledger[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it.each(['GET', 'DELETE'] as const)('by %s carries them in its address', async (method) => {
    const url = `${standIn.url}/stock?shop=7#part`;
    await call({ method, url, arguments: { q: 'a&b=ж #?', n: 2, is: true, of: [1, 'x'], no: null } });
    const [seen] = standIn.ledger;
    expect(seen).toMatchObject({ method, body: '' });
    expect(Object.fromEntries(new URL(seen!.url, standIn.url).searchParams)).toEqual({
      shop: '7',
      q: 'a&b=ж #?',
      n: '2',
      is: 'true',
      of: '[1,"x"]',
    });
  });

  it('carries the headers that are given, and names us', async () => {
    await call({ headers: { Authorization: `Bearer ${SECRET}`, 'x-shop': '7' } });
    expect(standIn.ledger[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'x-shop': '7',
      'user-agent': 'Leadline-Tools/1',
      'accept-encoding': 'identity',
      host: new URL(standIn.url).host,
    });
  });

  it.each([
    ['x-a', 'line\r\nX-Injected: 1'],
    ['x-a', 'line\nmore'],
    ['x-a', 'nul\0'],
    ['x-a', 'ж'],
    ['x-a', ''],
    ['Host', 'inner'],
    ['connection', 'upgrade'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '5'],
    ['user-agent', 'curl'],
    ['x a', '1'],
    ['x\r\na', '1'],
  ])('is not made with the header %j: %j', async (name, value) => {
    expect(await call({ headers: { [name]: value } })).toEqual(refused('headers'));
    expect(standIn.ledger).toEqual([]);
  });

  it.each(['POST', 'GET'] as const)('by %s is made once, whatever comes of it', async (method) => {
    standIn.behave = UNUSABLE['a reset']!;
    expect(await call({ method })).toEqual(failed('the connection broke: '));
    expect(standIn.ledger).toHaveLength(1);
  });

  it('leaves no connection behind', async () => {
    for (let round = 0; round < 3; round += 1) await call();
    expect(standIn.connections).toBe(3);
    expect(await standIn.openConnections(0)).toBe(0);
  });
});

describe('an answer', () => {
  it('of any status is returned, except a redirect, which is not followed', async () => {
    standIn.answer(404, 'no such article');
    expect(await call()).toMatchObject({ kind: 'answered', status: 404, body: 'no such article' });
    for (const status of [301, 302, 303, 307, 308]) {
      standIn.answer(status, '', { location: `${standIn.url}/elsewhere` });
      expect(await call()).toEqual(failed(`redirect (${status})`));
    }
    expect(standIn.ledger.filter(({ url }) => url === '/elsewhere')).toEqual([]);
  });

  it('is read up to 64 KiB, and no character is cut in its middle', async () => {
    standIn.answer(200, 'ж'.repeat(32_768));
    expect(await call()).toMatchObject({ kind: 'answered', overlong: false });
    standIn.answer(200, `a${'ж'.repeat(40_000)}`);
    const body = `a${'ж'.repeat(32_767)}`;
    expect(await call()).toMatchObject({ kind: 'answered', body, overlong: true });
  });

  it('without an end is left where it is', async () => {
    const before = process.memoryUsage().rss;
    standIn.behave = UNUSABLE['100 MB']!;
    expect(await call()).toMatchObject({ kind: 'answered', overlong: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(30e6);
    expect(await standIn.openConnections(0)).toBe(0);
  });

  it('that is compressed is not taken, whatever it would become', async () => {
    standIn.behave = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    };
    expect(await call()).toEqual(failed('compressed'));
  });

  it('that is no text becomes one that can be stored', async () => {
    standIn.behave = (response) => void response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62]));
    const answer = await call();
    expect(answer).toMatchObject({ kind: 'answered', body: expect.stringMatching(/^a\ufffd+b$/) as string });
  });

  it.each(['no HTTP at all', 'an end without a word', 'a head without its body'])(
    'that is %s is a failure',
    async (name) => {
      standIn.behave = UNUSABLE[name]!;
      expect(await call()).toEqual(failed('the connection broke: '));
    },
  );

  it('that repeats our headers has their values masked', async () => {
    standIn.behave = (response, { headers }) => {
      const { authorization } = headers;
      response.end(JSON.stringify({ headers, bare: authorization?.split(' ')[1], in: `a/${SECRET}?` }));
    };
    const quoted = 'a"b\\c/d e';
    const answer = await call({
      headers: { Authorization: `Bearer ${SECRET}`, 'x-key': quoted, 'x-one': '1' },
    });
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    const { body } = answer as { body: string };
    for (const secret of [SECRET, quoted, 'a\\"b']) expect(body).not.toContain(secret);
    expect(body).toContain('"x-one":"1"');
  });

  it('that is cut within a secret does not show its beginning', async () => {
    standIn.answer(200, 'x'.repeat(65_520) + SECRET);
    const answer = await call({ headers: { 'x-key': SECRET } });
    expect((answer as { body: string }).body).toMatch(/^x+\*\*\*$/);
  });
});

describe('time', () => {
  it.each(['no answer', 'a dripping answer'])('is up for %s', async (name) => {
    const drip: (typeof UNUSABLE)[string] = (response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    standIn.behave = UNUSABLE[name] ?? drip;
    expect(await call({ timeoutMs: 300 })).toEqual(failed('no whole answer came within 300 ms'));
    expect(await standIn.openConnections(0)).toBe(0);
  });

  it('is up for a name server that says nothing', async () => {
    const caller = new GuardedToolCaller({
      mayReachThisMachine: true,
      resolve: () => new Promise(() => undefined),
    });
    const answer = await call({ url: 'http://shop.test/', timeoutMs: 200 }, { caller });
    expect(answer).toEqual(failed('no whole answer came within 200 ms'));
  });

  it('is no more once the signal is aborted, and the connection is closed', async () => {
    standIn.behave = (response) => void response.write('{"some":');
    const stop = new AbortController();
    const answer = call({}, { signal: stop.signal });
    await standIn.openConnections(1);
    stop.abort();
    expect(await answer).toEqual({ kind: 'aborted' });
    expect(await standIn.openConnections(0)).toBe(0);
  });

  it('does not begin for a signal that is aborted already', async () => {
    expect(await call({}, { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' });
    expect(standIn.connections).toBe(0);
  });
});

// Which addresses are called is shown beside `guarded-addresses.ts`.
describe('an address', () => {
  it('that is hostile is refused by itself, in every form, and not called', async () => {
    const notCalled = refused('its address is not one that is called');
    for (const url of HOSTILE_URLS) {
      const answers = [await call({ url }, { caller: strict }), await strict.connect(url, 5_000)];
      expect([url, strict.violationOfUrl(url), ...answers]).toEqual([
        url,
        expect.stringContaining('must '),
        notCalled,
        notCalled,
      ]);
    }
  });

  it.each([[['127.0.0.1']], [['::ffff:10.0.0.1']], [['8.8.8.8', '10.0.0.1']]])(
    'whose name leads to %j is not connected to',
    async (addresses) => {
      const caller = new GuardedToolCaller({ mayReachThisMachine: false, resolve: async () => addresses });
      const url = `https://inner.example.com:${new URL(standIn.url).port}/`;
      const answer = await call({ url }, { caller });
      expect(answer).toEqual(refused('its name leads to an address that is not called'));
      expect(await caller.connect(url, 5_000)).toEqual(answer);
      expect(standIn.connections).toBe(0);
    },
  );

  it('of this machine is called where that is allowed', async () => {
    const url = `http://localhost:${new URL(standIn.url).port}/`;
    expect(await call({ url })).toMatchObject({ kind: 'answered' });
  });

  it('is resolved once, and the connection goes to the address that was checked', async () => {
    let asked = 0;
    // First an allowed address, then an internal one: DNS rebinding.
    const resolve = async () => ((asked += 1) === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    const caller = new GuardedToolCaller({ mayReachThisMachine: true, resolve });
    const url = `http://rebound.test:${new URL(standIn.url).port}/`;
    expect(await call({ url, timeoutMs: 1_000 }, { caller })).toMatchObject({ kind: 'answered' });
    expect([asked, standIn.ledger.length]).toEqual([1, 1]);
    expect(standIn.ledger[0]?.headers.host).toBe(`rebound.test:${new URL(url).port}`);
    expect(await call({ url, timeoutMs: 1_000 }, { caller })).toEqual(
      refused('its name leads to an address that is not called'),
    );
    expect(standIn.ledger).toHaveLength(1);
  });

  it('whose name is unknown, or cannot be resolved, is reported without the name', async () => {
    const url = 'http://nowhere.test/';
    const none = new GuardedToolCaller({ mayReachThisMachine: true, resolve: async () => [] });
    expect(await call({ url }, { caller: none })).toEqual(failed('its name is not known'));
    const away = new GuardedToolCaller({
      mayReachThisMachine: true,
      resolve: () => Promise.reject(new Error('nowhere.test')),
    });
    expect(await call({ url }, { caller: away })).toEqual({
      kind: 'failed',
      reason: 'the connection broke: Error',
    });
  });

  it('on which nothing listens is reported by its code alone', async () => {
    const answer = await call({ url: 'http://127.0.0.1:1/' });
    expect(answer).toEqual({ kind: 'failed', reason: 'the connection broke: ECONNREFUSED' });
  });
});
