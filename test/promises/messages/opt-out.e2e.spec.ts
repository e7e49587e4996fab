import { cloudBody, secondsAgo, wamid, type Customer } from '../../support/stand-ins/cloud.webhooks';
import {
  violationsOfVersions,
  setInboundScene,
  somePhone,
  type KeptDialog,
} from '../../support/scenes/inbound.scene';

const scene = setInboundScene({ servers: 2 });

const dialogOf = ({ phone = '' }: Customer): Promise<KeptDialog> => scene.dialog(`+${phone}`);

const threadOf = async (customer: Customer): Promise<string> => `thread_${(await dialogOf(customer)).id}`;

/** A customer with a dialog. */
async function someCustomer(): Promise<Customer> {
  const customer = { phone: somePhone() };
  await scene.tell(scene.number.message(customer, 'здравствуйте'));
  return customer;
}

const say = (customer: Customer, content: string | object): Promise<void> =>
  scene.tell(scene.number.message(customer, content));

async function optOutsOf(customer: Customer): Promise<unknown[]> {
  const { body } = await scene.api.getHistory({ thread_id: await threadOf(customer) });
  return body.data.entries as unknown[];
}

const SILENCED = { opted_out: true, ai_enabled: false, takeover_seconds: null };

describe('the customer’s STOP', () => {
  it('marks the dialog, ends a takeover, switches the agent off and shows in the history', async () => {
    const customer = await someCustomer();
    const before = await dialogOf(customer);
    await scene.kept.setFacts(
      `thread_${before.id}`,
      `takeover_until = clock_timestamp() + interval '1 hour'`,
    );
    await say(customer, '«Стоп!»');
    expect(await dialogOf(customer)).toMatchObject({
      ...SILENCED,
      ai_epoch: before.ai_epoch + 1,
      unread_count: 2,
    });
    expect(await optOutsOf(customer)).toMatchObject([
      { type: 'ai', by: 'USER', actor: null, from: true, to: false },
      { type: 'opt_out', by: 'USER', actor: null, from: false, to: true },
    ]);
  });

  it('as the first message opens a dialog that is opted out', async () => {
    const customer = { phone: somePhone() };
    await say(customer, 'stop');
    const dialog = await dialogOf(customer);
    expect(dialog).toMatchObject({ ...SILENCED, version: 4 });
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message', '3 opt_out', '4 ai']);
  });

  it('is a button’s label or payload as well', async () => {
    const byLabel = await someCustomer();
    const byPayload = await someCustomer();
    await say(byLabel, { type: 'button', button: { payload: 'b1', text: 'Отписаться' } });
    await say(byPayload, { type: 'button', button: { payload: 'STOP', text: 'Больше не надо' } });
    expect(await dialogOf(byLabel)).toMatchObject(SILENCED);
    expect(await dialogOf(byPayload)).toMatchObject(SILENCED);
  });

  it('is a word of the account, too, for its own customers', async () => {
    const customer = await someCustomer();
    const words = (stop: string[], start: string[]) =>
      scene.database.pool.query('UPDATE accounts SET opt_out_words = $2, opt_in_words = $3 WHERE id = $1', [
        ...[scene.account.id, stop, start],
      ]);
    await say(customer, 'Больше не надо!');
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false });
    await words(['больше не надо'], ['снова можно']);
    await say(customer, 'Больше не надо!');
    expect(await dialogOf(customer)).toMatchObject(SILENCED);
    await say(customer, 'снова можно 🙏');
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false });
    await words([], []);
  });

  it('eight times at once on two processes, and once more, is one event and nine messages', async () => {
    const customer = await someCustomer();
    const bodies = Array.from({ length: 8 }, () => cloudBody([scene.number.message(customer, 'стоп')]));
    await Promise.all(bodies.map((body) => scene.post(body)));
    await scene.taken();
    await say(customer, 'STOP');
    expect(await optOutsOf(customer)).toHaveLength(2);
    expect(await scene.messages((await dialogOf(customer)).id)).toHaveLength(10);
  });

  it('keeps the agent off against set-ai, until START, after which it is off until switched on', async () => {
    const customer = await someCustomer();
    const threadId = await threadOf(customer);
    await say(customer, 'стоп');
    expect((await scene.api.setAi(threadId, true)).body.error.code).toBe('THREAD_OPTED_OUT');
    await say(customer, 'Старт');
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false, ai_enabled: false });
    expect((await optOutsOf(customer))[0]).toMatchObject({
      type: 'opt_out',
      by: 'USER',
      from: true,
      to: false,
    });
    expect((await scene.api.setAi(threadId, true)).status).toBe(200);
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false, ai_enabled: true });
  });

  it('is not said by a word in a sentence, by a person of ours, or long ago', async () => {
    const customer = await someCustomer();
    await say(customer, 'не говорите мне стоп');
    await scene.tell(
      scene.number.echo(customer, 'стоп'),
      scene.number.history(customer, [{ text: 'стоп', at: secondsAgo(864_000) }]),
    );
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false, ai_enabled: true });
  });
});

it('START of a customer who is not opted out changes no switch', async () => {
  const customer = await someCustomer();
  await say(customer, 'start');
  expect(await dialogOf(customer)).toMatchObject({ opted_out: false, ai_enabled: true });
  expect(await optOutsOf(customer)).toEqual([]);
});

describe('the provider’s own control', () => {
  it('marks the dialog without a message', async () => {
    const customer = await someCustomer();
    await scene.tell(scene.number.preference(customer, 'stop'));
    const dialog = await dialogOf(customer);
    expect(dialog).toMatchObject({ ...SILENCED, unread_count: 1 });
    expect(await scene.messages(dialog.id)).toHaveLength(1);
    expect(await optOutsOf(customer)).toMatchObject([
      { type: 'ai', by: 'PROVIDER', from: true, to: false },
      { type: 'opt_out', by: 'PROVIDER', from: false, to: true },
    ]);
  });

  it('lifted there changes nothing here, and opens no dialog', async () => {
    const customer = await someCustomer();
    await scene.tell(scene.number.preference(customer, 'stop'));
    const [before, all] = [await dialogOf(customer), await scene.dialogs()];
    const lifted = [customer, { phone: somePhone() }].map((who) => scene.number.preference(who, 'resume'));
    await scene.tell(...lifted);
    expect(await dialogOf(customer)).toEqual(before);
    expect(await scene.dialogs()).toHaveLength(all.length);
  });

  it('reported again after the customer’s START has no effect, used again it has', async () => {
    const customer = await someCustomer();
    const report = scene.number.preference(customer, 'stop', secondsAgo(60));
    await scene.tell(report);
    await scene.tell(scene.number.message(customer, 'start', { at: secondsAgo(30) }));
    await scene.tell(report);
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false });
    await scene.tell(scene.number.preference(customer, 'stop', secondsAgo(1)));
    expect(await dialogOf(customer)).toMatchObject({ opted_out: true });
  });

  it('of a customer without a dialog opens one, marked and silenced', async () => {
    const customer = { phone: somePhone(), userId: 'KZ.7001', name: 'Айгуль' };
    await scene.tell(scene.number.preference(customer, 'stop'));
    const dialog = await dialogOf(customer);
    expect(dialog).toMatchObject({
      ...SILENCED,
      phone: `+${customer.phone}`,
      user_id: 'KZ.7001',
      wa_id: customer.phone,
      customer_name: 'Айгуль',
      version: 3,
      waiting_message_id: null,
      unread_count: 0,
    });
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 opt_out', '3 ai']);
    await scene.tell(scene.number.message(customer, 'вопрос'));
    expect(await dialogOf(customer)).toMatchObject({ id: dialog.id, ...SILENCED });
  });

  it('at once with the first message of a customer is lost in no dialog', async () => {
    const customers = Array.from({ length: 4 }, () => ({ phone: somePhone() }));
    await Promise.all(
      customers.flatMap((customer) => [
        scene.post(cloudBody([scene.number.message(customer, 'первое')])),
        scene.post(cloudBody([scene.number.preference(customer, 'stop')])),
        scene.post(cloudBody([scene.number.preference(customer, 'stop')])),
      ]),
    );
    await scene.taken();
    for (const customer of customers) {
      const dialog = await dialogOf(customer);
      expect(dialog).toMatchObject({ ...SILENCED, unread_count: 1 });
      expect(violationsOfVersions(await scene.log(dialog.id))).toEqual([]);
    }
    expect(await scene.rejects()).toEqual([]);
  });
});

it('a message refused because the customer has stopped the provider marks the dialog, once', async () => {
  const customer = await someCustomer();
  const dialog = await dialogOf(customer);
  const providerId = wamid();
  await scene.addOutgoing(dialog.id, { status: 'sent', providerId });
  const errors = [{ code: 131050, title: 'Stopped', message: 'Stopped' }];
  const report = scene.number.status(providerId, 'failed', { errors });
  await scene.tell(report);
  expect(await dialogOf(customer)).toMatchObject(SILENCED);
  await say(customer, 'старт');
  await scene.tell(report);
  expect(await dialogOf(customer)).toMatchObject({ opted_out: false });
});
