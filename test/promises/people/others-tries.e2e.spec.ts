import type { Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import { callAuth, signIn } from '../../support/clients/session.client';
import { CHEAP_HASHES } from '../../support/programs/test.limits';
import { PASSWORD, setPeopleScene } from '../../support/scenes/people.scene';

const OF_ADDRESS_AND_NETWORK = 10;
const OF_ADDRESS = 50;
const OF_NETWORK = 100;
const WRONG = 'no such quiet river';

const scene = setPeopleScene({
  servers: 2,
  environment: { TRUSTED_PROXIES: '127.0.0.1', ...CHEAP_HASHES },
});
const url = (n = 0): string => scene.urls[n % 2] ?? '';

let networks = 0;
/** An address in a network of its own. */
function elsewhere(): string {
  networks += 1;
  return `198.19.${networks >> 8}.${networks & 255}`;
}

const from = (ip: string) => ({ 'X-Forwarded-For': ip });

const guess = (email: string, ip: string, at = 0, password = WRONG): Promise<Answer> =>
  callAuth(url(at), 'sign-in', { email, password }, from(ip));

const times = <T>(count: number, act: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => act(n));

async function counted(answers: Promise<Answer>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

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
