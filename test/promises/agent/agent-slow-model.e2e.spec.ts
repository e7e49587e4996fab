import { eventually, inTime } from '../../support/eventually';
import { limits } from '../../support/programs/test.limits';
import type { GivenReply } from '../../support/stand-ins/model.script';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

/** A fifteenth of the product's limits. A word comes within the shorter one, and all never. */
const FIRST_BYTE_MS = 2_000;
const WHOLE_MS = 4_000;
const SLOW: Record<string, GivenReply> = {
  hang: { act: 'hang' },
  drip: { text: 'Очень медленный ответ. '.repeat(100), word_delay_ms: 200 },
};
/** Of a machine that is busy with other tests. */
const LATE_MS = 3_000;
/** Three tries. */
const GIVEN_UP_MS = 3 * (WHOLE_MS + LATE_MS);

const scene = setReplyScene({
  environment: {
    AI_FIRST_BYTE_MS: String(FIRST_BYTE_MS),
    // The agent has its own.
    AI_REPLY_DELAY_MS: '60000',
    ...limits({ 'model.silenceMs': FIRST_BYTE_MS, 'model.wholeMs': WHOLE_MS }),
  },
});

interface Slow {
  customer: { phone: string };
  thread: string;
}

const slow = new Map<string, Slow>();

async function write(act: string): Promise<void> {
  const customer = newCustomer();
  await scene.model.reply({ ...SLOW[act], when: customer.phone, times: null });
  slow.set(act, { customer, thread: await scene.write(customer, `Мой номер ${customer.phone}`) });
}

let bothTold: Promise<unknown> | undefined;

/** Waits for both at once: each takes three limits. */
const untilBothTold = (): Promise<unknown> =>
  (bothTold ??= Promise.all([...slow.values()].map(({ thread }) => scene.untilTold(thread, GIVEN_UP_MS))));

beforeAll(async () => {
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = 0');
  for (const act of Object.keys(SLOW)) await write(act);
});

it('a model that is slow to one customer keeps no other waiting, nor does the service’s quiet time an agent that has its own', async () => {
  const other = newCustomer();
  await scene.write(other, 'Вопрос');
  await scene.untilSaid(other, 1, 3_000);
});

it.each([
  ['hang', FIRST_BYTE_MS, 'The model sent nothing for 2 seconds.'],
  ['drip', WHOLE_MS, 'The model gave no whole reply within 4 seconds.'],
] as const)(
  'a model that %ss is left at the limit, and asked three times; then an operator is asked for',
  async (act, limitMs, reason) => {
    const { customer, thread } = slow.get(act) ?? { customer: newCustomer(), thread: '' };
    await untilBothTold();
    const { body } = await scene.api.getHistory({ thread_id: `thread_${thread}`, limit: 1 });
    expect(body.data.entries).toMatchObject([{ type: 'attention', to: 'model', note: reason }]);
    const [{ at: since }] = body.data.entries as [{ at: string }];
    const { body: list } = await scene.api.getThreads({ attention: 'model', phones: [`+${customer.phone}`] });
    expect(list.data.threads).toMatchObject([{ attention: { reason: 'model', note: reason, since } }]);
    expect(await scene.told(thread)).toEqual(['attention model']);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'failed', parts: 0, attempts: 3 }]);
    expect(scene.said(customer)).toEqual([]);
    const requests = await scene.model.requests(customer.phone);
    expect(requests.map(({ end }) => end)).toEqual(Array(3).fill('client closed'));
    for (const { at, ended_at } of requests)
      expect((ended_at ?? 0) - at).toBeLessThan(limitMs + inTime(LATE_MS));
    const lines = (): string[] =>
      scene.server
        .output()
        .split('\n')
        .filter((line) => line.includes(thread) && line.includes(reason));
    await eventually(async () => lines().length === 3, 5_000, 'not each attempt has its line');
  },
);
