import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { somePhone } from '../../support/scenes/inbound.scene';
import { setReplyScene } from '../../support/scenes/reply.scene';
import { answer } from '../../support/stand-ins/scripted.provider';
import { cloudBody, type Change, type Customer } from '../../support/stand-ins/cloud.webhooks';

/** Each order of four tellings; many times as often in the long mode. */
const RACES = triesOf(24, 2_000);
const AT_ONCE = 24;
/** Between two tellings of a race: as good as none, and enough that one is known before the next. */
const APART_MS = [15, 400];

const scene = setReplyScene({ servers: 2 });

const ORDERS = permutations([0, 1, 2, 3]);

function permutations(of: readonly number[]): number[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) => permutations(of.filter((n) => n !== first)).map((rest) => [first, ...rest]));
}

/** A customer with a phone that was dialled, the messenger's digits, a user id, and a phone that is shared. */
interface Raced {
  dialled: string;
  waId: string;
  userId: string;
  shared: string;
}

const addressesOf = ({ dialled, waId, userId, shared }: Raced): string[] => [
  dialled,
  `+${waId}`,
  userId,
  `+${shared}`,
];

function someCustomer(): Raced {
  const customer = {
    ...{ dialled: `+${somePhone()}`, waId: somePhone() },
    ...{ userId: `KZ.${randomInt(1e12, 2e12)}`, shared: somePhone() },
  };
  scene.provider.on(customer.dialled, (response, { to, reference }) =>
    answer(response, 200, {
      contacts: [{ input: to, wa_id: customer.waId }],
      messages: [{ id: `wamid.${reference}` }],
    }),
  );
  return customer;
}

const post = (from: Customer, content: string | object): Promise<void> =>
  scene.post(cloudBody([scene.number.message(from, content)]));

/** A template, once more where a busy machine let its permit end: only an answer tells an address. */
const send = (phone: string): Promise<unknown> =>
  eventually(
    async () => {
      const { status, body } = await scene.apiAt(randomInt(2)).sendTemplate({
        ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
        to: { phone, params: ['Айгуль', '15:30'] },
      });
      return status === 200 && body.data.status === 'sent';
    },
    60_000,
    'no template was sent',
  );

/** What tells a customer's addresses: together they tell that all are one's. */
const tellings = ({ dialled, waId, userId, shared }: Raced): (() => Promise<unknown>)[] => [
  () => send(dialled),
  () => post({ phone: waId, userId }, 'это я'),
  () =>
    post(
      { userId },
      {
        type: 'contacts',
        contacts: [{ origin: 'contact_request', phones: [{ phone: `+${shared}`, wa_id: shared }] }],
      },
    ),
  () => post({ phone: shared }, 'и это я'),
];

async function dialogsOf(customers: readonly Raced[]) {
  const { rows } = await scene.database.pool.query<{
    address: string;
    id: string;
    ai_enabled: boolean;
    opted_out: boolean;
    family: string[];
  }>(
    `SELECT a.address, t.id, t.ai_enabled, t.opted_out, array_append(coalesce(t.same_customer, '{}'), t.id) AS family
       FROM thread_addresses a JOIN threads t ON t.account_id = a.account_id AND t.id = a.thread_id
      WHERE a.address = ANY ($1)`,
    [customers.flatMap(addressesOf)],
  );
  return (customer: Raced) => rows.filter(({ address }) => addressesOf(customer).includes(address));
}

/** Tells all in an order, to the processes by turns, and silences the dialog by one address in between. */
async function race(
  customer: Raced,
  order: readonly number[],
  silence: () => Promise<unknown>,
): Promise<void> {
  const acts = order.map((n) => tellings(customer)[n] ?? (() => Promise.resolve()));
  acts.splice(randomInt(1, 5), 0, silence);
  const apartMs = APART_MS[randomInt(APART_MS.length)] ?? 0;
  await Promise.all(
    acts.map(async (act, index) => {
      await sleep(index * (0.5 + Math.random()) * apartMs);
      await act();
    }),
  );
}

const settled = (): Promise<unknown> =>
  eventually(
    async () => {
      const due = `SELECT 1 FROM replies WHERE state = 'due' OR lease_until > clock_timestamp() LIMIT 1`;
      return (await scene.database.pool.query(due)).rowCount === 0;
    },
    60_000,
    'replies were left under way',
  );

it('a customer whose addresses are told in any order, by two processes at once, has one dialog or dialogs that know of each other, and none is answered after STOP or off', async () => {
  const found = { one: 0, more: 0 };
  for (let done = 0; done < RACES; done += AT_ONCE) {
    const customers = Array.from({ length: Math.min(AT_ONCE, RACES - done) }, someCustomer);
    const isStop = (index: number): boolean => (done / AT_ONCE + index) % 2 === 0;
    await Promise.all(
      customers.map((customer, index) => {
        const from = index % 4 < 2 ? { phone: customer.waId } : { userId: customer.userId };
        return race(customer, ORDERS[(done + index) % ORDERS.length] ?? [], async () => {
          if (isStop(index)) return post(from, 'СТОП');
          await post(from, 'вопрос');
          const id = await eventually(
            async () => (await dialogsOf([customer]))(customer)[0]?.id ?? false,
            60_000,
            'no dialog was opened',
          );
          const { status, body } = await scene.apiAt(randomInt(2)).setAi(`thread_${id}`, false);
          expect([status, body]).toMatchObject([200, { data: { ai_enabled: false } }]);
          return id;
        });
      }),
    );
    await scene.taken();
    await settled();
    const silentFrom = performance.now();
    const of = await dialogsOf(customers);
    for (const [index, customer] of customers.entries()) {
      const its = of(customer);
      const ids = [...new Set(its.map(({ id }) => id))].sort();
      found[ids.length === 1 ? 'one' : 'more'] += 1;
      expect(its.map(({ address }) => address).sort()).toEqual(addressesOf(customer).sort());
      for (const { family } of its) expect(family.sort()).toEqual(ids);
      const states = its.map(({ ai_enabled, opted_out }) => ({ ai_enabled, opted_out }));
      const [way, silenced] = [
        isStop(index) ? 'STOP' : 'off',
        { ai_enabled: false, opted_out: isStop(index) },
      ];
      expect({ way, states }).toEqual({ way, states: its.map(() => silenced) });
    }
    const asks: Change[] = customers.flatMap(({ dialled, waId, userId, shared }) =>
      [{ phone: dialled.slice(1) }, { phone: waId }, { userId }, { phone: shared }].map((from) =>
        scene.number.message(from, 'отвечает кто-нибудь?'),
      ),
    );
    await scene.tell(...asks);
    await settled();
    const answers = scene.provider.ledger.filter(({ begunAt }) => begunAt > silentFrom);
    expect(answers.map(({ to }) => to)).toEqual([]);
    scene.provider.ledger.length = 0;
  }
  console.info(`${RACES} races: one dialog in ${found.one}, more that know of each other in ${found.more}`);
});
