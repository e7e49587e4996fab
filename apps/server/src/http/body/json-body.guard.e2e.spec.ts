import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { ValidationError } from '@app/contracts/coded.errors';
import type { Principals } from '@app/domain/accounts/principals.service';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { IsInt } from 'class-validator';
import type { Request, Response } from 'express';
import { ArrivedBodies } from './json-body';
import { readBody, type BodyBounds } from './body-reader';
import { DtoPipe } from '../dto/dto-pipe';
import { PayloadTooLargeError, TooManyBodiesError } from '../errors/http.errors';
import { JsonBodyGuard } from './json-body.guard';
import type { RouteRules } from '../routes/route.rules';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const JSON_HEAD = `${HEAD}Content-Type: application/json\r\n`;

const server = createServer();
let caller: Socket;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => caller.destroy());

afterAll(() => server.close());

function send(bytes: string): void {
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1', () => caller.write(bytes));
}

async function arrived(bytes: string): Promise<[Request, Response]> {
  send(bytes);
  return (await once(server, 'request')) as [Request, Response];
}

describe('a body that is read', () => {
  const ROOMY: BodyBounds = { limitBytes: 1_000, withinMs: 60_000 };

  /** The result of reading a body of which so much was sent. */
  async function outcome(sent: string, bounds: Partial<BodyBounds> = {}): Promise<unknown> {
    const [request, response] = await arrived(HEAD + sent);
    return readBody(request, response, { ...ROOMY, ...bounds }).catch((error: unknown) => error);
  }

  it('is read to its end, as it came', async () => {
    expect(await outcome('Content-Length: 4\r\n\r\n\0\x01яx')).toEqual(Buffer.from('\0\x01я'));
  });

  it('and comes too slowly is given up', async () => {
    expect(await outcome('Content-Length: 9\r\n\r\nslow', { withinMs: 20 })).toBeInstanceOf(ValidationError);
  });

  it.each([
    ['says that it is too large', 'Content-Length: 1001\r\n\r\n'],
    ['becomes too large', `Transfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1_001)}\r\n`],
  ])('and %s is refused', async (_, sent) => {
    expect(await outcome(sent)).toBeInstanceOf(PayloadTooLargeError);
  });

  it('and that memory has no room for is refused', async () => {
    const refused = await outcome('Content-Length: 9\r\n\r\nslow', { mayKeep: (bytes) => bytes < 4 });
    expect(refused).toBeInstanceOf(TooManyBodiesError);
  });
});

describe('a body that came with its headers', () => {
  class Count {
    @IsInt()
    count: number;
  }

  const RULES: RouteRules = {
    isPublic: false,
    operation: undefined,
    isOfOwnPages: false,
    takesRawBody: false,
    bodyType: Count,
    mayLackBody: false,
  };
  const BODY_PARAMETER = { type: 'body', metatype: Count } as const;
  const pipe = new DtoPipe();
  const bodies = new ArrivedBodies(pipe);
  const head = (length: number, type = 'application/json'): string =>
    `${HEAD}Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

  /** A request whose body is parsed in the tick in which it came, as far as it has been sent. */
  async function parsed(sent: string, cancelled = false): Promise<Request> {
    const came = new Promise<Request>((resolve) =>
      server.once('request', (request) => {
        const cancel = bodies.parseMeanwhile(request as Request, RULES);
        if (cancelled) cancel();
        resolve(request as Request);
      }),
    );
    send(sent);
    const request = await came;
    await tick();
    await tick();
    return request;
  }

  it('is taken, and checked once', async () => {
    const body = bodies.take(await parsed(`${head(11)}{"count":1}`));
    expect(body).toEqual({ count: 1 });
    const dto = pipe.transform(body, BODY_PARAMETER);
    expect(dto).toBeInstanceOf(Count);
    expect(pipe.transform(body, BODY_PARAMETER)).toBe(dto);
  });

  it('leaves a violation of the DTO to the pipe', async () => {
    const body = bodies.take(await parsed(`${head(13)}{"count":"x"}`));
    expect(body).toEqual({ count: 'x' });
    expect(() => pipe.transform(body, BODY_PARAMETER)).toThrow(ValidationError);
  });

  it.each([
    ['is no JSON', `${head(11)}{"count":1,`],
    ['is of another type', `${head(11, 'text/plain')}{"count":1}`],
    ['is empty', head(0)],
  ])('and %s is refused only when it is asked for', async (_, sent) => {
    const request = await parsed(sent);
    expect(() => bodies.take(request)).toThrow(ValidationError);
  });

  it.each([
    ['has not ended', `${head(11)}{"count":`, false],
    ['is long', `${head(1_100)}{"count":1}${' '.repeat(1_089)}`, false],
    ['is of a refused caller', `${head(11)}{"count":1}`, true],
  ])('and %s is left unread', async (_, sent, cancelled) => {
    const request = await parsed(sent, cancelled);
    expect(bodies.take(request)).toBeUndefined();
    const whole = sent.slice(sent.indexOf('\r\n\r\n') + 4);
    let read = '';
    request.on('data', (bytes: Buffer) => (read += bytes.toString()));
    while (read.length < whole.length) await once(request, 'data');
    expect(read).toBe(whole);
  });
});

describe('a caller who is gone', () => {
  /** Without a caller: no key is checked. */
  const KEYS = {} as Principals;

  /** What the guard does for a caller who leaves before, or while, the body is read. */
  async function outcome(sent: string, leave: 'before' | 'while'): Promise<unknown> {
    const [request, response] = await arrived(sent);
    const guarded = (): Promise<unknown> =>
      new JsonBodyGuard(KEYS, new ArrivedBodies(new DtoPipe()))
        .canActivate(new ExecutionContextHost([request, response], Object, () => undefined))
        .catch((error: unknown) => error);
    const closed = new Promise((resolve) => request.once('close', resolve));
    const early = leave === 'while' ? guarded() : null;
    caller.destroy();
    if (!early) await closed;
    return early ?? guarded();
  }

  it.each([
    ['an unfinished body, while it is read', `${JSON_HEAD}Content-Length: 9\r\n\r\n{}`, 'while'],
    ['an unfinished body, before it is read', `${JSON_HEAD}Content-Length: 9\r\n\r\n{}`, 'before'],
    ['a whole body, before it is read', `${JSON_HEAD}Content-Length: 2\r\n\r\n{}`, 'before'],
  ] as const)('keeps no call waiting for %s', async (_, sent, leave) => {
    expect(await outcome(sent, leave)).toBeInstanceOf(ValidationError);
  });
});
