import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';

const scene = setSendScene();

/** Sends at once by a number that takes one message a second. */
interface SlowNumber {
  account: AccountFixture;
  answers: Answer[];
}

const refusedOf = ({ answers }: SlowNumber): Answer[] => answers.filter(({ status }) => status !== 200);

async function slowNumber(): Promise<AccountFixture> {
  const account = await AccountFixture.create(scene.database.pool);
  await account.connect('waba_coexistence', { perSecond: 1 });
  return account;
}

async function messagesOf(account: AccountFixture): Promise<number> {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE account_id = $1',
    [account.id],
  );
  return rows[0]?.n ?? 0;
}

function expectNotNow({ status, body, headers }: Answer): void {
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(body).not.toHaveProperty('provider_response');
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);
}

describe('a single template that would wait longer than 3 s for its number', () => {
  it('is refused before anything is stored, and takes none of the quota', async () => {
    const account = await slowNumber();
    const api = scene.apiAt(0, account.key);
    const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const phones = newPhones(8);
    const answers = await Promise.all(phones.map((phone) => api.sendTemplate({ ...order, to: { phone } })));
    const refused = refusedOf({ account, answers });
    expect(refused.length).toBeGreaterThanOrEqual(3);
    refused.forEach(expectNotNow);
    const sent = answers.length - refused.length;
    expect(await messagesOf(account)).toBe(sent);
    expect(await account.quotaUsed()).toBe(sent);
    expect(phones.flatMap((phone) => scene.provider.sendsTo(phone))).toHaveLength(sent);
  });

  it('leaves its Idempotency-Key free', async () => {
    const account = await slowNumber();
    const api = scene.apiAt(0, account.key);
    const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const keys = Array.from({ length: 6 }, (_, n) => `pace-${n}`);
    const send = (key: string, phone: string) =>
      api.sendTemplate({ ...order, to: { phone } }, { 'Idempotency-Key': key });
    const first = await Promise.all(keys.map(async (key) => ({ key, answer: await send(key, newPhone()) })));
    const refused = first.find(({ answer }) => answer.status === 429);
    if (!refused) throw new Error('no send was refused');
    // Another body: a key that was kept would be refused for it.
    const again = await send(refused.key, newPhone());
    expect([200, 429]).toContain(again.status);
  });
});

it('takes no time of its number for what the quota refuses', async () => {
  const account = await slowNumber();
  await account.setQuota(0);
  const api = scene.apiAt(0, account.key);
  const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  for (const phone of newPhones(8)) {
    const { body } = await api.sendTemplate({ ...order, to: { phone } });
    expect(body.error.code).toBe('QUOTA_EXCEEDED');
  }
});

it('refuses a text that would wait so long, stores nothing of it and starts no takeover', async () => {
  const account = await slowNumber();
  const api = scene.apiAt(0, account.key);
  const threads = await Promise.all(newPhones(8).map((phone) => account.addThread({ phone })));
  const answers = await Promise.all(
    threads.map(async (threadId) => ({ threadId, answer: await api.sendText(threadId, 'Готово') })),
  );
  const refused = answers.filter(({ answer }) => answer.status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(3);
  for (const { threadId, answer } of refused) {
    expectNotNow(answer);
    expect((await api.getLead(threadId)).body.data.message_handler).toBe('AI');
  }
  expect(await messagesOf(account)).toBe(answers.length - refused.length);
});
