import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { ValidationError } from '@app/contracts/validation.error';
import type { Request, Response } from 'express';
import { readBody, type BodyBounds } from './body.reader';
import { TooManyBodiesError, PayloadTooLargeError } from './http.errors';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const ROOMY: BodyBounds = { limitBytes: 1_000, withinMs: 60_000 };

let server: Server;
let caller: Socket;

beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  caller.destroy();
  server.close();
});

/** The result of reading a body of which so much was sent. */
async function outcome(sent: string, bounds: Partial<BodyBounds> = {}): Promise<unknown> {
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1', () => caller.write(HEAD + sent));
  const [request, response] = (await once(server, 'request')) as [Request, Response];
  return readBody(request, response, { ...ROOMY, ...bounds }).catch((error: unknown) => error);
}

describe('a body', () => {
  it('is read to its end, as it came', async () => {
    expect(await outcome('Content-Length: 4\r\n\r\n\0\x01яx')).toEqual(Buffer.from('\0\x01я'));
  });

  it('that comes too slowly is given up', async () => {
    expect(await outcome('Content-Length: 9\r\n\r\nslow', { withinMs: 20 })).toBeInstanceOf(ValidationError);
  });

  it('that is too large is refused, whether it says so or not', async () => {
    expect(await outcome('Content-Length: 1001\r\n\r\n')).toBeInstanceOf(PayloadTooLargeError);
    caller.destroy();
    const chunk = `Transfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1_001)}\r\n`;
    expect(await outcome(chunk)).toBeInstanceOf(PayloadTooLargeError);
  });

  it('that memory has no room for is refused', async () => {
    const refused = await outcome('Content-Length: 9\r\n\r\nslow', { mayKeep: (bytes) => bytes < 4 });
    expect(refused).toBeInstanceOf(TooManyBodiesError);
  });
});
