import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { Answer, ApiClient } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

const SORTS = ['opened', 'activity', 'waiting'] as const;
type Sort = (typeof SORTS)[number];

interface Listed {
  thread_id: string;
  updated_at: string;
  waiting: boolean;
  waiting_since: string | null;
  lead_status: { id: string; kind: string } | null;
  unread_count: number;
  opted_out: boolean;
  attention: { reason: string } | null;
  channel: string;
}

const scene = setScene();
let account: AccountFixture;
let api: ApiClient;

beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool, [{}, { kind: 'success' }, { kind: 'failure' }]);
  api = scene.apiAt(0, account.key);
});

const dataOf = ({ status, body }: Answer) => {
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as {
    threads: Listed[];
    next_cursor: string | null;
    totals?: { status_id: string | null; total: number }[];
  };
};

/** All pages of a list. @param between is called before each further page */
async function readAll(query: object, between: () => Promise<unknown> = async () => undefined) {
  const listed: Listed[] = [];
  for (let cursor: string | undefined; ;) {
    const { threads, next_cursor } = dataOf(await api.getThreads({ ...query, cursor }));
    listed.push(...threads);
    if (next_cursor === null) return listed;
    cursor = next_cursor;
    await between();
  }
}

const idsOf = (listed: readonly Listed[]): string[] => listed.map(({ thread_id }) => thread_id);

/** Dialogs of all kinds, each opened and last active at its time, as its history says. */
async function fill(count: number): Promise<string[]> {
  const threads: string[] = [];
  for (let n = 0; n < count; n++) {
    const statusId = [null, ...account.stages][randomInt(account.stages.length + 1)];
    const thread = await account.addThread({
      statusId,
      channel: randomInt(3) === 0 ? 'waba' : 'waba_coexistence',
      ...(randomInt(2) === 0 && { waitingMinutes: randomInt(5) }),
      ...(randomInt(5) === 0 && { optedOut: true, aiEnabled: false }),
    });
    threads.push(thread);
    const minutes = randomInt(6);
    await scene.kept.setFacts(
      thread,
      `unread_count = ${randomInt(2)}, attention = ${randomInt(3) === 0 ? `'model'` : 'NULL'},
       last_activity_at = date_trunc('minute', now()) - interval '${10 + minutes} minutes'`,
    );
    await scene.database.pool.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, sent_at, created_at)
       SELECT account_id, waiting_message_id, id, bot_id, channel, 'USER', true, 'received', '', waiting_at, last_activity_at
         FROM threads WHERE account_id = $1 AND id = $2 AND waiting_message_id IS NOT NULL`,
      [account.id, uuidOf(thread)],
    );
    await scene.database.pool.query(
      `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       SELECT t.account_id, t.id, t.assistant_id, t.version, e.type, t.last_activity_at,
              jsonb_build_object('by', 'SYSTEM', 'actor', NULL, 'message_id', e.message_id)
         FROM threads t CROSS JOIN LATERAL (
           SELECT 'opened', NULL UNION ALL SELECT 'message', t.waiting_message_id WHERE t.waiting_message_id IS NOT NULL)
           AS e (type, message_id)
        WHERE t.account_id = $1 AND t.id = $2`,
      [account.id, uuidOf(thread)],
    );
  }
  return threads;
}

/** The order that the contract names. Of equal ones by their ids, as the pages do. */
const ORDERS: Record<Sort, (a: Listed, b: Listed) => number> = {
  opened: (a, b) => down(a.thread_id, b.thread_id),
  activity: (a, b) => down(a.updated_at, b.updated_at) || down(a.thread_id, b.thread_id),
  waiting: (a, b) => {
    if (a.waiting !== b.waiting) return a.waiting ? -1 : 1;
    if (!a.waiting) return down(a.thread_id, b.thread_id);
    return -down(String(a.waiting_since), String(b.waiting_since)) || -down(a.thread_id, b.thread_id);
  },
};
const down = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);

/** What each filter lets through, by what the list shows. */
const FILTERS: Record<string, (value: never, thread: Listed) => boolean> = {
  waiting: (value, { waiting }) => waiting === value,
  unread: (value, { unread_count }) => unread_count > 0 === value,
  opted_out: (value, { opted_out }) => opted_out === value,
  attention: (value, { attention }) => (attention !== null) === value,
  status_ids: (value: (string | null)[], { lead_status }) => value.includes(lead_status?.id ?? null),
  status_kind: (value, { lead_status }) => lead_status?.kind === value,
  channel: (value: string, { channel }) => channel === value.toUpperCase(),
};

it('every filter, order and size of page alone and together lists what a model of it does', async () => {
  await fill(40);
  const all = dataOf(await api.getThreads({ limit: 200 })).threads;
  expect(all).toHaveLength(40);
  const [first, second] = account.stages;
  const query = fc.record(
    {
      waiting: fc.boolean(),
      unread: fc.boolean(),
      opted_out: fc.boolean(),
      attention: fc.boolean(),
      status_ids: fc.uniqueArray(fc.constantFrom(null, first, second), { minLength: 1 }),
      status_kind: fc.constantFrom('active', 'success'),
      channel: fc.constantFrom('waba', 'waba_coexistence'),
      sort: fc.constantFrom(...SORTS),
    },
    { requiredKeys: [] },
  );
  const property = fc.asyncProperty(query, fc.integer({ min: 1, max: 50 }), async (asked, limit) => {
    const { sort = 'opened', ...filters } = asked;
    const passes = (thread: Listed): boolean =>
      Object.entries(filters).every(([name, value]) => FILTERS[name]?.(value as never, thread));
    const expected = all.filter(passes);
    expect(idsOf(await readAll({ ...asked, limit }))).toEqual(idsOf(expected.toSorted(ORDERS[sort])));
    const { totals = [] } = dataOf(await api.getThreads({ ...asked, counts: true, limit: 1 }));
    const counted = Map.groupBy(expected, ({ lead_status }) => lead_status?.id ?? null);
    expect(new Map(totals.map(({ status_id, total }) => [status_id, total]))).toEqual(
      new Map([...counted].map(([id, threads]) => [id, threads.length])),
    );
  });
  await fc.assert(property, { numRuns: triesOf(30, 60) });
});

// By opening: thread-lists.e2e.spec.ts.
it.each(['activity', 'waiting'])(
  'no dialog is missed or comes twice by %s while leads move',
  async (sort) => {
    const threads = await fill(24);
    let going = true;
    const move = async (): Promise<void> => {
      const thread_id = threads[randomInt(threads.length)];
      const status_id = account.stages[randomInt(account.stages.length)];
      expect((await api.setStatus({ thread_id, status_id })).status).toBe(200);
    };
    const storm = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (going) await move();
      }),
    );
    try {
      for (let round = 0; round < triesOf(3, 5); round++) {
        const listed = idsOf(await readAll({ sort, limit: 5 }, move));
        expect(listed.toSorted()).toEqual(threads.toSorted());
      }
    } finally {
      going = false;
      await storm;
    }
  },
);

it('a dialog that is opened between two pages is on none of the later ones', async () => {
  const threads = await fill(6);
  let opened = false;
  const listed = await readAll({ sort: 'activity', limit: 2 }, async () => {
    if (!opened) await fill(1);
    opened = true;
  });
  const late = idsOf(listed).filter((id) => !threads.includes(id));
  expect([
    late.length <= 1,
    idsOf(listed)
      .filter((id) => threads.includes(id))
      .toSorted(),
  ]).toEqual([true, threads.toSorted()]);
});

// What is no position at all: libs/contracts/src/values/list-position.format.spec.ts.
it('a cursor of a list in one order is refused for one in another', async () => {
  await fill(3);
  for (const [of, sort] of [
    ['activity', 'opened'],
    ['opened', 'waiting'],
    ['waiting', 'activity'],
  ]) {
    const cursor = dataOf(await api.getThreads({ sort: of, limit: 1 })).next_cursor;
    const { status, body } = await api.getThreads({ sort, cursor });
    expect([of, sort, status, body.error?.code]).toEqual([of, sort, 422, 'VALIDATION_ERROR']);
  }
});
