import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../../../../test/support/eventually';
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
  LINGERING_LIMITS.forMs = 200;
  expect(await heardBy(`${HEAD}Content-Length: 100000\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 422 /);
});

it('a head that comes too slowly is answered, and its connection does not linger', async () => {
  LINGERING_LIMITS.forMs = 3_600_000;
  expect(await heardBy('POST / HTTP/1.1\r\nX: ')).toMatch(/^HTTP\/1\.1 408 /);
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
