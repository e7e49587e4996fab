import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { uuidOf } from '../../support/database/thread.uuid';
import { setLeadScene } from '../../support/scenes/lead.scene';

const scene = setLeadScene();

/** An active dialog, so that each page compares the snapshot with its log. */
beforeAll(async () => {
  const thread = await scene.account.addThread();
  await scene.database.pool.query(
    `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT account_id, id, assistant_id, version, 'opened', now(), '{"by": "SYSTEM", "actor": null}'
       FROM threads WHERE id = $1`,
    [uuidOf(thread)],
  );
});

const SQL_STATES_OF_BAD_VALUES = ['22P02', '22003'];
const HALF = 2n ** 32n;

/** Around where PostgreSQL's rules change: transaction ids have 64 bits, of which the lower 32 are never all 0. */
const nearEdges = fc
  .tuple(
    fc.constantFrom(0n, 3n, 2n ** 31n, HALF, 7n * HALF, 2n ** 62n, 2n ** 63n, 2n ** 64n),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([edge, distance]) => edge + BigInt(distance))
  .filter((id) => id >= 0n);
const ids = fc.oneof(nearEdges, fc.bigInt({ min: 0n, max: 2n ** 65n }), fc.bigInt({ min: 1n, max: 20n }));
const inOrder = (values: readonly bigint[]): bigint[] =>
  values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const snapshots = fc
  .tuple(ids, ids, fc.array(ids, { maxLength: 3 }), fc.boolean())
  .map(([low, high, running, isOrdered]) => {
    const [first = low, ...rest] = isOrdered ? inOrder([low, high, ...running]) : [low, high, ...running];
    const last = isOrdered ? rest.pop() : rest.shift();
    return `${first}:${last}:${rest.join(',')}`;
  });

/** Whether PostgreSQL reads it as a snapshot. */
async function isRead(snapshot: string): Promise<boolean> {
  try {
    await scene.database.pool.query('SELECT $1::pg_snapshot', [snapshot]);
    return true;
  } catch (error) {
    expect(SQL_STATES_OF_BAD_VALUES).toContain((error as { code?: string }).code);
    return false;
  }
}

/** The status of a page that follows a forged position. */
async function answerTo(sort: string, parts: readonly string[]): Promise<number> {
  const cursor = Buffer.from([sort, ...parts].join('|')).toString('base64url');
  return (await scene.api.getThreads({ sort, cursor })).status;
}

const TIME = '2026-11-20 09:30:00.000000';
const following = (snapshot: string): string[] => [`${TIME} ${randomUUIDv7()}`, TIME, snapshot];

it.each(['1:4294967296:', '1:12884901888:', '4294967296:4294967299:', '1:9223372036854775807:'])(
  'a cursor with a snapshot that PostgreSQL does not take is refused: %s',
  async (snapshot) => {
    expect(await answerTo('activity', following(snapshot))).toBe(422);
  },
);

it('a cursor with any snapshot is read, or refused where PostgreSQL does not take it', async () => {
  const property = fc.asyncProperty(snapshots, async (snapshot) => {
    const status = await answerTo('activity', following(snapshot));
    expect([200, 422]).toContain(status);
    if (!(await isRead(snapshot))) expect(status).toBe(422);
  });
  await fc.assert(property, { numRuns: 100 });
});

it('a cursor with any snapshot that PostgreSQL may have taken is read', async () => {
  const real = fc
    .tuple(
      fc.bigInt({ min: 3n, max: 2n ** 61n }),
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 4 }),
    )
    .map(([low, distances]) => {
      const taken = distances.map((distance) => low + BigInt(distance));
      const running = inOrder([...new Set([low, ...taken])]).filter((id) => id % HALF >= 3n);
      const high = (running.at(-1) ?? low) + 1n;
      return { first: running[0] ?? high, high, running: running.slice(0, -1) };
    })
    .filter(({ first, high }) => first % HALF >= 3n && high % HALF >= 3n)
    .map(({ first, high, running }) => `${first}:${high}:${running.join(',')}`);
  const property = fc.asyncProperty(real, async (snapshot) => {
    expect([snapshot, await isRead(snapshot), await answerTo('activity', following(snapshot))]).toEqual([
      ...[snapshot, true],
      200,
    ]);
  });
  await fc.assert(property, { numRuns: 40 });
});
