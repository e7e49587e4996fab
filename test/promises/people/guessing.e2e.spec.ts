import type { Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import {
  callAuth,
  signIn,
  tokenOf,
  type SessionClient,
  PASSWORD,
} from '../../support/clients/session.client';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';

// How tries are counted is in sign-in-tries.db.spec.ts; here, what is counted by which limit, and what a caller is told.

const OF_ADDRESS_AND_NETWORK = 10;
const OF_ADDRESS = 50;
const OF_NETWORK = 100;
const WRONG = 'no such quiet river';

const scene = setScene({ servers: 2 });

const url = (n = 0): string => scene.urls[n % 2] ?? '';
let networks = 0;

/** An address in a network of its own. */
function elsewhere(): string {
  networks += 1;
  return `198.18.${networks >> 8}.${networks & 255}`;
}

const from = (ip: string) => ({ 'X-Forwarded-For': ip });

const guess = (email: string, ip: string, at = 0, password = WRONG): Promise<Answer> =>
  callAuth(url(at), 'sign-in', { email, password }, from(ip));

const times = <T>(count: number, act: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => act(n));

/** How many answers have each status. */
async function counted(answers: Promise<Answer>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function expectLimited({ status, body, headers }: Answer): void {
  expect([status, body.error?.code]).toEqual([429, 'RATE_LIMITED']);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(15 * 60);
}

/** After a wrong try: as if all that it is counted by had been tried so often by now. */
async function triedSoOften(tries: number): Promise<void> {
  const { rowCount } = await scene.database.pool.query(
    `UPDATE sign_in_tries SET tries = array_fill(tries[1], ARRAY[$1::int])
      WHERE last_at = (SELECT max(last_at) FROM sign_in_tries)`,
    [tries],
  );
  expect(rowCount).toBeGreaterThan(0);
}

/** Lets the time pass in which tries count, by the database's clock. */
const laterBy = (minutes: number) =>
  scene.database.pool.query(
    `UPDATE sign_in_tries SET tries = array(SELECT x - make_interval(mins => $1) FROM unnest(tries) x ORDER BY x DESC)`,
    [minutes],
  );

describe('wrong passwords', () => {
  it('are ten for an address from one network, over two processes, and alike for one that nobody has', async () => {
    const [known, unknown] = [(await scene.join()).email, 'nobody-of-all@example.com'];
    const [ip, other] = [elsewhere(), elsewhere()];
    const [first, second] = [
      await counted(times(13, (n) => guess(known, ip, n))),
      await counted(times(13, (n) => guess(unknown, other, n))),
    ];
    expect([first, second]).toEqual(Array(2).fill({ 401: OF_ADDRESS_AND_NETWORK, 429: 3 }));
    const refused = [await guess(known, ip, 1, PASSWORD), await guess(unknown, other, 1, PASSWORD)] as const;
    refused.forEach(expectLimited);
    const bare = (answer: Answer): string => refusalOf(answer).text.replace(/\d+ s/, 'some s');
    expect(bare(refused[1])).toBe(bare(refused[0]));
    expect((await guess(known, elsewhere(), 0, PASSWORD)).status).toBe(200);
  });

  it('are fifty for an address from all networks, and the owner comes in from a known one', async () => {
    const person = await scene.join();
    const home = elsewhere();
    await signIn(url(), person.email, PASSWORD, from(home));
    await guess(person.email, elsewhere());
    await triedSoOften(OF_ADDRESS - 1);
    expect((await guess(person.email, elsewhere(), 1)).status).toBe(401);
    expectLimited(await guess(person.email, elsewhere(), 1, PASSWORD));
    expect((await guess(person.email, home, 1, PASSWORD)).status).toBe(200);
    // A session goes on wherever it is by now, and so does what it must prove.
    for (const ip of [home, elsewhere()]) {
      const confirmed = await person.call('auth/confirm', { password: PASSWORD }, 'POST', from(ip));
      expect([ip, confirmed.status]).toEqual([ip, 200]);
    }
  });

  it('are a hundred from a network, whatever addresses they name; sessions from there go on', async () => {
    const ip = elsewhere();
    const person = await scene.join();
    const session = await signIn(url(), person.email, PASSWORD, from(ip));
    await guess('spray-0@example.com', ip);
    await triedSoOften(OF_NETWORK - 1);
    expect((await guess('spray-1@example.com', ip, 1)).status).toBe(401);
    expectLimited(await guess(person.email, ip, 1, PASSWORD));
    expect((await session.call('auth/me', undefined, 'GET', from(ip))).status).toBe(200);
    expect((await guess(person.email, elsewhere(), 0, PASSWORD)).status).toBe(200);
  });

  it('count no good sign-in among them', async () => {
    const { email } = await scene.join();
    const ip = elsewhere();
    await guess(email, ip);
    await triedSoOften(OF_ADDRESS_AND_NETWORK - 1);
    for (let n = 0; n < 2; n++) expect((await guess(email, ip, n, PASSWORD)).status).toBe(200);
    expect((await guess(email, ip)).status).toBe(401);
    expectLimited(await guess(email, ip, 0, PASSWORD));
  });
});

// Where no proxy is trusted: cross-site.e2e.spec.ts.
describe('a network', () => {
  it('is the last one that no trusted proxy is, though the caller writes others before it', async () => {
    const { email } = await scene.join();
    const ip = elsewhere();
    const chains = [
      () => `${elsewhere()}, ${ip}`,
      () => `${ip}, 10.1.2.3`,
      () => `${elsewhere()}, 10.9.9.9, ${ip}, 10.1.2.3, 127.0.0.1`,
      () => `127.0.0.1, ${ip}`,
      () => `unknown, ${ip}`,
    ];
    const tries = times(OF_ADDRESS_AND_NETWORK, (n) => guess(email, chains[n % chains.length]?.() ?? '', n));
    expect(await counted(tries)).toEqual({ 401: OF_ADDRESS_AND_NETWORK });
    expectLimited(await guess(email, `${elsewhere()}, ${ip}`, 0, PASSWORD));
    expect((await guess(email, `${ip}, ${elsewhere()}`, 0, PASSWORD)).status).toBe(200);
  });

  it('is 64 bits of IPv6', async () => {
    const { email } = await scene.join();
    await guess(email, '2001:db8:0:7::1');
    await triedSoOften(OF_ADDRESS_AND_NETWORK);
    expectLimited(await guess(email, '2001:DB8:0:7:a:b:c:d', 0, PASSWORD));
    expect((await guess(email, '2001:db8:0:8::1', 0, PASSWORD)).status).toBe(200);
  });
});

describe('by a session', () => {
  const proofs: [string, (session: SessionClient, password: string) => [string, object]][] = [
    ['confirm', (_, password) => ['auth/confirm', { password }]],
    ['change-password', (_, current) => ['auth/change-password', { current, password: 'ten quiet valleys' }]],
    ['second-factor/disable', (_, password) => ['auth/second-factor/disable', { password, code: '000000' }]],
  ];

  it.each(proofs)('wrong tries of %s are ten, from however many networks', async (_, proof) => {
    const person = await scene.join();
    const tryIt = (password: string, ip: string, at: number): Promise<Answer> =>
      person.at(url(at)).call(...proof(person, password), 'POST', from(ip));
    const ip = elsewhere();
    expect((await tryIt(WRONG, ip, 0)).status).toBe(403);
    await triedSoOften(OF_ADDRESS_AND_NETWORK - 1);
    expect((await tryIt(WRONG, ip, 1)).status).toBe(403);
    expectLimited(await tryIt(PASSWORD, ip, 0));
    expectLimited(await tryIt(PASSWORD, elsewhere(), 1));
    // They count for sign-in too.
    expectLimited(await guess(person.email, ip, 0, PASSWORD));
    expect((await person.call('auth/me')).status).toBe(200);
  });

  it('a right password counts as no try', async () => {
    const person = await scene.join();
    await person.call('auth/confirm', { password: WRONG });
    await triedSoOften(OF_ADDRESS_AND_NETWORK - 1);
    for (let n = 0; n < 2; n++)
      expect((await person.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
  });
});

describe('codes of a second factor', () => {
  it('are guessed ten times from a network, with the right password', async () => {
    const person = await scene.join();
    const app = await Authenticator.enable(person);
    const sign = (ip: string, code: string, at = 0): Promise<Answer> =>
      callAuth(url(at), 'sign-in', { email: person.email, password: PASSWORD, code }, from(ip));
    const ip = elsewhere();
    expect((await sign(ip, app.wrongCode())).status).toBe(401);
    await triedSoOften(OF_ADDRESS_AND_NETWORK - 1);
    expect((await sign(ip, app.wrongCode(), 1)).status).toBe(401);
    expectLimited(await sign(ip, app.code(1)));
  });

  it('are guessed ten times with a link, from however many networks', async () => {
    const person = await scene.join();
    const app = await Authenticator.enable(person);
    const { body } = await scene.admin.call(`admin/users/${person.userId}/invitation`, {});
    const token = tokenOf(body.data.invitation.url as string);
    const open = (code: string, at = 0): Promise<Answer> =>
      callAuth(url(at), 'accept-invitation', { token, password: PASSWORD, code }, from(elsewhere()));
    expect((await open(app.wrongCode())).status).toBe(401);
    await triedSoOften(9);
    expect((await open(app.wrongCode(), 1)).status).toBe(401);
    expectLimited(await open(app.code(1)));
    await laterBy(15);
    expect((await open(app.code(1))).status).toBe(200);
  });
});

it('links are guessed a hundred times from a network', async () => {
  const ip = elsewhere();
  const open = (token: string, n = 0): Promise<Answer> =>
    callAuth(url(n), 'accept-invitation', { token, password: PASSWORD }, from(ip));
  expect((await open('x'.repeat(43))).status).toBe(404);
  await triedSoOften(OF_NETWORK - 1);
  expect((await open('y'.repeat(43), 1)).status).toBe(404);
  const { token } = await scene.invite();
  expectLimited(await open(token));
});

describe('tries of others', () => {
  it('whoever is signed in confirms, whatever others have tried from the same network', async () => {
    const person = await scene.join();
    const ip = elsewhere();
    const session = await signIn(url(), person.email, PASSWORD, from(ip));
    await guess(person.email, ip);
    await triedSoOften(OF_NETWORK);
    expect((await guess(person.email, ip, 0, PASSWORD)).status).toBe(429);
    const confirmed = await session.at(url(1)).call('auth/confirm', { password: PASSWORD }, 'POST', from(ip));
    expect(confirmed.status).toBe(200);
  });

  it('a code that no second factor waits for is no try', async () => {
    const person = await scene.join();
    const enable = (code = '000000'): Promise<Answer> => person.call('auth/second-factor/enable', { code });
    const outcomeOf = ({ body }: Answer): string | undefined => body.error?.code;
    for (let n = 0; n <= 10; n++) expect(outcomeOf(await enable())).toBe('VALIDATION_ERROR');
    await Authenticator.enable(person);
    for (let n = 0; n <= 10; n++) expect(outcomeOf(await enable())).toBe('ALREADY_EXISTS');
    expect((await person.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
  });
});
