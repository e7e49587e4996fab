import { request as httpRequest, type ClientRequest } from 'node:http';
import { setScene } from '../../support/scenes/base.scene';
import { request, type Answer } from '../../support/clients/api.client';
import { callAuth, signIn, type SessionClient, PASSWORD } from '../../support/clients/session.client';
import { boardBy } from '../../support/clients/session.watch';
import { eventually } from '../../support/eventually';

const scene = setScene();
const url = (): string => scene.server.url;
const SESSIONS_MAX = 20;
const LATE_MS = 20_000;
const statusOf = async (session: SessionClient): Promise<number> => (await session.call('auth/me')).status;
const outcome = ({ status, body }: Answer): unknown[] => [status, body.error?.code];

describe('sessions that ran out', () => {
  it('by 12 hours without a call, or by 30 days, are none of the twenty, so they push out no live one', async () => {
    const person = await scene.join();
    for (const [opened, seen] of [
      ['0 hours', '13 hours'],
      ['31 days', '0 hours'],
    ])
      await scene.database.pool.query(
        `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent, created_at, last_seen_at)
         SELECT account_id, id, user_id, sha256(id::text::bytea), '127.0.0.1', '127.0.0.1', 'a browser',
                now() - $2::interval, now() - $3::interval
           FROM (SELECT u.account_id, u.id AS user_id, gen_random_uuid() AS id
                   FROM users u, generate_series(1, $4::int) WHERE u.id = $1) each`,
        [person.userId, opened, seen, SESSIONS_MAX - 1],
      );
    expect(await statusOf(await signIn(url(), person.email, PASSWORD))).toBe(200);
    expect(await statusOf(person)).toBe(200);
  });
});

describe('the last use of a session', () => {
  const seenLongAgo = async (person: SessionClient): Promise<boolean> => {
    const { rows } = await scene.database.pool.query<{ old: boolean }>(
      `SELECT s.last_seen_at < now() - interval '2 minutes' OR u.last_seen_at < now() - interval '2 minutes' AS old
         FROM user_sessions s JOIN users u ON u.account_id = s.account_id AND u.id = s.user_id WHERE s.user_id = $1`,
      [person.userId],
    );
    return rows[0]?.old ?? false;
  };

  it('is noted after the answer, so that a call does not wait for whoever changes the person', async () => {
    const person = await scene.join();
    await scene.database.pool.query(
      `UPDATE user_sessions SET last_seen_at = now() - interval '5 minutes' WHERE user_id = $1`,
      [person.userId],
    );
    const holder = await scene.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
      const answers = Promise.all([1, 2, 3].map(() => statusOf(person)));
      const late = setTimeout(() => void holder.query('COMMIT'), LATE_MS);
      expect(await answers).toEqual([200, 200, 200]);
      clearTimeout(late);
      expect(await seenLongAgo(person)).toBe(true);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await eventually(async () => !(await seenLongAgo(person)), 5_000, 'the use was not noted');
  });
});

describe('a board by a session', () => {
  const byPolling = (person: SessionClient, headers: Record<string, string>, transports = ['polling']) =>
    boardBy(person, {}, {}, { transports, extraHeaders: { Cookie: person.cookie, ...headers } });
  const refusal = (opening: Promise<{ close: () => void }>): Promise<unknown> =>
    opening.then(
      (board) => board.close(),
      (error: Error & { data?: unknown }) => error.data,
    );

  it('opens by polling from a page of the service, whose browser sends no Origin with it', async () => {
    const person = await scene.join();
    const board = await byPolling(person, { 'Sec-Fetch-Site': 'same-origin' });
    await expect(board.open(scene.account.assistantId)).resolves.toHaveProperty('columns');
    board.close();
  });

  it('has one refusal for another Origin, null and none, which asks for no token', async () => {
    const person = await scene.join();
    // Each Origin and site is in origin.rules.spec.ts.
    const headers: [Record<string, string>, string][] = [
      [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }, 'polling'],
      [{ 'Sec-Fetch-Site': 'cross-site' }, 'polling'],
      [{}, 'websocket'],
      [{ 'Sec-Fetch-Site': 'same-origin' }, 'websocket'],
    ];
    const message = expect.not.stringContaining('CSRF');
    for (const [sent, transport] of headers) {
      const answer = await refusal(byPolling(person, sent, [transport]));
      expect([sent, transport, answer]).toEqual([sent, transport, { code: 'FORBIDDEN', message }]);
    }
  });
});

it('nobody signs in with a session and a key at once', async () => {
  const person = await scene.join();
  const { token } = await scene.invite();
  const both = { Cookie: person.cookie, 'X-API-Key': scene.account.key };
  const bodies = { 'sign-in': { email: person.email, password: PASSWORD } };
  for (const [path, body] of Object.entries({
    ...bodies,
    'accept-invitation': { token, password: PASSWORD },
  })) {
    const refused = await callAuth(url(), path, body, both);
    expect([path, ...outcome(refused)]).toEqual([path, 401, 'UNAUTHORIZED']);
    expect(refused.body.error.message).toContain('The API key or the session');
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await callAuth(url(), path, body, { 'X-API-Key': scene.account.key })).status).toBe(200);
  }
  expect((await request(`${url()}/health/live`, { headers: both })).status).toBe(200);
});

describe('sign-in', () => {
  const MIB = 1024 * 1024;

  /** More than a process keeps of them. */
  const MANY = 48;

  const LARGE = JSON.stringify({
    email: 'nobody@example.com',
    password: 'six quiet meadows',
    x: 'x'.repeat(MIB / 2),
  });

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

  it('takes large bodies that never end into a bounded memory, and keeps no ordinary sign-in out', async () => {
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
});
