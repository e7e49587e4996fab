import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { ValidationError } from '@app/contracts/validation.error';
import { IsInt } from 'class-validator';
import type { Request } from 'express';
import { ArrivedBodies } from './arrived.bodies';
import { DtoPipe } from './dto.pipe';
import type { RouteRules } from './route.rules';

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
const server = createServer();
let caller: Socket;

const head = (length: number, type = 'application/json'): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => caller.destroy());

afterAll(() => server.close());

/** A request whose body is parsed in the tick in which it came, as far as it has been sent. */
async function parsed(sent: string, cancelled = false): Promise<Request> {
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1', () => caller.write(sent));
  const came = new Promise<IncomingMessage>((resolve) =>
    server.once('request', (request: IncomingMessage) => {
      const cancel = bodies.parseMeanwhile(request as Request, RULES);
      if (cancelled) cancel();
      resolve(request);
    }),
  );
  const request = (await came) as Request;
  await tick();
  await tick();
  return request;
}

it('takes a body that came with its headers, and checks it once', async () => {
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
])('tells of a body that %s only when it is asked for', async (_, sent) => {
  const request = await parsed(sent);
  expect(() => bodies.take(request)).toThrow(ValidationError);
});

it.each([
  ['has not ended', `${head(11)}{"count":`, false],
  ['is long', `${head(1_100)}{"count":1}${' '.repeat(1_089)}`, false],
  ['is of a refused caller', `${head(11)}{"count":1}`, true],
])('leaves a body unread that %s', async (_, sent, cancelled) => {
  const request = await parsed(sent, cancelled);
  await sleep(20);
  expect(bodies.take(request)).toBeUndefined();
  expect(String(request.read())).toBe(sent.slice(sent.indexOf('\r\n\r\n') + 4));
});
