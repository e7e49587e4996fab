import { postGupshup, secondsAgo, wamid, type Customer } from '../../support/stand-ins/cloud.webhooks';
import { setInboundScene, somePhone, type KeptDialog } from '../../support/scenes/inbound.scene';

const scene = setInboundScene();

const dialogOf = ({ phone = '' }: Customer): Promise<KeptDialog> => scene.dialog(`+${phone}`);

const letGo = (): Promise<void> => scene.letGo({ notifies: true });

async function someCustomer(): Promise<Customer> {
  const customer = { phone: somePhone() };
  await scene.tell(scene.number.message(customer, 'здравствуйте', { at: secondsAgo(120) }));
  return customer;
}

const textsOf = async (customer: Customer): Promise<string[]> =>
  (await scene.messages((await dialogOf(customer)).id)).map(({ text }) => text);

describe('an opt request that is handled late', () => {
  it('is no START against a STOP that was written later', async () => {
    const customer = await someCustomer();
    await scene.tell(scene.number.message(customer, 'стоп', { at: secondsAgo(90) }));
    await scene.holdBack(scene.number.message(customer, 'старт', { at: secondsAgo(60) }));
    await scene.tell(scene.number.message(customer, 'стоп', { at: secondsAgo(30) }));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({ opted_out: true, ai_enabled: false });
    expect((await scene.log((await dialogOf(customer)).id)).at(-1)).toMatch(/ message$/);
  });

  it('is no STOP against a START that was written later, but the agent stays off as it would have', async () => {
    const customer = await someCustomer();
    await scene.holdBack(scene.number.message(customer, 'стоп', { at: secondsAgo(60) }));
    await scene.tell(scene.number.message(customer, 'старт', { at: secondsAgo(30) }));
    await letGo();
    const dialog = await dialogOf(customer);
    expect(dialog).toMatchObject({ opted_out: false, ai_enabled: false, takeover_seconds: null });
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message', '3 message', '4 message', '5 ai']);
  });

  it('of the same second counts by its arrival', async () => {
    const customer = await someCustomer();
    const at = secondsAgo(30);
    await scene.holdBack(scene.number.message(customer, 'старт', { at }));
    await scene.tell(scene.number.message(customer, 'стоп', { at }));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({ opted_out: true });
  });

  it('of the same webhook counts by its position there', async () => {
    const customer = await someCustomer();
    const at = secondsAgo(30);
    const words = ['стоп', 'старт', 'стоп', 'старт'];
    await scene.tell(...words.map((word) => scene.number.message(customer, word, { at })));
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false });
  });

  it('is what counts where it was written later, though it arrived first', async () => {
    const customer = await someCustomer();
    await scene.tell(scene.number.message(customer, 'стоп', { at: secondsAgo(30) }));
    await scene.tell(scene.number.message(customer, 'старт', { at: secondsAgo(60) }));
    expect(await dialogOf(customer)).toMatchObject({ opted_out: true });
  });

  it('is no START against the provider’s control, used later', async () => {
    const customer = await someCustomer();
    await scene.holdBack(scene.number.message(customer, 'старт', { at: secondsAgo(60) }));
    await scene.tell(scene.number.preference(customer, 'stop', secondsAgo(30)));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({ opted_out: true });
  });

  it('is no START against the provider’s control used again on a dialog that is marked already', async () => {
    const customer = await someCustomer();
    await scene.tell(scene.number.preference(customer, 'stop', secondsAgo(90)));
    await scene.holdBack(scene.number.message(customer, 'старт', { at: secondsAgo(60) }));
    await scene.tell(scene.number.preference(customer, 'stop', secondsAgo(30)));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({ opted_out: true });
  });

  it('is none of the provider’s control against a START that was written later', async () => {
    const customer = await someCustomer();
    await scene.holdBack(scene.number.preference(customer, 'stop', secondsAgo(60)));
    await scene.tell(scene.number.message(customer, 'старт', { at: secondsAgo(30) }));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false, ai_enabled: false });
  });

  it('is no refusal against a START that was written later', async () => {
    const customer = await someCustomer();
    const providerId = wamid();
    await scene.addOutgoing((await dialogOf(customer)).id, { status: 'sent', providerId });
    const errors = [{ code: 131050, title: 'Stopped', message: 'Stopped' }];
    const timestamp = String(secondsAgo(60));
    await scene.holdBack(scene.number.status(providerId, 'failed', { errors, timestamp }));
    await scene.tell(scene.number.message(customer, 'старт', { at: secondsAgo(30) }));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({ opted_out: false });
  });

  it('is no START against Gupshup’s opt-out, reported later', async () => {
    await scene.account.connect('waba', { sender: '77270000001' });
    const phone = somePhone();
    const post = async (type: string, timestamp: number, payload: object): Promise<void> => {
      const body = { app: 'ClinicApp', timestamp, version: 2, type, payload };
      expect((await postGupshup(scene.server, scene.account.botId, body)).status).toBe(200);
      await scene.taken();
    };
    const messageOf = (text: string): object => ({
      ...{ id: wamid(), source: phone, type: 'text', payload: { text } },
      sender: { phone, name: 'Aida', country_code: '7', dial_code: phone.slice(1) },
    });
    await post('message', Date.now() - 90_000, messageOf('привет'));
    await post('user-event', Date.now() - 30_000, { phone, type: 'opted-out' });
    await post('message', Date.now() - 60_000, messageOf('start'));
    expect(await dialogOf({ phone })).toMatchObject({ opted_out: true });
  });
});

describe('a customer’s message that is taken in late', () => {
  it('does not wait where a person of ours wrote after it', async () => {
    const customer = await someCustomer();
    await scene.holdBack(scene.number.message(customer, 'вопрос'));
    await scene.tell(scene.number.echo(customer, 'ответ'));
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({
      waiting_message_id: null,
      waiting_at: null,
      last_message_role: 'OPERATOR',
      last_message_text: 'ответ',
    });
    expect(await textsOf(customer)).toEqual(['здравствуйте', 'вопрос', 'ответ']);
  });

  it('waits where it arrived after what a person of ours wrote', async () => {
    const customer = await someCustomer();
    await scene.tell(scene.number.echo(customer, 'ответ'));
    await scene.tell(scene.number.message(customer, 'вопрос', { at: secondsAgo(1) }));
    const [, , question] = await scene.messages((await dialogOf(customer)).id);
    expect(await dialogOf(customer)).toMatchObject({ waiting_message_id: question?.id, unread_count: 1 });
  });

  it('waits, though a person of ours wrote what is taken in after it', async () => {
    const customer = await someCustomer();
    await scene.holdBack(scene.number.echo(customer, 'ответ'));
    await scene.tell(scene.number.message(customer, 'ещё вопрос'));
    const before = await dialogOf(customer);
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({
      waiting_message_id: before.waiting_message_id,
      unread_count: 2,
      last_message_role: 'USER',
      last_message_text: 'ещё вопрос',
    });
    expect(await textsOf(customer)).toEqual(['здравствуйте', 'ответ', 'ещё вопрос']);
  });

  it('leaves waiting the one that arrived after it', async () => {
    const customer = await someCustomer();
    await scene.holdBack(scene.number.message(customer, 'первый'));
    await scene.tell(scene.number.message(customer, 'второй'));
    const before = await dialogOf(customer);
    await letGo();
    expect(await dialogOf(customer)).toMatchObject({
      waiting_message_id: before.waiting_message_id,
      last_message_text: 'второй',
      unread_count: 3,
    });
    expect(await textsOf(customer)).toEqual(['здравствуйте', 'первый', 'второй']);
  });
});

it('a message of ours that was sent is an answer, though only the provider’s report says so', async () => {
  const customer = await someCustomer();
  const id = await scene.addOutgoing((await dialogOf(customer)).id, { status: 'sending' });
  await scene.database.pool.query('UPDATE messages SET created_at = clock_timestamp() WHERE id = $1', [id]);
  await scene.database.pool.query(
    `UPDATE threads t SET answer_count = 1, last_outbound_at = m.created_at FROM messages m WHERE m.id = $1 AND t.id = m.thread_id`,
    [id],
  );
  await scene.holdBack(scene.number.message(customer, 'ещё вопрос'));
  await scene.tell(scene.number.status(wamid(), 'delivered', { biz_opaque_callback_data: id }));
  expect(await dialogOf(customer)).toMatchObject({ waiting_message_id: null, waiting_at: null });
  await letGo();
  expect((await dialogOf(customer)).waiting_message_id).not.toBeNull();
});

it('messages of a backlog are ordered by their arrival, whichever is processed first', async () => {
  const customer = { phone: somePhone() };
  const words = Array.from({ length: 12 }, (_, index) => String(index));
  for (const word of words) await scene.holdBack(scene.number.message(customer, word));
  await scene.database.pool.query(
    `UPDATE webhook_deliveries SET due_at = clock_timestamp() - make_interval(secs => id) WHERE due_at = 'infinity'`,
  );
  await scene.taken();
  expect(await textsOf(customer)).toEqual(words);
  const dialog = await dialogOf(customer);
  expect(dialog).toMatchObject({ last_message_text: '11', unread_count: 12 });
  expect((await scene.message(dialog.waiting_message_id ?? '')).text).toBe('11');
});

it('a message’s created_at is when its webhook came, not when it was taken apart', async () => {
  const customer = { phone: somePhone() };
  await scene.holdBack(scene.number.message(customer, 'ждал'));
  await scene.database.pool.query(
    `UPDATE webhook_deliveries SET received_at = received_at - interval '1 hour' WHERE due_at = 'infinity'`,
  );
  await letGo();
  const [message] = await scene.messages((await dialogOf(customer)).id);
  expect(Date.now() - (message?.created_at.getTime() ?? 0)).toBeGreaterThan(59 * 60_000);
});
