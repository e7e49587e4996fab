import { request as httpRequest, type ClientRequest } from 'node:http';
import { callAuth } from '../../support/clients/session.client';
import { eventually } from '../../support/eventually';
import { setPeopleScene } from '../../support/scenes/people.scene';

const MIB = 1024 * 1024;
/** More than a process keeps of them. */
const MANY = 48;
const LARGE = JSON.stringify({
  email: 'nobody@example.com',
  password: 'six quiet meadows',
  x: 'x'.repeat(MIB / 2),
});

const scene = setPeopleScene({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
const url = (): string => scene.server.url;

/** A body of a mebibyte whose last byte never comes. */
function unfinished(answered: (status: number) => void): ClientRequest {
  const outgoing = httpRequest(`${url()}/api/v1/auth/sign-in`, {
    method: 'POST',
    agent: false,
    headers: { Origin: url(), 'Content-Type': 'application/json', 'Content-Length': MIB },
  });
  outgoing.on('response', (incoming) => {
    incoming.resume();
    answered(incoming.statusCode ?? 0);
  });
  outgoing.on('error', () => undefined);
  outgoing.write(Buffer.alloc(MIB - 1, 'x'));
  return outgoing;
}

it('large bodies that never end take a bounded memory, and keep no ordinary sign-in out', async () => {
  const credentials = { email: 'nobody@example.com', password: 'six quiet meadows' };
  const statuses: number[] = [];
  const open = Array.from({ length: MANY }, () => unfinished((status) => statuses.push(status)));
  try {
    await eventually(() => Promise.resolve(statuses.length >= MANY - 32), 20_000, 'none was refused');
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect((await callAuth(url(), 'sign-in', credentials)).status).toBe(401);
  } finally {
    for (const each of open) each.destroy();
  }
  await eventually(
    async () => (await callAuth(url(), 'sign-in', JSON.parse(LARGE) as object)).status === 401,
    20_000,
    'the memory was not released',
  );
});
