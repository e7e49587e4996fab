import type { Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import {
  callAuth,
  signIn,
  tokenOf,
  type SessionClient,
  PASSWORD,
} from '../../support/clients/session.client';
import type { ServerProcess } from '../../support/programs/server.process';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';

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

/** A person who has never been here from a network that others guess from. */
const join = () => scene.join();

/** Lets the time pass in which tries count, by the database's clock. */
const laterBy = (minutes: number) =>
  scene.database.pool.query(
    `UPDATE sign_in_tries SET tries = array(SELECT x - make_interval(mins => $1) FROM unnest(tries) x ORDER BY x DESC)`,
    [minutes],
  );

describe('wrong passwords', () => {
  it('are ten for an address from one network, over two processes; then the right one does not count', async () => {
    const { email } = await join();
    const ip = elsewhere();
    expect(await counted(times(30, (n) => guess(email, ip, n)))).toEqual({
      401: OF_ADDRESS_AND_NETWORK,
      429: 20,
    });
    expectLimited(await guess(email, ip, 1, PASSWORD));
    expect((await guess(email, elsewhere(), 0, PASSWORD)).status).toBe(200);
  });

  it('are limited alike for an address that nobody has', async () => {
    const [known, unknown] = [(await join()).email, 'nobody-of-all@example.com'];
    const [ip, other] = [elsewhere(), elsewhere()];
    await Promise.all(
      times(OF_ADDRESS_AND_NETWORK, (n) => [guess(known, ip, n), guess(unknown, other, n)]).flat(),
    );
    const [first, second] = [await guess(known, ip), await guess(unknown, other)];
    expectLimited(first);
    const bare = (answer: Answer): string => refusalOf(answer).text.replace(/\d+ s/, 'some s');
    expect(bare(second)).toBe(bare(first));
  });

  it('are fifty for an address from all networks, and the owner comes in from a known one', async () => {
    const person = await join();
    const home = elsewhere();
    await signIn(url(), person.email, PASSWORD, from(home));
    const answers = times(OF_ADDRESS + 10, (n) => guess(person.email, elsewhere(), n));
    expect(await counted(answers)).toEqual({ 401: OF_ADDRESS, 429: 10 });
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
    const person = await join();
    const session = await signIn(url(), person.email, PASSWORD, from(ip));
    const answers = times(OF_NETWORK + 10, (n) => guess(`spray-${n}@example.com`, ip, n));
    expect(await counted(answers)).toEqual({ 401: OF_NETWORK, 429: 10 });
    expectLimited(await guess(person.email, ip, 1, PASSWORD));
    expect((await session.call('auth/me', undefined, 'GET', from(ip))).status).toBe(200);
    expect((await guess(person.email, elsewhere(), 0, PASSWORD)).status).toBe(200);
  });

  it('count no good sign-in among them', async () => {
    const { email } = await join();
    const ip = elsewhere();
    await Promise.all(times(OF_ADDRESS_AND_NETWORK - 1, (n) => guess(email, ip, n)));
    for (let n = 0; n < 12; n++) expect((await guess(email, ip, n, PASSWORD)).status).toBe(200);
    expect((await guess(email, ip)).status).toBe(401);
    expectLimited(await guess(email, ip, 0, PASSWORD));
  });

  it('count no good sign-in among them either where thirty come at once', async () => {
    const { email } = await join();
    const ip = elsewhere();
    expect(await counted(times(30, () => guess(email, ip, 0, PASSWORD)))).toEqual({ 200: 30 });
    expect(await counted(times(30, () => guess(email, ip)))).toEqual({
      401: OF_ADDRESS_AND_NETWORK,
      429: 20,
    });
  });

  it('count for 15 minutes, by the database’s clock', async () => {
    const { email } = await join();
    const ip = elsewhere();
    await Promise.all(times(OF_ADDRESS_AND_NETWORK, (n) => guess(email, ip, n)));
    await laterBy(14);
    const refused = await guess(email, ip);
    expectLimited(refused);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await laterBy(1);
    expect((await guess(email, ip, 1, PASSWORD)).status).toBe(200);
  });
});

describe('a network', () => {
  it('is that of the connection where no proxy is trusted, whatever headers say', async () => {
    const direct: ServerProcess = await scene.addServer({ TRUSTED_PROXIES: '' });
    const { email } = await join();
    const headers = [
      'X-Forwarded-For',
      'Forwarded',
      'X-Real-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
      'X-Client-IP',
    ];
    const tries = times(OF_ADDRESS_AND_NETWORK, (n) => {
      const ip = elsewhere();
      const name = headers[n % headers.length] ?? '';
      return callAuth(
        direct.url,
        'sign-in',
        { email, password: WRONG },
        { [name]: name === 'Forwarded' ? `for=${ip}` : ip },
      );
    });
    expect(await counted(tries)).toEqual({ 401: OF_ADDRESS_AND_NETWORK });
    expectLimited(await callAuth(direct.url, 'sign-in', { email, password: PASSWORD }, from(elsewhere())));
  });

  it('is the last one that no trusted proxy is, though the caller writes others before it', async () => {
    const { email } = await join();
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

  it('is 64 bits of IPv6, however they are written, and an IPv4 address within IPv6', async () => {
    const { email } = await join();
    const written = (n: number): string =>
      [`2001:db8:0:7::${n}`, `2001:DB8::7:${n}:0:0:1`, `2001:0db8:0000:0007:ffff::${n}`][n % 3] ?? '';
    expect(await counted(times(OF_ADDRESS_AND_NETWORK, (n) => guess(email, written(n), n)))).toEqual({
      401: OF_ADDRESS_AND_NETWORK,
    });
    expectLimited(await guess(email, '2001:db8:0:7:a:b:c:d', 0, PASSWORD));
    expect((await guess(email, '2001:db8:0:8::1', 0, PASSWORD)).status).toBe(200);
    const ip = elsewhere();
    await Promise.all(times(OF_ADDRESS_AND_NETWORK, (n) => guess(email, n % 2 ? ip : `::ffff:${ip}`, n)));
    expectLimited(await guess(email, ip, 0, PASSWORD));
  });
});

describe('by a session', () => {
  const proofs: [string, (session: SessionClient, password: string) => [string, object]][] = [
    ['confirm', (_, password) => ['auth/confirm', { password }]],
    ['change-password', (_, current) => ['auth/change-password', { current, password: 'ten quiet valleys' }]],
    ['second-factor/disable', (_, password) => ['auth/second-factor/disable', { password, code: '000000' }]],
  ];

  it.each(proofs)('wrong tries of %s are ten, from however many networks', async (_, proof) => {
    const person = await join();
    const tryIt = (password: string, ip: string, at: number): Promise<Answer> =>
      person.at(url(at)).call(...proof(person, password), 'POST', from(ip));
    const ip = elsewhere();
    expect(await counted(times(15, (n) => tryIt(WRONG, ip, n)))).toEqual({
      403: OF_ADDRESS_AND_NETWORK,
      429: 5,
    });
    expectLimited(await tryIt(PASSWORD, ip, 0));
    expectLimited(await tryIt(PASSWORD, elsewhere(), 1));
    // They count for sign-in too.
    expectLimited(await guess(person.email, ip, 0, PASSWORD));
    expect((await person.call('auth/me')).status).toBe(200);
  });

  it('a right password counts as no try', async () => {
    const person = await join();
    for (let n = 0; n < OF_ADDRESS_AND_NETWORK + 2; n++)
      expect((await person.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
  });
});

describe('codes of a second factor', () => {
  it('are guessed ten times from a network and fifty times in all, with the right password', async () => {
    const person = await join();
    const app = await Authenticator.enable(person);
    const sign = (ip: string, code: string, at = 0): Promise<Answer> =>
      callAuth(url(at), 'sign-in', { email: person.email, password: PASSWORD, code }, from(ip));
    const ip = elsewhere();
    expect(await counted(times(12, (n) => sign(ip, app.wrongCode(), n)))).toEqual({ 401: 10, 429: 2 });
    expectLimited(await sign(ip, app.code(1)));
    expect(await counted(times(45, (n) => sign(elsewhere(), app.wrongCode(), n)))).toEqual({
      401: 40,
      429: 5,
    });
    expectLimited(await sign(elsewhere(), app.code(1)));
  });

  it('are guessed ten times with a link, from however many networks', async () => {
    const person = await join();
    const app = await Authenticator.enable(person);
    const { body } = await scene.admin.call(`admin/users/${person.userId}/invitation`, {});
    const token = tokenOf(body.data.invitation.url as string);
    const open = (code: string, at = 0): Promise<Answer> =>
      callAuth(url(at), 'accept-invitation', { token, password: PASSWORD, code }, from(elsewhere()));
    expect(await counted(times(15, (n) => open(app.wrongCode(), n)))).toEqual({ 401: 10, 429: 5 });
    expectLimited(await open(app.code(1)));
    await laterBy(15);
    expect((await open(app.code(1))).status).toBe(200);
  });
});

it('links are guessed a hundred times from a network', async () => {
  const ip = elsewhere();
  const open = (token: string, n = 0): Promise<Answer> =>
    callAuth(url(n), 'accept-invitation', { token, password: PASSWORD }, from(ip));
  const answers = times(OF_NETWORK + 10, (n) => open(`${n}`.padStart(43, 'x'), n));
  expect(await counted(answers)).toEqual({ 404: OF_NETWORK, 429: 10 });
  const { token } = await scene.invite();
  expectLimited(await open(token));
});

describe('tries of others', () => {
  it('wrong tries from networks where the person has worked are among the fifty of the address', async () => {
    const person = await scene.join();
    const homes = times(5, elsewhere);
    for (const home of homes) await signIn(url(), person.email, PASSWORD, from(home));
    const known = homes.flatMap((home) => times(OF_ADDRESS_AND_NETWORK, (n) => guess(person.email, home, n)));
    expect(await counted(known)).toEqual({ 401: OF_ADDRESS });
    expect(await counted(times(4, (n) => guess(person.email, elsewhere(), n)))).toEqual({ 429: 4 });
  });

  it('whoever is signed in confirms, whatever others have tried from the same network', async () => {
    const person = await scene.join();
    const ip = elsewhere();
    const session = await signIn(url(), person.email, PASSWORD, from(ip));
    const confirm = (password: string, at = 0): Promise<Answer> =>
      session.at(url(at)).call('auth/confirm', { password }, 'POST', from(ip));
    await Promise.all(times(OF_ADDRESS_AND_NETWORK, (n) => guess(person.email, ip, n)));
    expect((await guess(person.email, ip, 0, PASSWORD)).status).toBe(429);
    expect((await confirm(PASSWORD)).status).toBe(200);
    const others = times(OF_NETWORK - OF_ADDRESS_AND_NETWORK, (n) => guess(`spray-${n}@example.com`, ip, n));
    expect(await counted(others)).toEqual({ 401: OF_NETWORK - OF_ADDRESS_AND_NETWORK });
    expect((await guess('another@example.com', ip)).status).toBe(429);
    expect((await confirm(PASSWORD, 1)).status).toBe(200);
    // Its own wrong ones are ten, and no more.
    expect(await counted(times(15, (n) => confirm(WRONG, n)))).toEqual({ 403: 10, 429: 5 });
  });

  it('a code that no second factor waits for is no try', async () => {
    const person = await scene.join();
    const enable = (code = '000000'): Promise<Answer> => person.call('auth/second-factor/enable', { code });
    const outcomeOf = ({ body }: Answer): string | undefined => body.error?.code;
    for (let n = 0; n < 12; n++) expect(outcomeOf(await enable())).toBe('VALIDATION_ERROR');
    await Authenticator.enable(person);
    for (let n = 0; n < 12; n++) expect(outcomeOf(await enable())).toBe('ALREADY_EXISTS');
    expect((await person.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
  });
});
