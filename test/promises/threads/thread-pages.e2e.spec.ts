import { randomInt } from 'node:crypto';
import type { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { secondsAgo, wamid, type Customer } from '../../support/stand-ins/cloud.webhooks';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { uuidOf } from '../../support/database/thread.uuid';

const scene = setInboundScene();
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

/** So many customers who have written, the one who waits longest first. */
async function customersWho(count: number, of: 'wait' | 'have answers'): Promise<Customer[]> {
  const customers = Array.from({ length: count }, () => ({ phone: somePhone() }));
  for (const [n, customer] of customers.entries()) {
    await writes(customer, secondsAgo(600 - n));
    if (of === 'have answers') await isAnswered(customer);
  }
  return customers;
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
  it('one of the first page is answered', async () => {
    const customers = [...(await customersWho(3, 'wait')), ...(await customersWho(3, 'have answers'))];
    const listed = await readAll({ sort: 'waiting', limit: 2 }, async (n) => {
      if (n === 1 && customers[0]) await isAnswered(customers[0]);
    });
    expect(listed.toSorted()).toEqual(each(customers));
  });

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
    const customers = [...(await customersWho(8, 'wait')), ...(await customersWho(8, 'have answers'))];
    for (let round = 0; round < 3; round++) {
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
