import { cloudBody, wamid, type Customer } from '../../support/stand-ins/cloud.webhooks';
import { setInboundScene, somePhone, type KeptDialog } from '../../support/scenes/inbound.scene';

const scene = setInboundScene({ servers: 2 });

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
