import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import type { Answer, ApiClient } from '../../support/clients/api.client';
import { newPhones, setSendScene } from '../../support/scenes/send.scene';
import { businessOf } from '../../support/stand-ins/provider.numbers';

const PER_SECOND = 20;
const scene = setSendScene({ servers: 2 });
/** The other process may have the queue. */
let other: ApiClient;
let adminKey: string;

beforeAll(async () => {
  adminKey = await addAdminKey(scene.database.pool);
  other = scene.apiAt(1, adminKey);
});

interface Sending {
  account: AccountFixture;
  sender: string;
  phones: Set<string>;
  answer: Promise<{ sent: number; failed: number; queued: number; unknown: number }>;
}

/** A list by a separate number, of which the first messages are at the provider. */
async function listUnderWay(count: number): Promise<Sending> {
  const account = await AccountFixture.create(scene.database.pool);
  const sender = await account.connect('waba_coexistence', { perSecond: PER_SECOND });
  const phones = newPhones(count);
  const to = phones.map((phone) => ({ phone }));
  const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready', to };
  const answer = scene.apiAt(0, account.key).sendTemplate(order);
  const sending = {
    account,
    sender,
    phones: new Set(phones),
    answer: answer.then(({ body }) => body.data as Awaited<Sending['answer']>),
  };
  await eventually(
    () => Promise.resolve(sentOf(sending).length >= PER_SECOND),
    10_000,
    'the list did not begin',
  );
  return sending;
}

const sentOf = ({ phones }: Sending): typeof scene.provider.ledger =>
  scene.provider.ledger.filter(({ to }) => phones.has(to));

const numberOf = ({ account }: Sending): string => `bots/${account.botId}/channels/waba_coexistence`;

/** What was claimed already may go on for about a second; the remaining messages would take many. */
async function expectToEnd(sending: Sending): Promise<void> {
  const atMost = sentOf(sending).length + 3 * PER_SECOND;
  const { sent, failed, queued, unknown } = await sending.answer;
  expect(sent).toBeLessThanOrEqual(atMost);
  expect({ queued, unknown, all: sent + failed }).toEqual({
    queued: 0,
    unknown: 0,
    all: sending.phones.size,
  });
  expect(sentOf(sending)).toHaveLength(sent);
  expect(await sending.account.quotaUsed()).toBe(sent);
}

describe('a list under way', () => {
  it('ends within seconds when its number is disconnected, and what was not sent has failed', async () => {
    const sending = await listUnderWay(200);
    expect((await other.admin('DELETE', numberOf(sending))).status).toBeLessThan(300);
    await expectToEnd(sending);
  });

  it('goes on with the new credential when the number is given one', async () => {
    const sending = await listUnderWay(120);
    const settings = { waba_id: businessOf(sending.sender) };
    const renewed = {
      sender: sending.sender,
      credential: 'renewed-token-0123456789',
      messages_per_second: 500,
      settings,
    };
    expect((await other.admin('PUT', numberOf(sending), renewed)).status).toBe(200);
    expect(await sending.answer).toMatchObject({ sent: 120, failed: 0, unknown: 0 });
    const tokens = sentOf(sending).map(({ headers }) => headers.authorization);
    expect(tokens.filter((token) => token === 'Bearer renewed-token-0123456789').length).toBeGreaterThan(
      120 - 4 * PER_SECOND,
    );
    expect(new Set(sentOf(sending).map(({ to }) => to)).size).toBe(120);
    expect(tokens).toHaveLength(120);
  });
});

it('what waits for a number in a pause fails at once when it is disconnected', async () => {
  const sending = await listUnderWay(200);
  await scene.database.pool.query(
    `UPDATE bot_channels SET paused_until = clock_timestamp() + interval '1 hour' WHERE account_id = $1`,
    [sending.account.id],
  );
  expect((await other.admin('DELETE', numberOf(sending))).status).toBeLessThan(300);
  await expectToEnd(sending);
});

describe('a number whose credential does not open', () => {
  let account: AccountFixture;

  beforeAll(async () => {
    account = await AccountFixture.create(scene.database.pool);
    await account.connect();
    await scene.database.pool.query('UPDATE bot_channels SET credential_key_id = $2 WHERE account_id = $1', [
      account.id,
      'a key that is gone',
    ]);
  });

  const expectRefused = async ({ status, body }: Answer, path: string): Promise<void> => {
    expect([status, body.error.code, body.error.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [{ path, message: expect.stringContaining('credential') }],
    ]);
    const { rows } = await scene.database.pool.query('SELECT FROM messages WHERE account_id = $1', [
      account.id,
    ]);
    expect(rows).toHaveLength(0);
  };

  it.each<[string, (phone: string) => object]>([
    ['one recipient', (phone) => ({ phone })],
    ['a list', (phone) => [{ phone }]],
  ])('refuses a template to %s on `channel`', async (_, to) => {
    const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const answer = await scene
      .apiAt(0, account.key)
      .sendTemplate({ ...order, to: to(newPhones(1)[0] as string) });
    await expectRefused(answer, 'channel');
  });

  it('refuses a text on `thread_id`', async () => {
    const threadId = await account.addThread();
    await expectRefused(await scene.apiAt(0, account.key).sendText(threadId, 'Готово'), 'thread_id');
  });

  it('refuses to list its templates, on `channel`', async () => {
    const order = { bot_id: account.botId, channel: 'waba_coexistence' };
    await expectRefused(await other.admin('POST', 'templates/synchronize', order), 'channel');
  });
});
