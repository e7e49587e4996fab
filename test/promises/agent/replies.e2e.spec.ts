import { ApiClient, type Answer } from '../../support/clients/api.client';
import { addAdminKey } from '../../support/database/fixture';
import { metricsOf } from '../../support/clients/metrics.reader';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { eventually } from '../../support/eventually';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';

const scene = setReplyScene({
  servers: 2,
  stages: [{}, { aiEnabled: false }, { kind: 'success' }, { locked: true }],
});
const IN_TWO_PARTS =
  'Здравствуйте! Чем я могу вам помочь сегодня, подскажите, пожалуйста?\n\nМы открыты с девяти до шести, без обеда, каждый день недели.';
const threadOf = (id: string): string => `thread_${id}`;

/** Changes a stage as the installation's admin does. */
async function changeStage(id: string, body: object): Promise<void> {
  const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  expect((await admin.admin('PATCH', `statuses/${id}`, body)).status).toBe(200);
}

describe("a customer's message", () => {
  it('is marked as read and answered by the model, in parts, in order, each stored as the agent’s; the next one comes with who said what', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: IN_TWO_PARTS });
    const message = scene.number.message(customer, 'Здравствуйте, вы открыты?');
    await scene.tell(message);
    expect(await scene.untilSaid(customer, 2)).toEqual([
      'Здравствуйте! Чем я могу вам помочь сегодня, подскажите, пожалуйста?',
      'Мы открыты с девяти до шести, без обеда, каждый день недели.',
    ]);
    const { id: thread } = await scene.dialog(`+${customer.phone}`);
    await scene.untilQuiet(thread);
    const messages = await scene.messages(thread);
    expect(messages.map(({ role, status }) => `${role} ${status}`)).toEqual([
      'USER received',
      'AI sent',
      'AI sent',
    ]);
    expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).toBeNull();
    expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 2 }]);
    const [first] = (message.value as { messages: { id: string }[] }).messages;
    expect(scene.provider.reads).toContain(first?.id);
    await scene.model.reply({ text: '**Латте** стоит 900 тенге.', when: 'Почём' });
    await scene.write(customer, `Почём латте? ${customer.phone}`);
    // In the form that the messenger shows.
    expect((await scene.untilSaid(customer, 3)).at(-1)).toBe('*Латте* стоит 900 тенге.');
    const { body } = await scene.model.asked(customer.phone);
    const told = (body.messages as { role: string; content: unknown }[]).slice(1);
    expect(JSON.stringify(told)).toMatch(/user.*вы открыты.*assistant.*с девяти до шести.*user.*Почём латте/);
  });

  it.each<[string, (thread: string) => Promise<Answer>]>([
    [
      'set-ai true',
      async (thread) => {
        await scene.api.setAi(threadOf(thread), false);
        return scene.api.setAi(threadOf(thread), true);
      },
    ],
    [
      'set-status with the flag at the present stage',
      (thread) =>
        scene.api.setStatus({
          ...{ thread_id: threadOf(thread), status_id: scene.stage(0) },
          answer_pending_message: true,
        }),
    ],
  ])(
    'of whose reply nothing was delivered waits again, has a person asked for, once, and is taken up anew by %s, once',
    async (_, call) => {
      const customer = newCustomer();
      await scene.model.reply({ text: IN_TWO_PARTS, when: customer.phone });
      const thread = await scene.write(customer, `Дойдёт? ${customer.phone}`);
      await scene.api.setStatus({ thread_id: threadOf(thread), status_id: scene.stage(0) });
      await scene.untilSaid(customer, 2);
      await scene.untilQuiet(thread);
      const [asked, first, second] = await scene.messages(thread);
      const errors = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }];
      const fails = async (part?: { id: string }): Promise<void> =>
        scene.tell(scene.number.status(`wamid.${part?.id}`, 'failed', { errors }));
      await fails(first);
      // The second part may have arrived.
      expect((await call(thread)).body.data.answered_pending_message).toBe(false);
      await fails(second);
      expect(await scene.told(thread)).toEqual(['attention not_delivered']);
      const { body } = await scene.api.getHistory({ thread_id: threadOf(thread), limit: 200 });
      expect(
        (body.data.entries as { type: string }[]).find(({ type }) => type === 'attention'),
      ).toMatchObject({
        ...{ by: 'AI', actor: { type: 'agent' }, note: expect.any(String) as string },
      });
      expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).toBe(asked?.id);
      // The agent does not write it once more on its own.
      expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 2 }]);
      expect(scene.said(customer)).toHaveLength(2);
      await scene.model.reply({ text: 'Ещё раз.', when: customer.phone });
      expect((await call(thread)).body.data.answered_pending_message).toBe(true);
      await scene.untilSaid(customer, 3);
      await scene.untilQuiet(thread);
      expect(scene.textsTo(customer).slice(2)).toEqual(['Ещё раз.']);
      expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 1 }]);
      expect((await call(thread)).body.data.answered_pending_message).toBe(false);
    },
  );

  it.each([
    ['switched off', async (id: string) => scene.api.setAi(threadOf(id), false), 'off'],
    [
      'at a stage that comes to mute',
      async (id: string) => {
        const [stage = ''] = await scene.account.addStages(scene.account.assistantId, [{}]);
        await scene.api.setStatus({ thread_id: threadOf(id), status_id: stage });
        await changeStage(stage, { ai_enabled: false });
      },
      'stage',
    ],
  ])(
    'of a dialog that is %s while the model writes is not answered, and the history says why',
    async (_, silence, why) => {
      const customer = newCustomer();
      await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'middle', when: customer.phone });
      const thread = await scene.write(customer, `Мой номер ${customer.phone}`);
      const held = await scene.model.held(customer.phone);
      await silence(thread);
      expect((await scene.model.ended(held.n)).end).toBe('client closed');
      await scene.untilQuiet(thread);
      expect(scene.textsTo(customer)).not.toContain('Не для чужих ушей.');
      expect(await scene.told(thread)).toEqual([`reply_discarded ${why}`]);
    },
  );

  it('of a customer who unsubscribes and comes back, in two webhooks, by two processes, while the model writes is not answered; the agent stays off until it is switched on', async () => {
    const customer = newCustomer();
    const { phone } = customer;
    await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'middle', when: phone });
    const thread = await scene.write(customer, `Мой номер ${phone}`);
    const { n } = await scene.model.held(phone);
    for (const word of ['STOP', 'START']) await scene.tell(scene.number.message(customer, word));
    await scene.model.release(n);
    await scene.untilQuiet(thread);
    expect(await scene.told(thread)).toEqual([expect.stringMatching(/^reply_discarded (opt_out|off)$/)]);
    await scene.write(customer, `Вы тут? ${phone}`);
    expect(await scene.dialog(`+${phone}`)).toMatchObject({ opted_out: false, ai_enabled: false });
    expect((await scene.api.getLead(threadOf(thread))).body.data.message_handler).toBe('OPERATOR');
    await scene.model.reply({ text: 'Снова здесь.', when: phone });
    const { status, body } = await scene.apiAt(1).setAi(threadOf(thread), true);
    expect([status, body.data]).toMatchObject([200, { changed: true, answered_pending_message: true }]);
    expect(await scene.untilSaid(customer, 1)).toEqual(['Снова здесь.']);
    await scene.untilQuiet(thread);
    expect(scene.said(customer)).toHaveLength(1);
  });

  it('that is followed by another while the model writes is answered together with it, once', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Устарело.', hold: 'middle', when: `первое ${customer.phone}` });
    const thread = await scene.write(customer, `первое ${customer.phone}`);
    await scene.model.held(customer.phone);
    await scene.model.reply({ text: 'На оба сразу.', when: 'второе' });
    await scene.write(customer, 'второе');
    expect(await scene.untilSaid(customer, 1)).toEqual(['На оба сразу.']);
    await scene.untilQuiet(thread);
    expect(scene.said(customer)).toHaveLength(1);
    expect(await scene.told(thread)).toEqual(['reply_discarded newer_message']);
  });

  it('that came before a reply to an earlier one is on its way, but is taken in after it, is answered, too', async () => {
    const customer = newCustomer();
    const [first, second] = [`первое ${customer.phone}`, `второе ${customer.phone}`];
    await scene.model.reply(
      { text: 'На первое.', hold: 'end', when: first },
      { text: 'На второе.', when: second },
    );
    const arrived = Promise.withResolvers<void>();
    scene.provider.on(`+${customer.phone}`, async (...request) => {
      await arrived.promise;
      await accept(...request);
    });
    const thread = await scene.write(customer, first);
    const held = await scene.model.held(customer.phone);
    await scene.holdBack(scene.number.message(customer, second));
    await scene.model.release(held.n);
    await scene.untilSaid(customer, 1);
    await scene.letGo();
    arrived.resolve();
    expect(await scene.untilSaid(customer, 2)).toEqual(['На первое.', 'На второе.']);
    await scene.untilQuiet(thread);
    expect(scene.said(customer)).toHaveLength(2);
    const texts = (await scene.messages(thread)).map(({ text }) => text);
    expect(texts).toEqual([first, 'На первое.', second, 'На второе.']);
  });

  it('that came before a reply, but is taken in after it and after another such, stands behind the reply and is answered, too', async () => {
    const customer = newCustomer();
    const [first, second, third] = ['первое', 'второе', 'третье'].map((word) => `${word} ${customer.phone}`);
    await scene.model.reply(
      { text: 'На первое.', hold: 'end', when: first },
      // Begun anew where the third is taken in amid the reply to the second.
      { text: 'На остальное.', when: customer.phone },
      { text: 'На остальное.', when: customer.phone },
    );
    const thread = await scene.write(customer, first ?? '');
    const held = await scene.model.held(customer.phone);
    await scene.holdBack(scene.number.message(customer, second ?? ''));
    await scene.holdBack(scene.number.message(customer, third ?? ''));
    await scene.model.release(held.n);
    await scene.untilSaid(customer, 1);
    await scene.untilQuiet(thread);
    await scene.letGo();
    expect(await scene.untilSaid(customer, 2)).toEqual(['На первое.', 'На остальное.']);
    await scene.untilQuiet(thread);
    const texts = (await scene.messages(thread)).map(({ text }) => text);
    expect(texts.slice(0, 2)).toEqual([first, 'На первое.']);
    expect(texts.slice(2)).toEqual(expect.arrayContaining([second, third]));
  });
});

describe('the quiet time', () => {
  /** So long that no reply comes within a test. */
  const LONG_MS = 60_000;

  /** When the reply of a dialog is due, in milliseconds after its customer's newest message arrived. */
  async function dueAfterLast(thread: string): Promise<number> {
    const { rows } = await scene.database.pool.query<{ ms: number }>(
      `SELECT (extract(epoch FROM r.due_at - (SELECT max(created_at) FROM messages WHERE thread_id = $1 AND role = 'USER'))
              * 1000)::float8 AS ms
       FROM replies r WHERE r.thread_id = $1 ORDER BY r.id DESC LIMIT 1`,
      [thread],
    );
    return Math.round(rows[0]?.ms ?? -1);
  }

  it('is over after the last of a burst of messages, which is answered once', async () => {
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = $1', [LONG_MS]);
    const customer = newCustomer();
    await scene.model.reply({ text: 'На все три.', when: customer.phone });
    await scene.write(customer, 'раз');
    await scene.write(customer, 'два');
    const thread = await scene.write(customer, `три ${customer.phone}`);
    expect(await dueAfterLast(thread)).toBeGreaterThanOrEqual(LONG_MS);
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
    await scene.database.pool.query('UPDATE replies SET due_at = clock_timestamp() WHERE thread_id = $1', [
      thread,
    ]);
    expect(await scene.untilSaid(customer, 1)).toEqual(['На все три.']);
    await scene.untilQuiet(thread);
    expect(scene.said(customer)).toHaveLength(1);
    expect((await scene.replies(thread)).filter(({ parts }) => parts > 0)).toHaveLength(1);
  });

  it('is over after five such times at the latest, for a customer who goes on writing', async () => {
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = $1', [LONG_MS]);
    const customer = newCustomer();
    const thread = await scene.write(customer, 'начало');
    expect(await dueAfterLast(thread)).toBeGreaterThanOrEqual(LONG_MS);
    await scene.kept.setFacts(
      `thread_${thread}`,
      `burst_started_at = clock_timestamp() - interval '${4.5 * LONG_MS} ms'`,
    );
    await scene.write(customer, 'и ещё');
    expect(await dueAfterLast(thread)).toBeLessThanOrEqual(LONG_MS / 2);
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
  });

  it('is whole again for a customer who writes again after an answer', async () => {
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = $1', [LONG_MS]);
    const customer = newCustomer();
    const thread = await scene.account.addThread({ phone: `+${customer.phone}` });
    await scene.kept.setFacts(
      thread,
      `burst_started_at = clock_timestamp() - interval '${4.5 * LONG_MS} ms'`,
    );
    expect(await dueAfterLast(await scene.write(customer, 'и ещё'))).toBeGreaterThanOrEqual(LONG_MS);
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
  });
});

describe('a part that the messenger refuses', () => {
  it('is failed, has an operator asked for, and is not in the dialog that the model gets', async () => {
    const customer = newCustomer();
    const { phone } = customer;
    scene.provider.on(`+${phone}`, refuse(400, 131_047));
    await scene.model.reply({ text: 'Это не дошло.', when: phone });
    const thread = await scene.write(customer, `Первый ${phone}`);
    await eventually(async () => (await scene.told(thread)).length > 0, 10_000, 'no operator was asked for');
    expect(await scene.told(thread)).toEqual(['attention messenger']);
    expect(scene.said(customer)).toHaveLength(1);
    scene.provider.on(`+${phone}`, accept);
    await scene.write(customer, `Второй ${phone}`);
    const { body } = await scene.model.asked(`Второй ${phone}`);
    expect(JSON.stringify(body.messages)).toContain(`Первый ${phone}`);
    expect(JSON.stringify(body.messages)).not.toContain('Это не дошло.');
  });
});

describe('the metrics', () => {
  const metrics = async (): Promise<string> => (await Promise.all(scene.servers.map(metricsOf))).join('\n');

  it('count replies, requests to the model and to providers, messages by what became of them, and connections', async () => {
    const customer = newCustomer();
    await scene.write(customer, `Вопрос ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await eventually(
      async () => {
        const told = await metrics();
        return [
          /^leadline_replies_total\{end="answered"\} [1-9]/m,
          /^leadline_messages_total\{status="sent"\} [1-9]/m,
        ].every((line) => line.test(told));
      },
      5_000,
      'no answered reply and no sent message was counted',
    );
    const told = await metrics();
    expect(told).toMatch(/^leadline_model_requests_total\{outcome="replied"\} [1-9]/m);
    expect(told).toMatch(/^leadline_model_seconds_total [0-9.]*[1-9]/m);
    expect(told).toMatch(/^leadline_tool_calls_total \d/m);
    expect(told).toMatch(/^leadline_reply_seconds_count [1-9]/m);
    expect(told).toMatch(
      /^leadline_provider_request_duration_seconds_count\{provider="cloud",outcome="2xx"\} [1-9]/m,
    );
    expect(told).toMatch(/^leadline_pool_connections\{pool="default",state="idle"\} \d/m);
    // A sweep may be waiting at that very moment.
    expect(told).toMatch(/^leadline_pool_waiting\{pool="work"\} \d+$/m);
    expect(told).toMatch(/^leadline_slots_waiting 0$/m);
    expect(told).toMatch(/^leadline_feed_behind 0$/m);
  });
});
