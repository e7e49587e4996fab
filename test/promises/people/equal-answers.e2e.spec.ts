import { readFileSync } from 'node:fs';
import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import { callAuth, PASSWORD } from '../../support/clients/session.client';
import { triesOf } from '../../support/long.mode';
import type { ServerProcess } from '../../support/programs/server.process';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';

/** Of each kind of address. */
const TRIES = Math.min(1_000, triesOf(16, 1_000));
/** Fewer than are refused for one address. */
const TRIES_OF_ADDRESS = 40;
const WRONG = 'no such quiet river';
/** Of equal distributions, one comparison in 15,000 is further off. */
const Z_MAX = 4;

// As many hashes would run at once as there are threads, if nothing bounded them.
const scene = setScene({ environment: { TRUSTED_PROXIES: '127.0.0.1', UV_THREADPOOL_SIZE: '64' } });

let networks = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.18.${(networks += 1) >> 8}.${networks & 255}` });

const enter = (email: string, password = WRONG, headers: Record<string, string> = elsewhere()) =>
  callAuth(scene.server.url, 'sign-in', { email, password }, headers);

/** What an address can be to whoever does not know. */
const KINDS = ['of a person', 'of nobody', 'of a disabled person', 'of a person without a password'] as const;
type Kind = (typeof KINDS)[number];

/** Addresses of each kind, written as rows: by invitations they would take as long as the tries. */
async function addAddresses(kind: Kind, passwordOf: string, count: number): Promise<string[]> {
  const addresses = Array.from(
    { length: count },
    (_, n) => `${KINDS.indexOf(kind)}-${n}-${randomUUIDv7()}@example.com`,
  );
  if (kind !== 'of nobody') {
    await scene.database.pool.query(
      `INSERT INTO users (account_id, id, email, email_key, name, role, locale, password_hash, disabled_at)
       SELECT u.account_id, gen_random_uuid(), a, a, u.name, u.role, u.locale,
              CASE WHEN $3 <> 'of a person without a password' THEN u.password_hash END,
              CASE WHEN $3 = 'of a disabled person' THEN clock_timestamp() END
         FROM users u, unnest($2::text[]) a WHERE u.email = $1`,
      [passwordOf, addresses, kind],
    );
  }
  return addresses;
}

/** How far the ranks of two samples are apart, in standard deviations (Wilcoxon, Mann and Whitney). */
function rankDistance(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length];
  const ranked = [...first, ...second]
    .map((value, index) => ({ value, index }))
    .sort((a, b) => a.value - b.value);
  const sum = ranked.reduce((total, { index }, rank) => total + (index < n ? rank + 1 : 0), 0);
  return (sum - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

/** In an order that is another one each time. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

describe('sign-in that fails', () => {
  let addresses: Record<Kind, string[]>;

  beforeAll(async () => {
    const { email } = await scene.join();
    const count = Math.ceil(TRIES / TRIES_OF_ADDRESS) + 1;
    const added = await Promise.all(
      KINDS.map(async (kind) => [kind, await addAddresses(kind, email, count)] as const),
    );
    addresses = Object.fromEntries(added) as Record<Kind, string[]>;
  });

  /** Only who does not exist gives the right password of somebody. */
  const passwordFor = (kind: Kind): string => (kind === 'of a person' ? WRONG : PASSWORD);

  /** What a stranger could tell answers apart by: everything but the time and the id of the call. */
  const bare = (answer: Answer): unknown => [
    refusalOf(answer),
    [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  ];

  it(
    `takes the same time, and has the same bytes, for every kind of address (${TRIES} tries each)`,
    async () => {
      const expected = bare(await enter('nobody@example.com'));
      const times = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>;
      for (let n = 0; n < TRIES; n++) {
        for (const kind of shuffled(KINDS)) {
          const email = addresses[kind][Math.floor(n / TRIES_OF_ADDRESS)] ?? '';
          const begun = performance.now();
          const answer = await enter(email, passwordFor(kind));
          times[kind].push(performance.now() - begun);
          expect([answer.status, bare(answer)]).toEqual([401, expected]);
        }
      }
      const known = times['of a person'];
      for (const kind of KINDS) {
        // Not by medians or means: on a busy machine they are a tenth apart by chance.
        const distance = Math.abs(rankDistance(known, times[kind]));
        expect([kind, distance < Z_MAX || distance]).toEqual([kind, true]);
      }
    },
    15 * 60_000,
  );
});

describe('many sign-ins at once', () => {
  const FLOOD = 32;
  /** Of one, in KiB; and how much the process may take in all, for its hashes and everything else. */
  const HASH_KIB = 19_456;
  const GROWTH_KIB_MAX = 12 * HASH_KIB;

  const peakOf = ({ pid }: ServerProcess): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

  it('take the memory of a few and leave other calls their turn', async () => {
    const { api, server } = scene;
    await Promise.all(Array.from({ length: 20 }, () => api.getStatuses()));
    const before = peakOf(server);
    let over = false;
    const flood = Promise.all(
      Array.from({ length: FLOOD }, (_, n) => enter(`flood-${n}@example.com`)),
    ).finally(() => (over = true));
    let calls = 0;
    while (!over) {
      expect((await api.getStatuses()).status).toBe(200);
      calls += 1;
    }
    const statuses = new Set((await flood).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 401 && status !== 503)).toEqual([]);
    expect(statuses).toContain(401);
    expect(calls).toBeGreaterThan(FLOOD / 6);
    expect(peakOf(server) - before).toBeLessThan(GROWTH_KIB_MAX);
  });

  it('of one network do not keep people of another waiting', async () => {
    const { email } = await scene.join();
    const busy = elsewhere();
    let refused = 0;
    const flood = Array.from({ length: 20 }, async (_, n) => {
      await enter(`busy-${n}@example.com`, WRONG, busy);
      refused += 1;
    });
    expect((await enter(email, PASSWORD)).status).toBe(200);
    expect(refused).toBeLessThan(flood.length / 2);
    await Promise.all(flood);
  });
});
