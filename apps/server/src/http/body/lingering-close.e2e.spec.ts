import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UnreadCaller } from '../../../../../test/support/clients/unread.caller';
import { eventually } from '../../../../../test/support/eventually';
import { clientErrorAnswer, onBodyBroken } from '../errors/client-error-responder';
import { LINGERING_LIMITS, LingeringClose } from './lingering-close';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const WHOLE = { ...LINGERING_LIMITS };

let server: Server;
let lingering: LingeringClose;
const open = new Set<ServerResponse>();

beforeAll(async () => {
  server = createServer({ requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 });
  lingering = new LingeringClose();
  lingering.watch(server);
  server.on('request', (request, response) => {
    open.add(response);
    onBodyBroken(request, () => response.writeHead(422).end());
  });
  server.on('clientError', clientErrorAnswer(open));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => Object.assign(LINGERING_LIMITS, WHOLE));

afterAll(() => {
  lingering.end();
  server?.close();
});

/** What a caller hears that never closes its own side, until the connection is gone. */
async function heardBy(bytes: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const caller: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  caller.on('data', (chunk) => (heard += chunk.toString()));
  const gone = new Promise((resolve) => caller.once('close', resolve));
  caller.on('error', () => undefined).write(bytes);
  const dripping = setInterval(() => caller.write('x'), 20);
  await gone;
  clearInterval(dripping);
  return heard;
}

it('a body that comes too slowly has its answer, and its connection lingers no longer than it may', async () => {
  LINGERING_LIMITS.forMs = 200;
  expect(await heardBy(`${HEAD}Content-Length: 100000\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 422 /);
});

it('a head that comes too slowly is answered, and its connection does not linger', async () => {
  LINGERING_LIMITS.forMs = 3_600_000;
  expect(await heardBy('POST / HTTP/1.1\r\nX: ')).toMatch(/^HTTP\/1\.1 408 /);
});

describe('a connection on which no request is known', () => {
  it.each([
    ['400 Bad Request', 'what is not HTTP', '\x16\x03\x01 not http\r\n\r\n'],
    ['408 Request Timeout', 'a head that comes too slowly', 'POST / HT'],
    [
      '413 Payload Too Large',
      'chunks with endless extensions',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
    ['431 Request Header Fields Too Large', 'headers without end', `${HEAD}X: ${'x'.repeat(40_000)}\r\n\r\n`],
  ])('is answered with %s for %s, and ends', async (status, _, sent) => {
    const bare = createServer({ requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 });
    bare.on('request', (request) => request.resume()).on('clientError', clientErrorAnswer([]));
    await once(bare.listen(0, '127.0.0.1'), 'listening');
    const caller = connect((bare.address() as AddressInfo).port, '127.0.0.1', () => caller.write(sent));
    let said = '';
    caller.on('data', (bytes) => (said += bytes.toString()));
    await once(caller, 'close');
    bare.close();
    expect(said.replace(/X-Request-Id: [0-9a-f-]{36}/, 'X-Request-Id: id')).toBe(
      `HTTP/1.1 ${status}\r\nX-Request-Id: id\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });

  it('is not kept for a caller that keeps its own side open', async () => {
    // With Node's default time limits. A short one would end the connection in any case.
    const bare = createServer().on('clientError', clientErrorAnswer([]));
    const closed = new Promise<string>((resolve) => {
      bare.once('connection', (socket: Socket) => socket.once('close', () => resolve('closed')));
    });
    await once(bare.listen(0, '127.0.0.1'), 'listening');
    const { port } = bare.address() as AddressInfo;
    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    caller.on('error', () => undefined).resume();
    caller.write('garbage\r\n\r\n');
    const outcome = await Promise.race([closed, sleep(3_000, 'held', { ref: false })]);
    caller.destroy();
    bare.close();
    expect(outcome).toBe('closed');
  });
});

describe('a connection that is read on behind a refusal', () => {
  const MIB = 1024 * 1024;
  const DEADLINE_MS = 20_000;
  const callers: UnreadCaller[] = [];
  let refusing: Server;
  let url: string;

  beforeAll(async () => {
    refusing = createServer((_request, response) => {
      response.writeHead(413, { Connection: 'close' }).end('too large');
    });
    new LingeringClose().watch(refusing);
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    // Two may linger, each for 1 MiB. Time is not what ends them.
    Object.assign(LINGERING_LIMITS, { forMs: 60_000, bytes: MIB, connections: 2 });
  });

  afterEach(() => {
    for (const caller of callers.splice(0)) caller.destroy();
  });

  afterAll(() => {
    refusing?.closeAllConnections();
    refusing?.close();
  });

  /** Who has an answer, and keeps its own side open. */
  async function refused(): Promise<UnreadCaller> {
    const caller = new UnreadCaller(url);
    callers.push(caller);
    await caller.write(`${HEAD}Content-Length: ${110 * MIB}\r\n\r\n`);
    expect(await caller.answer()).toMatch(/^HTTP\/1\.1 413 /);
    return caller;
  }

  const untilClosed = (caller: UnreadCaller): Promise<unknown> =>
    eventually(async () => caller.isClosed, DEADLINE_MS, 'the connection is kept');

  it('ends after a number of bytes', async () => {
    const caller = await refused();
    await expect(caller.write(Buffer.alloc(64 * MIB))).rejects.toThrow(/EPIPE|ECONNRESET/);
    await untilClosed(caller);
  });

  it('is one of a few, beyond which all are closed at once, and each leaves its place', async () => {
    const [first, second] = [(await refused()).drip(), (await refused()).drip()];
    await untilClosed((await refused()).drip());
    expect([first.isClosed, second.isClosed]).toEqual([false, false]);
    first.destroy();
    const open = promisify(refusing.getConnections.bind(refusing));
    await eventually(async () => (await open()) === 1, DEADLINE_MS, 'the connection is kept');
    const next = (await refused()).drip();
    await untilClosed((await refused()).drip());
    expect([next.isClosed, second.isClosed]).toEqual([false, false]);
  });
});

it('an idle connection keeps no request that was answered', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let kept: WeakRef<IncomingMessage> | undefined;
  const idle = createServer((request, response) => {
    kept = new WeakRef(request);
    request.resume().on('end', () => response.end('done'));
  });
  new LingeringClose().watch(idle);
  await once(idle.listen(0, '127.0.0.1'), 'listening');
  const caller = connect((idle.address() as AddressInfo).port, '127.0.0.1');
  const answered = once(caller, 'data');
  caller.write(`${HEAD}Content-Length: 2\r\n\r\n{}`);
  await answered;
  await eventually(
    () => {
      collect();
      return Promise.resolve(kept !== undefined && kept.deref() === undefined);
    },
    5_000,
    'the request is kept',
  );
  expect(caller.destroyed).toBe(false);
  caller.destroy();
  idle.close();
});
