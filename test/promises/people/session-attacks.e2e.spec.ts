import { createHmac, hash, randomBytes } from 'node:crypto';
import { request, type Answer } from '../../support/clients/api.client';
import { callAuth, SessionClient, sessionOf, signIn, PASSWORD } from '../../support/clients/session.client';
import { boardBy, ENDED_WITHIN_MS, SessionWatch } from '../../support/clients/session.watch';
import { eventually } from '../../support/eventually';
import { holdingRows } from '../../support/faults/held.rows';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { SECRETS } from '../../support/programs/server.process';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';

const NEW_PASSWORD = 'eight quiet mountains';

const scene = setScene({ servers: 2 });
const url = (at = 0): string => scene.servers[at]?.url ?? '';

type Person = Awaited<ReturnType<typeof scene.join>>;

const watch = (session: SessionClient, urls = scene.urls): Promise<SessionWatch> =>
  SessionWatch.of(session, urls, scene.account.assistantId);

const from = (n: number) => ({ 'X-Forwarded-For': `198.51.100.${n}` });

const statusOf = async (session: SessionClient): Promise<number> => (await session.call('auth/me')).status;

/** The session's id within its signed cookie. */
const tokenOfCookie = ({ cookie }: SessionClient): string =>
  /s:([^.]+)/.exec(decodeURIComponent(cookie))?.[1] ?? '';

async function idOf(session: SessionClient): Promise<string> {
  const { body } = await session.call('auth/sessions');
  return (body.data as { id: string; current: boolean }[]).find(({ current }) => current)?.id ?? '';
}

/** Lets time pass for a session, by the database's clock. */
async function shift(session: SessionClient, columns: readonly string[], by: string): Promise<void> {
  const { rowCount } = await scene.database.pool.query(
    `UPDATE user_sessions SET ${columns.map((column) => `${column} = ${column} - $2::interval`).join(', ')} WHERE id = $1`,
    [await idOf(session), by],
  );
  expect(rowCount).toBe(1);
}

describe('a session ends within two seconds, for calls and open boards on every process, by', () => {
  const admin = (path: string, body: unknown, method: string): Promise<Answer> =>
    scene.admin.call(`admin/users/${path}`, body, method);
  const others: [string, (person: Person, other: SessionClient) => Promise<unknown>][] = [
    ['its sign-out', (person) => person.call('auth/sign-out', {})],
    [
      'another session of the person',
      async (person, other) => other.call(`auth/sessions/${await idOf(person)}`, undefined, 'DELETE'),
    ],
    [
      'a change of the password elsewhere',
      (_, other) => other.call('auth/change-password', { current: PASSWORD, password: NEW_PASSWORD }),
    ],
    ['12 hours without a call', (person) => shift(person, ['last_seen_at'], '12 hours')],
    ['30 days', (person) => shift(person, ['created_at'], '30 days')],
  ];
  const all: [string, (person: Person) => Promise<unknown>][] = [
    ['disabling the person', ({ userId }) => admin(userId, { disabled: true }, 'PATCH')],
    ['another role', ({ userId }) => admin(userId, { role: 'admin' }, 'PATCH')],
    ['a new link to set a password', ({ userId }) => admin(`${userId}/invitation`, {}, 'POST')],
    ['an admin', ({ userId }) => admin(`${userId}/sessions`, undefined, 'DELETE')],
  ];

  it.concurrent.each(others)('%s; another one goes on', async (_, end) => {
    const person = await scene.join();
    const other = await signIn(url(1), person.email, PASSWORD);
    const [ending, staying] = [await watch(person), await watch(other, [url(1)])];
    await end(person, other);
    await ending.ends();
    await staying.goesOn();
    staying.close();
  });

  it.concurrent.each(all)('%s, and so do all others of the person', async (_, end) => {
    const person = await scene.join();
    const other = await signIn(url(1), person.email, PASSWORD);
    const [first, second] = [await watch(person), await watch(other, [url(1)])];
    await end(person);
    await Promise.all([first.ends(), second.ends()]);
  });
});

// By which clock is in wrong-clocks.e2e.spec.ts.
describe('time', () => {
  it('of a session goes on with each call, but not beyond 30 days', async () => {
    const person = await scene.join();
    await shift(person, ['last_seen_at', 'created_at'], '11 hours 59 minutes');
    expect(await statusOf(person)).toBe(200);
    await shift(person, ['last_seen_at', 'created_at'], '11 hours 59 minutes');
    expect(await statusOf(person)).toBe(200);
    await shift(person, ['created_at'], '29 days 1 hour');
    expect(await statusOf(person)).toBe(401);
  });
});

describe('sign-in', () => {
  it('takes over no id that was planted, and ends the session that the browser had', async () => {
    const [attacker, victim] = [await scene.join(), await scene.join()];
    for (const planted of [attacker.cookie, 'leadline=chosen-by-the-attacker', 'leadline=s%3Achosen.by']) {
      const session = await signIn(url(), victim.email, PASSWORD, { Cookie: planted });
      expect(session.cookie).not.toBe(planted);
      const { status } = await request(`${url()}/api/v1/auth/me`, { headers: { Cookie: planted } });
      expect(status).toBe(401);
      expect(await statusOf(session)).toBe(200);
    }
  });

  it('lets a person have 20 sessions, by parallel sign-ins on two processes; the oldest end', async () => {
    const person = await scene.join();
    const sessions: SessionClient[] = [person, await signIn(url(1), person.email, PASSWORD, from(99))];
    const enter = async (n: number): Promise<SessionClient> =>
      signIn(url(n % 2), person.email, PASSWORD, from(n));
    const ofAll = async (): Promise<number[]> => Promise.all(sessions.map(statusOf));
    sessions.push(...(await Promise.all(Array.from({ length: 18 }, (_, n) => enter(n)))));
    expect(await ofAll()).toEqual(sessions.map(() => 200));
    sessions.push(...(await Promise.all([enter(18), enter(19), enter(20)])));
    const [first, second, ...others] = await ofAll();
    expect([first, second, others.filter((status) => status === 200).length]).toEqual([401, 401, 20]);
  });

  describe.each<[string, (person: Person) => Promise<Answer>]>([
    [
      'gets another password',
      (person) => person.call('auth/change-password', { current: PASSWORD, password: NEW_PASSWORD }),
    ],
    ['is disabled', ({ userId }) => scene.admin.call(`admin/users/${userId}`, { disabled: true }, 'PATCH')],
  ])('leaves no session of a person who meanwhile %s', (_, change) => {
    /**
     * Has two calls wait for the person's row, each with the password found right. They get it in this order: a third one
     * could overtake the second, because PostgreSQL lets those go at once who find a row changed.
     */
    async function inOrder(person: Person, both: ((person: Person) => Promise<Answer>)[]) {
      const calls: Promise<Answer>[] = [];
      await holdingRows(scene.database.pool, 'users', scene.account.id, async () => {
        for (const call of both) {
          calls.push(call(person));
          await untilWaiting(scene.database.pool, calls.length, { words: '"users"' });
        }
      });
      const answers = await Promise.all(calls);
      // One that has not ended could count again, when the person is enabled again.
      const { rows: opened } = await scene.database.pool.query<{ is_over: boolean }>(
        'SELECT ended_at IS NOT NULL AS is_over FROM user_sessions WHERE user_id = $1 AND token_hash <> $2',
        [person.userId, hash('sha256', tokenOfCookie(person), 'buffer')],
      );
      return { answers, opened };
    }

    const signsIn = ({ email }: Person) => callAuth(url(1), 'sign-in', { email, password: PASSWORD });

    it('where it is opened just before: it ends', async () => {
      const { answers, opened } = await inOrder(await scene.join(), [signsIn, change]);
      const [signedIn, changed] = answers as [Answer, Answer];
      expect(changed.status).toBe(200);
      expect(opened).toEqual([{ is_over: true }]);
      // It may have ended before the sign-in has read what to answer.
      const status = signedIn.status === 200 ? await statusOf(sessionOf(url(1), signedIn)) : signedIn.status;
      expect(status).toBe(401);
    });

    it('where it is to be opened just after: the sign-in is refused', async () => {
      const { answers, opened } = await inOrder(await scene.join(), [change, signsIn]);
      expect(answers.map(({ status }) => status)).toEqual([200, 401]);
      expect(opened).toEqual([]);
    });
  });
});

describe('sign-outs', () => {
  it('at once on two processes end their session and no other', async () => {
    const person = await scene.join();
    const others = await Promise.all([1, 2, 3].map((n) => signIn(url(1), person.email, PASSWORD, from(n))));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => person.at(url(n % 2)).call('auth/sign-out', {})),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 401)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await statusOf(person)).toBe(401);
    expect(await Promise.all(others.map(statusOf))).toEqual([200, 200, 200]);
  });
});

describe('a cookie', () => {
  const signed = (token: string, secret: string): string =>
    encodeURIComponent(
      `s:${token}.${createHmac('sha256', secret).update(token).digest('base64').replace(/=+$/, '')}`,
    );

  it('that was forged or altered is as none: for calls, byte by byte, and for boards', async () => {
    const [person, other] = [await scene.join(), await scene.join()];
    const valueOf = ({ cookie }: SessionClient): string =>
      decodeURIComponent(cookie.replace('leadline=', ''));
    const value = valueOf(person);
    const [token = ''] = value.replace(/^s:/, '').split('.');
    const [, foreign = ''] = valueOf(other).split('.');
    // Each form is in session-cookie.spec.ts.
    const forged = ['', `s:${token}`, `s:${token}.${foreign}`].map((text) => encodeURIComponent(text));
    // Rightly signed, but of no session; of another secret; and broken.
    forged.push(
      signed(randomBytes(32).toString('base64url'), SECRETS.SESSION_SECRET),
      signed(token, 'x'.repeat(32)),
      '%zz',
    );
    const none = await request(`${url()}/api/v1/auth/me`);
    for (const given of forged) {
      const answer = await request(`${url()}/api/v1/auth/me`, { headers: { Cookie: `leadline=${given}` } });
      expect([given, refusalOf(answer)]).toEqual([given, refusalOf(none)]);
    }
    for (const given of forged.slice(2, 4)) {
      const page = new SessionClient(url(), `leadline=${given}`, person.csrfToken, person.userId);
      await expect(boardBy(page)).rejects.toMatchObject({ message: 'UNAUTHORIZED' });
    }
  });

  it('of a session that ends while a call’s body is on its way changes nothing', async () => {
    const person = await scene.join();
    const thread_id = await scene.account.addThread();
    const text = JSON.stringify({ thread_id, status_id: scene.stage(1) });
    const calls = async (): Promise<number> => {
      const { rows } = await scene.database.pool.query<{ n: number }>(
        'SELECT sums[62]::int AS n FROM rate_counters WHERE key_id = $1',
        [person.userId],
      );
      return rows[0]?.n ?? 0;
    };
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(text.slice(0, 9)));
        await eventually(async () => (await calls()) > 0, 5_000, 'the call was not let in');
        await person.call('auth/sign-out', {});
        const over = performance.now() + ENDED_WITHIN_MS;
        await eventually(
          () => Promise.resolve(performance.now() > over),
          3 * ENDED_WITHIN_MS,
          'no time passed',
        );
        controller.enqueue(Buffer.from(text.slice(9)));
        controller.close();
      },
    });
    const answer = await fetch(`${url()}/api/v1/leads/set-status`, {
      method: 'POST',
      headers: person.headers,
      body,
      duplex: 'half',
    });
    expect(answer.status).toBe(401);
    expect((await scene.api.getLead(thread_id)).body.data.status).toBeNull();
  });
});
