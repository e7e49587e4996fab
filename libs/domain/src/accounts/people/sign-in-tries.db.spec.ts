import { randomUUID } from 'node:crypto';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { SignInTriesRepository } from '@app/persistence/accounts/people/sign-in-tries.repository';
import { Database } from '@app/persistence/database/database.service';
import type { Pool } from 'pg';
import { AccountFixture } from '../../../../../test/support/database/fixture';
import {
  createDatabase,
  openPool,
  type TestDatabase,
} from '../../../../../test/support/database/test.database';
import { TooManyTriesError } from './people.errors';
import { SignInTries, type CountedTry } from './sign-in-tries';

const OF_ADDRESS_AND_NETWORK = 10;
const OF_ADDRESS = 50;
const OF_NETWORK = 100;

let database: TestDatabase;
let pools: Pool[];
/** As two processes have them. */
let processes: SignInTries[];

beforeAll(async () => {
  database = await createDatabase();
  pools = [openPool(database.url, 4), openPool(database.url, 4)];
  processes = pools.map(
    (pool) => new SignInTries(new SignInTriesRepository(new Database(pool, new InFlightLimiter(4)))),
  );
});

afterAll(async () => {
  await Promise.all((pools ?? []).map((pool) => pool.end()));
  await database?.drop();
});

const somebody = (): string => `${randomUUID()}@example.com`;
let networks = 0;
const elsewhere = (): string => `198.18.0.${(networks += 1)}`;

const wrong = (): Promise<never> => Promise.reject(new Error('a wrong guess'));
const right = async ({ forgive }: CountedTry): Promise<string> => {
  await forgive();
  return 'right';
};
type Guess = typeof wrong | typeof right;

/** What comes of a try: `wrong`, `right`, or after how many seconds the next may be made. */
const outcomeOf = (tried: Promise<string>): Promise<string | number> =>
  tried.catch((error: Error) => (error instanceof TooManyTriesError ? error.retryAfterSeconds : 'wrong'));

const ofAddress = (email: string, network: string, n = 0, guess: Guess = wrong) =>
  outcomeOf(processes[n % 2]!.ofAddress(email, network, guess));
const ofSession = (email: string, network: string, session: string, n = 0, guess: Guess = wrong) =>
  outcomeOf(processes[n % 2]!.ofSession(email, network, session, guess));

async function counted(
  count: number,
  act: (n: number) => Promise<string | number>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(Array.from({ length: count }, (_, n) => act(n)))) {
    const name = typeof outcome === 'number' ? 'limited' : outcome;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const laterBy = (minutes: number) =>
  database.pool.query(
    `UPDATE sign_in_tries SET tries = array(SELECT x - make_interval(mins => $1) FROM unnest(tries) x ORDER BY x DESC)`,
    [minutes],
  );

/** A person who has worked from some networks. @returns the address */
async function personOf(...homes: string[]): Promise<string> {
  const account = await AccountFixture.create(database.pool);
  const id = await account.addUser();
  for (const network of homes)
    await database.pool.query(
      `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent)
       SELECT $1, id, $2, sha256(id::text::bytea), $3, $3, 'a browser' FROM (SELECT gen_random_uuid() AS id) made`,
      [account.id, id, network],
    );
  return `${id}@example.com`;
}

it('wrong tries of an address are ten from one network, over two processes at once', async () => {
  const [email, network] = [somebody(), elsewhere()];
  expect(await counted(30, (n) => ofAddress(email, network, n))).toEqual({
    wrong: OF_ADDRESS_AND_NETWORK,
    limited: 20,
  });
  expect(await ofAddress(email, elsewhere(), 0, right)).toBe('right');
});

it('wrong tries of an address are fifty from all networks, but for those where its person has worked', async () => {
  const home = elsewhere();
  const email = await personOf(home);
  expect(await counted(OF_ADDRESS + 10, (n) => ofAddress(email, elsewhere(), n))).toEqual({
    wrong: OF_ADDRESS,
    limited: 10,
  });
  expect(await ofAddress(email, elsewhere(), 1, right)).toEqual(expect.any(Number));
  expect(await ofAddress(email, home, 1, right)).toBe('right');
});

it('wrong tries from where the person has worked are among the fifty', async () => {
  const homes = Array.from({ length: 5 }, elsewhere);
  const email = await personOf(...homes);
  expect(await counted(OF_ADDRESS, (n) => ofAddress(email, homes[n % 5]!, n))).toEqual({ wrong: OF_ADDRESS });
  expect(await counted(4, (n) => ofAddress(email, elsewhere(), n))).toEqual({ limited: 4 });
});

it('wrong tries of a network are a hundred, whatever addresses they name, and links too', async () => {
  const network = elsewhere();
  expect(await counted(OF_NETWORK, (n) => ofAddress(somebody(), network, n))).toEqual({ wrong: OF_NETWORK });
  expect(await counted(6, (n) => ofAddress(somebody(), network, n))).toEqual({ limited: 6 });
  expect(await outcomeOf(processes[0]!.ofNetwork(network, right))).toEqual(expect.any(Number));
  const other = elsewhere();
  const links = (n: number) => outcomeOf(processes[n % 2]!.ofNetwork(other, wrong));
  expect(await counted(OF_NETWORK + 6, links)).toEqual({ wrong: OF_NETWORK, limited: 6 });
});

it('right ones are none of them, however many come at once', async () => {
  const [email, network] = [somebody(), elsewhere()];
  expect(await counted(30, () => ofAddress(email, network, 0, right))).toEqual({ right: 30 });
  expect(await counted(OF_ADDRESS_AND_NETWORK - 1, () => ofAddress(email, network))).toEqual({ wrong: 9 });
  expect(await counted(12, () => ofAddress(email, network, 0, right))).toEqual({ right: 12 });
  expect(await counted(20, () => ofAddress(email, network))).toEqual({ wrong: 1, limited: 19 });
});

it('one that is too many waits for the end of those under way, which may be right', async () => {
  const repository = new SignInTriesRepository(new Database(pools[0]!, new InFlightLimiter(4)));
  const count = repository.count.bind(repository);
  const oneTooMany = Promise.withResolvers<void>();
  repository.count = async (limits) => {
    const counted = await count(limits);
    if ('retryAfterSeconds' in counted) oneTooMany.resolve();
    return counted;
  };
  const tries = new SignInTries(repository);
  const [email, network] = [somebody(), elsewhere()];
  const slow = async (guess: CountedTry): Promise<string> => {
    await oneTooMany.promise;
    return right(guess);
  };
  const all = () => outcomeOf(tries.ofAddress(email, network, slow));
  expect(await counted(OF_ADDRESS_AND_NETWORK + 2, all)).toEqual({ right: OF_ADDRESS_AND_NETWORK + 2 });
});

it('they count for fifteen minutes, by the database’s clock', async () => {
  const [email, network] = [somebody(), elsewhere()];
  await counted(OF_ADDRESS_AND_NETWORK, () => ofAddress(email, network));
  const first = await ofAddress(email, network);
  expect(first).toBeGreaterThan(14 * 60);
  expect(first).toBeLessThanOrEqual(15 * 60);
  await laterBy(14);
  const second = await ofAddress(email, network);
  expect(second).toBeGreaterThan(0);
  expect(second).toBeLessThanOrEqual(60);
  await laterBy(1);
  expect(await ofAddress(email, network, 1, right)).toBe('right');
});

it('wrong tries of a session are ten from however many networks, and count for sign-in', async () => {
  const [email, network, session] = [somebody(), elsewhere(), randomUUID()];
  expect(await counted(15, (n) => ofSession(email, network, session, n))).toEqual({ wrong: 10, limited: 5 });
  expect(await ofSession(email, elsewhere(), session, 1, right)).toEqual(expect.any(Number));
  expect(await ofAddress(email, network, 0, right)).toEqual(expect.any(Number));
});

it('what others try from the same network keeps no session from its own', async () => {
  const [email, network, session] = [somebody(), elsewhere(), randomUUID()];
  await counted(OF_ADDRESS_AND_NETWORK, () => ofAddress(email, network));
  await counted(OF_NETWORK, () => ofAddress(somebody(), network));
  expect(await ofAddress(somebody(), network)).toEqual(expect.any(Number));
  expect(await ofSession(email, network, session, 1, right)).toBe('right');
  expect(await counted(15, (n) => ofSession(email, network, session, n))).toEqual({ wrong: 10, limited: 5 });
});

it('wrong codes with a link are ten', async () => {
  const link = Buffer.from(randomUUID());
  const open = (n: number) => outcomeOf(processes[n % 2]!.ofLink(link, wrong));
  expect(await counted(15, open)).toEqual({ wrong: 10, limited: 5 });
});
