import { randomUUIDv7 } from 'node:crypto';
import { AccountFixture } from '../../support/database/fixture';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';
import { eventually } from '../../support/eventually';

/** More than one process sends by at a time for one account. */
const NUMBERS = 210;
/** Far below the time that a provider has for its answer. */
const AT_ONCE_MS = 5_000;

const scene = setSendScene({ environment: { PROVIDER_TIMEOUT_MS: '30000' } });

/** An account with numbers at each of which one message waits, for a phone whose provider never answers. */
async function hangingAccount(): Promise<AccountFixture> {
  const account = await AccountFixture.create(scene.database.pool);
  await account.connect();
  const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  const sent = await scene.apiAt(0, account.key).sendTemplate({ ...order, to: { phone: newPhone() } });
  expect(sent.status).toBe(200);
  const hanging = newPhone();
  scene.provider.on(hanging, () => undefined);
  const bots = Array.from({ length: NUMBERS }, () => randomUUIDv7());
  for (const botId of bots) {
    await account.addBot(botId);
    await account.connect('waba_coexistence', { botId });
  }
  await scene.database.pool.query(
    `INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'bot_id', b,
              'recipient', $3::text, 'status', 'queued', 'due_at', clock_timestamp(), 'attempts', 0, 'provider_id', NULL,
              'whatsapp_id', NULL, 'accepted_at', NULL))).*
       FROM messages m, unnest($2::uuid[]) b WHERE m.account_id = $1`,
    [account.id, bots, hanging],
  );
  return account;
}

it('an account whose providers hang at 210 numbers keeps no other account waiting', async () => {
  await hangingAccount();
  await eventually(async () => scene.provider.inFlightMax >= 190, 20_000, 'the numbers do not hang');
  const phones = newPhones(2);
  const sending = scene.send(phones.map((phone) => ({ phone })));
  const areSent = async (): Promise<boolean> =>
    phones.every((phone) => scene.provider.sendsTo(phone).length === 1);
  await eventually(areSent, AT_ONCE_MS, 'the other account was kept waiting');
  expect((await sending).body.data).toMatchObject({ sent: 2 });
});
