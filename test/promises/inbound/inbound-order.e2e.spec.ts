import { setInboundScene, somePhone, type KeptDialog } from '../../support/scenes/inbound.scene';
import {
  postGupshup,
  secondsAgo,
  wamid,
  type Customer,
  cloudBody,
} from '../../support/stand-ins/cloud.webhooks';

const scene = setInboundScene({ servers: 2 });
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

describe('what the phone’s own app says', () => {
  const dialogOf = ({ phone = '' }: Customer): Promise<KeptDialog> => scene.dialog(`+${phone}`);

  /** A customer whose message waits. */
  async function someCustomer(): Promise<Customer> {
    const customer = { phone: somePhone() };
    await scene.tell(scene.number.message(customer, 'вопрос'));
    return customer;
  }

  const answer = (customer: Customer, content: string | object = 'ответ'): Promise<void> =>
    scene.tell(scene.number.echo(customer, content));

  it('a message of the phone’s own app answers, and takes the dialog over', async () => {
    const customer = await someCustomer();
    const before = await dialogOf(customer);
    await answer(customer);
    const dialog = await dialogOf(customer);
    expect(dialog).toMatchObject({
      ai_enabled: true,
      ai_epoch: before.ai_epoch + 1,
      waiting_message_id: null,
      waiting_at: null,
      unread_count: 0,
      last_message_role: 'OPERATOR',
      last_message_text: 'ответ',
    });
    expect(dialog.takeover_seconds).toBeGreaterThan(29 * 60);
    expect(dialog.takeover_seconds).toBeLessThanOrEqual(30 * 60);
    expect((await scene.messages(dialog.id)).at(-1)).toMatchObject({ role: 'OPERATOR', status: 'delivered' });
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message', '3 message', '4 handler']);
    expect((await scene.api.getLead(`thread_${dialog.id}`)).body.data).toMatchObject({
      message_handler: 'OPERATOR',
    });
  });

  it('lasts as long as the agent is set to stay away', async () => {
    const customer = await someCustomer();
    await scene.database.pool.query('UPDATE assistants SET auto_return_minutes = 5');
    await answer(customer);
    await scene.database.pool.query('UPDATE assistants SET auto_return_minutes = 30');
    const { takeover_seconds: seconds } = await dialogOf(customer);
    expect(seconds).toBeGreaterThan(4 * 60);
    expect(seconds).toBeLessThanOrEqual(5 * 60);
  });

  it('a further one prolongs the takeover, without another entry', async () => {
    const customer = await someCustomer();
    const { id } = await dialogOf(customer);
    await scene.kept.setFacts(`thread_${id}`, `takeover_until = clock_timestamp() + interval '1 minute'`);
    await answer(customer);
    expect((await dialogOf(customer)).takeover_seconds).toBeGreaterThan(29 * 60);
    expect(await scene.log(id)).toEqual(['1 opened', '2 message', '3 message']);
  });

  it('leaves off a switch that is off: no takeover, no entry of the handler', async () => {
    const customer = await someCustomer();
    const { id } = await dialogOf(customer);
    await scene.api.setAi(`thread_${id}`, false);
    await answer(customer);
    expect(await dialogOf(customer)).toMatchObject({
      ai_enabled: false,
      takeover_seconds: null,
      unread_count: 0,
    });
    expect((await scene.log(id)).slice(2)).toEqual(['3 ai', '4 message']);
  });

  it('opens the dialog of somebody who never wrote', async () => {
    const customer = { phone: somePhone() };
    await answer(customer, 'добрый день');
    const dialog = await dialogOf(customer);
    expect(dialog).toMatchObject({ phone: `+${customer.phone}`, waiting_message_id: null, unread_count: 0 });
    expect(dialog.takeover_seconds).toBeGreaterThan(0);
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message', '3 handler']);
  });

  it('ends with set-ai true', async () => {
    const customer = await someCustomer();
    await answer(customer);
    const { id } = await dialogOf(customer);
    const { body } = await scene.api.setAi(`thread_${id}`, true);
    expect(body.data).toMatchObject({ changed: true, message_handler: 'AI' });
  });

  it('twenty times at once on two processes is one message and one takeover', async () => {
    const customer = await someCustomer();
    const body = cloudBody([scene.number.echo(customer, 'ответ', wamid())]);
    await Promise.all(Array.from({ length: 20 }, () => scene.post(body)));
    await scene.taken();
    const dialog = await dialogOf(customer);
    expect(await scene.messages(dialog.id)).toHaveLength(2);
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message', '3 message', '4 handler']);
  });

  it('of a message that is taken back is kept, and takes nothing over', async () => {
    const customer = await someCustomer();
    await answer(customer, { type: 'revoke', revoke: { original_message_id: 'wamid.X' } });
    expect(await dialogOf(customer)).toMatchObject({ takeover_seconds: null, unread_count: 1 });
  });

  it('shows on the card the beginning of a long text, which its dialog has in full', async () => {
    const customer = await someCustomer();
    const long = 'слово '.repeat(600).trim();
    await answer(customer, long);
    const dialog = await dialogOf(customer);
    expect(dialog.last_message_text).toBe(`${long.slice(0, 499)}…`);
    expect((await scene.messages(dialog.id)).at(-1)?.text).toBe(long);
  });
});
