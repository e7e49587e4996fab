import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientErrorAnswer, onBodyBroken } from './client-error.answer';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';

describe('a connection on which no request is known', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer({ requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 });
    server.on('request', (request) => request.resume());
    server.on('clientError', clientErrorAnswer([]));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => server?.close());

  it.each([
    ['400 Bad Request', 'what is not HTTP', '\x16\x03\x01 not http\r\n\r\n'],
    ['408 Request Timeout', 'a head that comes too slowly', 'POST / HT'],
    ['408 Request Timeout', 'a body that comes too slowly', `${HEAD}Content-Length: 9\r\n\r\n{}`],
    [
      '413 Payload Too Large',
      'chunks with endless extensions',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
    ['431 Request Header Fields Too Large', 'headers without end', `${HEAD}X: ${'x'.repeat(40_000)}\r\n\r\n`],
  ])('is answered with %s for %s, and ends', async (status, _, sent) => {
    let said = '';
    const caller: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      caller.write(sent),
    );
    caller.on('data', (bytes) => (said += bytes.toString()));
    await once(caller, 'close');
    expect(said.replace(/X-Request-Id: [0-9a-f-]{36}/, 'X-Request-Id: id')).toBe(
      `HTTP/1.1 ${status}\r\nX-Request-Id: id\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });
});

it('a body that comes too slowly is reported to its reader, so that its request gets an answer', async () => {
  const open = new Set<ServerResponse>();
  const server = createServer({ requestTimeout: 100, connectionsCheckingInterval: 20 });
  server.on('request', (request, response) => {
    open.add(response);
    onBodyBroken(request, () => response.writeHead(422).end());
  });
  server.on('clientError', clientErrorAnswer(open));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.write(`${HEAD}Content-Length: 9\r\n\r\n{}`);
  const said = await text(caller);
  server.close();
  expect(said).toMatch(/^HTTP\/1\.1 422 /);
});

it('a connection that cannot be understood is not kept for a caller that keeps its own side open', async () => {
  // With Node's default time limits. A short one would end the connection in any case.
  const server = createServer().on('clientError', clientErrorAnswer([]));
  const closed = new Promise<string>((resolve) => {
    server.once('connection', (socket: Socket) => socket.once('close', () => resolve('closed')));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  caller.on('error', () => undefined).resume();
  caller.write('garbage\r\n\r\n');
  const outcome = await Promise.race([closed, sleep(3_000, 'held', { ref: false })]);
  caller.destroy();
  server.close();
  expect(outcome).toBe('closed');
});
