import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { accept } from '../../support/stand-ins/scripted.provider';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';

const scene = setSendScene();

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

interface Sent {
  /** The phone, the Idempotency-Key or the dialog. */
  id: string;
  answer: Answer;
}

/** Sends at once by a number that takes one message a second. */
interface SlowNumber {
  account: AccountFixture;
  sent: Sent[];
}

const sendAll = async (
  account: AccountFixture,
  ids: readonly string[],
  send: (id: string) => Promise<Answer>,
): Promise<SlowNumber> => ({
  account,
  sent: await Promise.all(ids.map(async (id) => ({ id, answer: await send(id) }))),
});

const isRefused = ({ answer }: Sent): boolean => answer.status !== 200;

function templateBy(account: AccountFixture, phone: string, headers?: Record<string, string>) {
  const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  return scene.apiAt(0, account.key).sendTemplate({ ...order, to: { phone } }, headers);
}

/** So many take twenty seconds of their number: some are refused, however slowly a machine takes them in. */
const AT_ONCE = 20;

let templates: SlowNumber;
let keyed: SlowNumber;
let texts: SlowNumber;

// Each waits for three seconds, so all do so together.
beforeAll(async () => {
  const accounts = await Promise.all([slowNumber(), slowNumber(), slowNumber()]);
  const threads = await Promise.all(newPhones(AT_ONCE).map((phone) => accounts[2].addThread({ phone })));
  const keys = Array.from({ length: AT_ONCE }, (_, n) => `pace-${n}`);
  [templates, keyed, texts] = await Promise.all([
    sendAll(accounts[0], newPhones(AT_ONCE), (phone) => templateBy(accounts[0], phone)),
    sendAll(accounts[1], keys, (key) => templateBy(accounts[1], newPhone(), { 'Idempotency-Key': key })),
    sendAll(accounts[2], threads, (thread) => scene.apiAt(0, accounts[2].key).sendText(thread, 'Готово')),
  ]);
});

describe('a single template that would wait longer than 3 s for its number', () => {
  it('is refused before anything is stored, and takes none of the quota', async () => {
    const { account, sent: all } = templates;
    const refused = all.filter(isRefused).map(({ answer }) => answer);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    refused.forEach(expectNotNow);
    const sent = all.length - refused.length;
    expect(await messagesOf(account)).toBe(sent);
    expect(await account.quotaUsed()).toBe(sent);
    expect(all.flatMap(({ id }) => scene.provider.sendsTo(id))).toHaveLength(sent);
  });

  it('leaves its Idempotency-Key free', async () => {
    const refused = keyed.sent.find(({ answer }) => answer.status === 429);
    if (!refused) throw new Error('no send was refused');
    // Another body: a key that was kept would be refused for it.
    const again = await templateBy(keyed.account, newPhone(), { 'Idempotency-Key': refused.id });
    expect([200, 429]).toContain(again.status);
  });
});

it('takes no time of its number for what the quota refuses', async () => {
  const account = await slowNumber();
  await account.setQuota(0);
  for (const phone of newPhones(8)) {
    const { body } = await templateBy(account, phone);
    expect(body.error.code).toBe('QUOTA_EXCEEDED');
  }
});

it('refuses a text that would wait so long, stores nothing of it and starts no takeover', async () => {
  const { account, sent } = texts;
  const api = scene.apiAt(0, account.key);
  const refused = sent.filter(isRefused);
  expect(refused.length).toBeGreaterThanOrEqual(3);
  for (const { id, answer } of refused) {
    expectNotNow(answer);
    expect((await api.getLead(id)).body.data.message_handler).toBe('AI');
  }
  expect(await messagesOf(account)).toBe(sent.length - refused.length);
});

// Nearly a thousand requests hang for it: a single message is refused at the same place as above.
const inLongMode = IS_LONG ? describe : () => undefined;

inLongMode('a number that has all the requests under way that it can have', () => {
  /** With eighty under way by eleven numbers and the rest by the twelfth, no busy number gets another slot. */
  const NUMBERS = 12;
  const UNDER_WAY = 940;
  const answers = Promise.withResolvers<void>();
  let busy: AccountFixture;
  let calls: Promise<Answer>[];
  // Before the scene's own hooks, which kill the server.
  afterAll(async () => {
    answers.resolve();
    await Promise.all(calls);
  });
  const hung = setSendScene({ environment: { PROVIDER_TIMEOUT_MS: '60000' } });

  const orderOf = ({ botId }: AccountFixture, to: object): object => ({
    bot_id: botId,
    channel: 'waba_coexistence',
    template_id: 'order_ready',
    to,
  });

  beforeAll(async () => {
    const phones = newPhones(NUMBERS * 90);
    for (const phone of phones) {
      hung.provider.on(phone, async (...given) => {
        await answers.promise;
        await accept(...given);
      });
    }
    const accounts = await Promise.all(
      Array.from({ length: NUMBERS }, () => AccountFixture.create(hung.database.pool)),
    );
    calls = accounts.map(async (account) => {
      await account.connect('waba_coexistence', { perSecond: 10_000 });
      const to = phones.splice(0, 90).map((phone) => ({ phone }));
      return hung.apiAt(0, account.key).sendTemplate(orderOf(account, to));
    });
    busy = accounts[0] as AccountFixture;
    await eventually(
      async () => hung.provider.inFlightMax >= UNDER_WAY,
      20_000,
      'not so many came under way',
    );
  });

  const keptOf = async (): Promise<unknown> =>
    (
      await hung.database.pool.query<{ n: number; version: number }>(
        `SELECT count(*)::int AS n, max(t.version)::int AS version FROM threads t JOIN messages m ON m.account_id = t.account_id AND m.thread_id = t.id
          WHERE t.account_id = $1`,
        [busy.id],
      )
    ).rows;

  it('refuses a single template before anything is stored, and takes none of the quota', async () => {
    const [kept, used] = [await keptOf(), await busy.quotaUsed()];
    const phone = newPhone();
    expectNotNow(await hung.apiAt(0, busy.key).sendTemplate(orderOf(busy, { phone })));
    expect([await keptOf(), await busy.quotaUsed()]).toEqual([kept, used]);
    expect(hung.provider.sendsTo(phone)).toEqual([]);
  });

  it('refuses a text, stores nothing of it and starts no takeover', async () => {
    const api = hung.apiAt(0, busy.key);
    const threadId = await busy.addThread({ phone: newPhone() });
    const kept = await keptOf();
    expectNotNow(await api.sendText(threadId, 'Готово'));
    expect(await keptOf()).toEqual(kept);
    expect((await api.getLead(threadId)).body.data.message_handler).toBe('AI');
  });

  it('leaves the slots of others alone', async () => {
    const other = await AccountFixture.create(hung.database.pool);
    await other.connect();
    const sent = await hung.apiAt(0, other.key).sendTemplate(orderOf(other, { phone: newPhone() }));
    expect(sent.status).toBe(200);
  });
});
