import { randomInt, randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import type { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { secondsAgo, wamid, type Customer } from '../../support/stand-ins/cloud.webhooks';
import { uuidOf } from '../../support/database/thread.uuid';

const scene = setInboundScene();

describe('the pages of get-threads', () => {
  let api: ApiClient;
  let assistantId: string;
  let stages: string[];

  interface Page {
    threads: { thread_id: string; phone: string; waiting: boolean }[];
    next_cursor: string | null;
  }

  async function page(query: object): Promise<Page> {
    const { status, body } = await api.getThreads(query);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data as Page;
  }

  /** The phones of a list, page by page. @param between is called before each further page, with its number from 1 */
  async function readAll(query: object, between: (n: number) => Promise<unknown>): Promise<string[]> {
    const phones: string[] = [];
    for (let cursor: string | undefined, n = 1; ; n++) {
      const { threads, next_cursor } = await page({ ...query, cursor });
      phones.push(...threads.map(({ phone }) => phone));
      if (next_cursor === null) return phones;
      cursor = next_cursor;
      await between(n);
    }
  }

  const phoneOf = ({ phone = '' }: Customer): string => `+${phone}`;

  const threadOf = async (customer: Customer): Promise<string> =>
    `thread_${(await scene.dialog(phoneOf(customer))).id}`;

  const writes = (customer: Customer, at = secondsAgo(0)): Promise<void> =>
    scene.tell(scene.number.message(customer, 'здравствуйте', { at }));

  const isAnswered = (customer: Customer): Promise<void> => scene.tell(scene.number.echo(customer, 'да'));

  /** A message of ours that the provider has taken. @returns the provider's id */
  async function hasOurs(customer: Customer): Promise<string> {
    const thread = uuidOf(await threadOf(customer));
    const providerId = wamid();
    const id = await scene.addOutgoing(thread, { status: 'sent', providerId });
    await scene.database.pool.query(
      `WITH ours AS (UPDATE messages SET created_at = clock_timestamp() WHERE id = $2)
     INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT account_id, id, assistant_id, version + 1, 'message', clock_timestamp(),
            jsonb_build_object('by', 'SYSTEM', 'actor', NULL, 'message_id', $2::uuid) FROM threads WHERE id = $1`,
      [thread, id],
    );
    await scene.kept.setFacts(
      `thread_${thread}`,
      'version = version + 1, answer_count = 1, last_outbound_at = now(), last_activity_at = now()',
    );
    return providerId;
  }

  const moves = async (customer: Customer): Promise<void> => {
    const status_id = stages[randomInt(2)];
    expect((await api.setStatus({ thread_id: await threadOf(customer), status_id })).status).toBe(200);
  };

  /** So many customers who have written, the one who waits longest first, or the one whose dialog is the oldest. */
  async function customersWho(count: number, of: 'wait' | 'have answers'): Promise<Customer[]> {
    const customers = Array.from({ length: count }, () => ({ phone: somePhone() }));
    const words = (customer: Customer, n: number) =>
      scene.number.message(customer, 'здравствуйте', { at: secondsAgo(600 - n) });
    await scene.tell(...customers.map(words));
    if (of === 'wait') return customers;
    await scene.tell(...customers.map((customer) => scene.number.echo(customer, 'да')));
    // Dialogs that come together are opened in any order.
    const { rows } = await scene.database.pool.query<{ phone: string }>(
      'SELECT phone FROM threads WHERE phone = ANY ($1) ORDER BY id',
      [customers.map(phoneOf)],
    );
    return rows.map(({ phone }) => ({ phone: phone.slice(1) }));
  }

  /** The number gets another agent, whose dialogs are those of the test. */
  beforeEach(async () => {
    assistantId = await scene.account.addAssistant();
    stages = await scene.account.addStages(assistantId, [{}, {}]);
    api = scene.apiAt(0, await scene.account.addKey({ assistantIds: [assistantId] }));
    await scene.database.pool.query('UPDATE bots SET assistant_id = $2 WHERE id = $1', [
      scene.account.botId,
      assistantId,
    ]);
  });

  const each = (customers: readonly Customer[]): string[] => customers.map(phoneOf).toSorted();

  describe('by waiting, no dialog is missed or comes twice when', () => {
    it('one that waits on a later page is answered', async () => {
      const waiting = await customersWho(4, 'wait');
      const others = await customersWho(2, 'have answers');
      const listed = await readAll({ sort: 'waiting', limit: 2 }, async (n) => {
        if (n === 1 && waiting[3]) await isAnswered(waiting[3]);
      });
      expect(listed).toEqual([...waiting, ...others.toReversed()].map(phoneOf));
    });

    it('a customer of the second part writes before the page with them', async () => {
      const waiting = await customersWho(2, 'wait');
      const others = await customersWho(4, 'have answers');
      const listed = await readAll({ sort: 'waiting', limit: 2 }, async (n) => {
        if (n === 2 && others[0]) await writes(others[0]);
      });
      expect(listed).toEqual([...waiting, ...others.toReversed()].map(phoneOf));
    });

    it('an answer of ours fails, so that its customer waits again', async () => {
      const [answered = {}] = await customersWho(1, 'wait');
      const id = await hasOurs(answered);
      const customers = [
        ...[answered, ...(await customersWho(2, 'wait'))],
        ...(await customersWho(4, 'have answers')),
      ];
      const listed = await readAll({ sort: 'waiting', limit: 3 }, async (n) => {
        if (n === 1) await scene.tell(scene.number.status(id, 'failed', { errors: [{ code: 131026 }] }));
      });
      expect(listed.toSorted()).toEqual(each(customers));
      const [first] = (await page({ sort: 'waiting', limit: 1 })).threads;
      expect(first).toMatchObject({ phone: phoneOf(answered), waiting: true });
    });

    it('customers and people write all the time', async () => {
      const customers = [...(await customersWho(5, 'wait')), ...(await customersWho(5, 'have answers'))];
      for (let round = 0; round < triesOf(2, 3); round++) {
        const listed = await readAll({ sort: 'waiting', limit: 3 }, async () => {
          const some = Array.from({ length: 4 }, () => customers[randomInt(customers.length)] ?? {});
          const [first = {}, second = {}, third = {}, fourth = {}] = some;
          await Promise.all([writes(first), isAnswered(second), moves(third), moves(fourth)]);
        });
        expect(listed.toSorted()).toEqual(each(customers));
      }
    });
  });

  describe('by activity, no dialog is missed or comes twice when it moves to the front', () => {
    /** Reads the list, and moves a dialog of its first page, or of a later one, before the second. */
    async function listWhile(moved: Customer): Promise<string[]> {
      return readAll({ sort: 'activity', limit: 2 }, async (n) => {
        if (n === 1) await moves(moved);
      });
    }

    it('and was brought from elsewhere, without a log', async () => {
      const customers = await customersWho(3, 'wait');
      const brought = { phone: somePhone() };
      const thread = await scene.account.addThread({ phone: phoneOf(brought) }, assistantId);
      await scene.account.addMessage(thread);
      await scene.kept.setFacts(
        thread,
        `created_at = now() - interval '3 days', last_activity_at = clock_timestamp()`,
      );
      expect((await listWhile(brought)).toSorted()).toEqual(each([...customers, brought]));
    });

    it('and its customer had opted out while the agent was off', async () => {
      const customers = await customersWho(4, 'wait');
      const [first = {}] = customers;
      expect((await api.setAi(await threadOf(first), false)).status).toBe(200);
      await Promise.all(customers.slice(1).map(moves));
      await scene.tell(scene.number.preference(first, 'stop'));
      expect((await listWhile(first)).toSorted()).toEqual(each(customers));
    });

    it('and a takeover of it had run out', async () => {
      const customers = await customersWho(4, 'have answers');
      const [first = {}] = customers;
      const thread = await threadOf(first);
      await scene.kept.setFacts(thread, 'takeover_until = clock_timestamp()');
      await eventually(
        async () => (await scene.log(uuidOf(thread))).filter((entry) => entry.endsWith('handler')).length > 1,
        20_000,
        'the takeover did not end',
      );
      expect((await listWhile(first)).toSorted()).toEqual(each(customers));
    });

    it('and a key had ended a takeover of it', async () => {
      const customers = await customersWho(4, 'have answers');
      const [first = {}] = customers;
      const thread = await threadOf(first);
      await scene.kept.setFacts(thread, `takeover_until = clock_timestamp() + interval '1 hour'`);
      await Promise.all(customers.slice(1).map(moves));
      expect((await api.setAi(thread, true)).status).toBe(200);
      expect(await readAll({ sort: 'activity', limit: 1 }, () => Promise.resolve())).toHaveLength(4);
      expect((await listWhile(first)).toSorted()).toEqual(each(customers));
    });

    it('and its messages are from before its number was connected', async () => {
      const past = { phone: somePhone() };
      const customers = await customersWho(4, 'wait');
      await scene.tell(scene.number.history(past, [{ text: 'когда откроетесь?', at: secondsAgo(90_000) }]));
      expect((await listWhile(past)).toSorted()).toEqual(each([...customers, past]));
    });
  });
});

describe('forged cursors', () => {
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

  it('a cursor with a snapshot that PostgreSQL does not take is refused', async () => {
    for (const snapshot of ['1:4294967296:', '1:9223372036854775807:'])
      expect([snapshot, await answerTo('activity', following(snapshot))]).toEqual([snapshot, 422]);
  });

  it('a cursor with any snapshot is read, or refused where PostgreSQL does not take it', async () => {
    const property = fc.asyncProperty(snapshots, async (snapshot) => {
      const status = await answerTo('activity', following(snapshot));
      expect([200, 422]).toContain(status);
      if (!(await isRead(snapshot))) expect(status).toBe(422);
    });
    await fc.assert(property, { numRuns: triesOf(50, 100) });
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
    await fc.assert(property, { numRuns: triesOf(20, 40) });
  });
});
