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

it('a number whose credential does not open takes neither a template nor a text, and lists no templates', async () => {
  const account = await AccountFixture.create(scene.database.pool);
  await account.connect();
  await scene.database.pool.query('UPDATE bot_channels SET credential_key_id = $2 WHERE account_id = $1', [
    account.id,
    'a key that is gone',
  ]);
  const api = scene.apiAt(0, account.key);
  const number = { bot_id: account.botId, channel: 'waba_coexistence' };
  const order = { ...number, template_id: 'order_ready' };
  const [phone] = newPhones(1);
  const answers: Record<string, [Answer, path: string]> = {
    'one recipient': [await api.sendTemplate({ ...order, to: { phone } }), 'channel'],
    'a list': [await api.sendTemplate({ ...order, to: [{ phone }] }), 'channel'],
    'a text': [await api.sendText(await account.addThread(), 'Готово'), 'thread_id'],
    templates: [await other.admin('POST', 'templates/synchronize', number), 'channel'],
  };
  for (const [what, [{ status, body }, path]] of Object.entries(answers)) {
    const details = [{ path, message: expect.stringContaining('credential') as string }];
    expect([what, status, body.error]).toMatchObject([what, 422, { code: 'VALIDATION_ERROR', details }]);
  }
  const { rows } = await scene.database.pool.query('SELECT FROM messages WHERE account_id = $1', [
    account.id,
  ]);
  expect(rows).toHaveLength(0);
});
