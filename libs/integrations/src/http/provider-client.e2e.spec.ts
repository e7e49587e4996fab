import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { BEGIN_WITHIN_MS } from '@app/domain/work/work-times';
import { StandInProvider, UNUSABLE } from '../../../../test/support/stand-ins/provider.stand-in';
import { ProviderClient, type ProviderRequest } from './provider-client';
import { ProviderExchange, type ProviderAnswer } from './provider-exchange';
import { inTime } from '../../../../test/support/eventually';

/** Longer than a busy machine may stop for. */
const TIME_LIMIT_MS = 1_500;
const REQUEST = {
  method: 'POST',
  number: '1',
  path: '/messages',
  headers: { 'x-mark': 'a' },
  body: '{"a":1}',
} as const;

let standIn: StandInProvider;
let client: ProviderClient;

beforeAll(async () => {
  standIn = await StandInProvider.open();
});

beforeEach(() => {
  standIn.reset();
  client = new ProviderClient(standIn.url, TIME_LIMIT_MS);
});

afterEach(() => client.close());
afterAll(() => standIn.close());

async function rawServer(): Promise<{ server: Server; url: (protocol: string) => string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: (protocol) => `${protocol}://127.0.0.1:${port}` };
}

describe('an answer', () => {
  it('comes back with its status, headers and body, whatever the status is', async () => {
    standIn.answer(418, { a: 'ж' }, { 'retry-after': '3' });
    expect(await client.call(REQUEST)).toMatchObject({
      kind: 'answered',
      status: 418,
      headers: { 'retry-after': '3' },
      body: Buffer.from('{"a":"ж"}'),
      overlong: false,
    });
    expect(standIn.ledger).toMatchObject([{ method: 'POST', url: '/messages', body: '{"a":1}' }]);
  });

  it('is read up to the bound and no further, and the time is not waited out', async () => {
    standIn.behave = UNUSABLE['100 MB']!;
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const answer = await client.call(REQUEST);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, overlong: true });
    expect(answer.kind === 'answered' && answer.body.length).toBe(65_536);
    expect(performance.now() - began).toBeLessThan(TIME_LIMIT_MS);
    expect(process.memoryUsage().rss - before).toBeLessThan(30e6);
  });

  it('of exactly the bound is whole', async () => {
    standIn.answer(200, 'x'.repeat(65_536));
    expect(await client.call(REQUEST)).toMatchObject({ kind: 'answered', overlong: false });
  });

  it('with interim answers before it is the last one', async () => {
    standIn.behave = (response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(201).end('{}');
    };
    expect(await client.call(REQUEST)).toMatchObject({ kind: 'answered', status: 201 });
  });

  it('keeps the connection for the next request', async () => {
    for (let round = 0; round < 5; round += 1) await client.call(REQUEST);
    expect(standIn.ledger).toHaveLength(5);
    // undici keeps a connection idle for one tick before it uses it again.
    expect(standIn.connections).toBeLessThanOrEqual(2);
  });
});

describe('no connection', () => {
  it('is recognised for certain: a port that refuses', async () => {
    const { server, url } = await rawServer();
    const refusing = new ProviderClient(url('http'), TIME_LIMIT_MS);
    server.close();
    await once(server, 'close');
    expect(await refusing.call(REQUEST)).toEqual({ kind: 'not_connected', reason: 'ECONNREFUSED' });
    await refusing.close();
  });

  it('is what a TLS handshake ends in that fails, or that does not end in time', async () => {
    const { server, url } = await rawServer();
    const ends: ((data: string) => void)[] = [];
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      ends.push((data) => socket.end(data));
    });
    const secure = new ProviderClient(url('https'), TIME_LIMIT_MS);
    const began = performance.now();
    expect(await secure.call(REQUEST)).toMatchObject({ kind: 'not_connected' });
    expect(performance.now() - began).toBeGreaterThan(TIME_LIMIT_MS - 5);
    expect(performance.now() - began).toBeLessThan(TIME_LIMIT_MS + inTime(3_000));
    server.on('connection', (socket) => socket.end('no TLS'));
    expect(await secure.call(REQUEST)).toMatchObject({ kind: 'not_connected' });
    ends.forEach((end) => end(''));
    await secure.close();
    server.close();
  });

  it('is reported while the message may still be sent, however long an answer may take', async () => {
    const { server, url } = await rawServer();
    server.on('connection', (socket) => socket.on('error', () => undefined).resume());
    const secure = new ProviderClient(url('https'), 60_000);
    const began = performance.now();
    const permit = { isValid: () => performance.now() - began < BEGIN_WITHIN_MS, used: jest.fn() };
    expect(await secure.call({ ...REQUEST, permit })).toMatchObject({ kind: 'not_connected' });
    expect(permit.isValid()).toBe(true);
    await secure.close();
    server.close();
  });

  it('is what calls after the close get, and those under way have their answers', async () => {
    standIn.behave = (response) => void setTimeout(() => response.end('{}'), 50);
    const closing = new ProviderClient(standIn.url, TIME_LIMIT_MS);
    const last = closing.call(REQUEST);
    await closing.close();
    expect(await last).toMatchObject({ kind: 'answered' });
    expect(await closing.call(REQUEST)).toMatchObject({ kind: 'not_connected' });
    expect(standIn.ledger).toHaveLength(1);
  });
});

describe('calls at once beyond the bound', () => {
  const answered = expect.objectContaining({ kind: 'answered' }) as unknown;
  const noSlot = { kind: 'no_slot' };

  it('of one number have no slot, those of another have one, and each is free again after the answer', async () => {
    standIn.behave = (response) => void setTimeout(() => response.end('{}'), 50);
    const bounded = new ProviderClient(standIn.url, TIME_LIMIT_MS, 6);
    const calls = Array.from({ length: 5 }, () => bounded.call(REQUEST));
    expect([bounded.hasSlot('1'), bounded.hasSlot('2')]).toEqual([false, true]);
    const other = bounded.call({ ...REQUEST, number: '2' });
    expect(await Promise.all(calls)).toEqual([answered, answered, answered, noSlot, noSlot]);
    expect(await other).toEqual(answered);
    expect(await bounded.call(REQUEST)).toEqual(answered);
    expect(standIn.ledger).toHaveLength(5);
    await bounded.close();
  });

  it('count the slots that are kept for calls to come, each of which is used once and given back once', async () => {
    const bounded = new ProviderClient(standIn.url, TIME_LIMIT_MS, 6);
    /** As many as the number gets. */
    const keepAll = (number: string) =>
      Array.from({ length: 6 }, () => bounded.keepSlot(number)).filter((slot) => slot !== null);
    const kept = keepAll('1');
    expect([kept.length, bounded.hasSlot('1'), bounded.hasSlot('2')]).toEqual([3, false, true]);
    bounded.keepSlot('2')?.release();
    const [slot, unused] = kept;
    const call = bounded.call({ ...REQUEST, slot });
    expect(await bounded.call({ ...REQUEST, slot })).toEqual(noSlot);
    expect(await call).toEqual(answered);
    slot?.release();
    expect(keepAll('1')).toHaveLength(1);
    unused?.release();
    unused?.release();
    expect(keepAll('1')).toHaveLength(1);
    expect(standIn.ledger).toHaveLength(1);
    await bounded.close();
  });
});

describe('a request whose answer does not come', () => {
  it.each(['no answer', 'a reset', 'an end without a word', 'no HTTP at all'])(
    'because of %s is lost with nothing received, and is made once',
    async (name) => {
      expect(await client.call(REQUEST)).toMatchObject({ kind: 'answered' });
      standIn.reset();
      standIn.behave = UNUSABLE[name]!;
      expect(await client.call(REQUEST)).toMatchObject({ kind: 'lost', body: null });
      standIn.behave = (response) => void response.end('{}');
      expect(await client.call(REQUEST)).toMatchObject({ kind: 'answered' });
      expect(standIn.ledger).toHaveLength(2);
    },
  );

  it('whole is lost with what came of it', async () => {
    standIn.behave = UNUSABLE['a head without its body']!;
    const body = Buffer.from('{"messages":[{"id":"wamid.CUT"}]');
    expect(await client.call(REQUEST)).toMatchObject({ kind: 'lost', body });
  });

  it('is given up at one time limit, though bytes keep coming', async () => {
    standIn.behave = (response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    const began = performance.now();
    const answer = await client.call(REQUEST);
    expect(answer).toMatchObject({ kind: 'lost', reason: `no whole answer came within ${TIME_LIMIT_MS} ms` });
    expect(performance.now() - began).toBeLessThan(TIME_LIMIT_MS + inTime(3_000));
  });

  it('is not made again on another connection when the kept one is closed under it', async () => {
    standIn.behave = (response) => {
      response.end('{}');
      response.socket?.end();
    };
    const answers: ProviderAnswer[] = [];
    for (let round = 0; round < 50; round += 1) answers.push(await client.call(REQUEST));
    const taken = answers.filter(({ kind }) => kind === 'answered').length;
    expect(standIn.ledger.length).toBeGreaterThanOrEqual(taken);
    expect(standIn.ledger.length).toBeLessThanOrEqual(50);
    expect(answers.every(({ kind }) => kind !== 'not_connected')).toBe(true);
  });
});

describe('a request whose permission', () => {
  /** An endpoint that counts bytes, and answers each request with 200. */
  async function countingEndpoint() {
    const seen = { bytes: 0 };
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        seen.bytes += bytes.length;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = new ProviderClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 2_000);
    return {
      seen,
      client,
      close: async () => {
        await client.close();
        server.close();
      },
    };
  }

  const request = (permit: ProviderRequest['permit']): ProviderRequest => ({
    method: 'POST',
    number: '1',
    path: '/messages',
    headers: {},
    body: 'x'.repeat(1_000),
    permit,
  });

  let endpoint: Awaited<ReturnType<typeof countingEndpoint>>;

  beforeEach(async () => {
    endpoint = await countingEndpoint();
  });

  afterEach(() => endpoint.close());

  it.each([false, true])(
    'is void is withheld, and no byte of it leaves (connection open: %s)',
    async (open) => {
      if (open) await endpoint.client.call(request(undefined));
      const before = endpoint.seen.bytes;
      const used = jest.fn();
      const answer = await endpoint.client.call(request({ isValid: () => false, used }));
      expect(answer).toEqual({ kind: 'withheld' });
      // A later request is answered completely: what had been written before it would have arrived by then.
      await endpoint.client.call(request(undefined));
      const one = endpoint.seen.bytes - before;
      await endpoint.client.call(request(undefined));
      expect(endpoint.seen.bytes - before).toBe(2 * one);
      expect(used).not.toHaveBeenCalled();
    },
  );

  it('becomes void while its connection is made is withheld, and no byte of it leaves', async () => {
    let isValid = true;
    const answer = endpoint.client.call(request({ isValid: () => isValid, used: () => undefined }));
    isValid = false;
    expect(await answer).toEqual({ kind: 'withheld' });
    expect(endpoint.seen.bytes).toBe(0);
  });

  it('is valid is written, and is checked as soon as it can be written and reported once before the answer', async () => {
    const order: string[] = [];
    const permit = {
      isValid: () => order.push('looked at') > 0,
      used: () => void order.push('used'),
    };
    const answer = await endpoint.client.call(request(permit));
    order.push('answered');
    expect(answer.kind).toBe('answered');
    expect(order).toEqual(['looked at', 'used', 'answered']);
  });
});

describe('the start of a request', () => {
  const [pause, resume] = [jest.fn(), jest.fn()];
  const controller = () => ({ abort: jest.fn(), aborted: false, paused: false, reason: null, pause, resume });
  const exchangeOf = (timeoutMs: number, settle: (answer: ProviderAnswer) => void) =>
    new ProviderExchange(timeoutMs, 10, () => undefined, settle);

  it('is stopped before a byte leaves when the time is up', async () => {
    let exchange: ProviderExchange | undefined;
    const answer = await new Promise<ProviderAnswer>((resolve) => (exchange = exchangeOf(1, resolve)));
    expect(answer).toMatchObject({ kind: 'not_connected' });
    const late = controller();
    exchange?.onRequestStart(late);
    expect(late.abort).toHaveBeenCalled();
  });

  it('is stopped when it is the second one', () => {
    const exchange = exchangeOf(50, () => undefined);
    const [first, second] = [controller(), controller()];
    exchange.onRequestStart(first);
    exchange.onRequestStart(second);
    expect(first.abort).not.toHaveBeenCalled();
    expect(second.abort).toHaveBeenCalled();
    exchange.onResponseError(null, new Error('over'));
  });
});
