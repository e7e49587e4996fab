import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ValidationError } from '@app/contracts/validation.error';
import type { Principals } from '@app/domain/accounts/principals.service';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { ArrivedBodies } from './arrived.bodies';
import { DtoPipe } from './dto.pipe';
import { JsonBodyGuard } from './json-body.guard';

/** Without a caller: no key is checked. */
const KEYS = {} as Principals;
const DEADLINE_MS = 2_000;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** What the guard does for a caller who leaves before, or while, the body is read. */
async function outcome(sent: string, leave: 'before' | 'while'): Promise<unknown> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const caller: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
    caller.write(sent),
  );
  try {
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const guarded = (): Promise<unknown> =>
      new JsonBodyGuard(KEYS, new ArrivedBodies(new DtoPipe()))
        .canActivate(new ExecutionContextHost([request, response], Object, () => undefined))
        .catch((error: unknown) => error);
    const closed = new Promise((resolve) => request.once('close', resolve));
    const early = leave === 'while' ? guarded() : null;
    caller.destroy();
    if (!early) await closed;
    return await Promise.race([early ?? guarded(), sleep(DEADLINE_MS, 'never', { ref: false })]);
  } finally {
    caller.destroy();
    server.close();
  }
}

describe('a caller who is gone', () => {
  it.each([
    ['an unfinished body, while it is read', `${HEAD}Content-Length: 9\r\n\r\n{}`, 'while'],
    ['an unfinished body, before it is read', `${HEAD}Content-Length: 9\r\n\r\n{}`, 'before'],
    ['a whole body, before it is read', `${HEAD}Content-Length: 2\r\n\r\n{}`, 'before'],
  ] as const)('keeps no caller waiting for %s', async (_, sent, leave) => {
    expect(await outcome(sent, leave)).toBeInstanceOf(ValidationError);
  });
});
