import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { clientErrorAnswer, onBodyBroken } from './client-error.answer';
import { LINGERING_LIMITS, LingeringClose } from './lingering.close';

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
  LINGERING_LIMITS.milliseconds = 200;
  expect(await heardBy(`${HEAD}Content-Length: 100000\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 422 /);
});

it('a head that comes too slowly is answered, and its connection does not linger', async () => {
  LINGERING_LIMITS.milliseconds = 3_600_000;
  expect(await heardBy('POST / HTTP/1.1\r\nX: ')).toMatch(/^HTTP\/1\.1 408 /);
});
