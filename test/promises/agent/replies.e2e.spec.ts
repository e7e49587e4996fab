import { ApiClient, type Answer } from '../../support/clients/api.client';
import { addAdminKey } from '../../support/database/fixture';
import { metricsOf } from '../../support/clients/metrics.reader';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { eventually } from '../../support/eventually';
import { accept, answer, refuse } from '../../support/stand-ins/scripted.provider';

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
  it('is answered by the model, in parts, in order, each stored as the agent’s', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: IN_TWO_PARTS });
    const thread = await scene.write(customer, 'Здравствуйте, вы открыты?');
    expect(await scene.untilSaid(customer, 2)).toEqual([
      'Здравствуйте! Чем я могу вам помочь сегодня, подскажите, пожалуйста?',
      'Мы открыты с девяти до шести, без обеда, каждый день недели.',
    ]);
    await scene.untilQuiet(thread);
    const messages = await scene.messages(thread);
    expect(messages.map(({ role, status }) => `${role} ${status}`)).toEqual([
      'USER received',
      'AI sent',
      'AI sent',
    ]);
    expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).toBeNull();
    expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 2 }]);
  });

  it('waits again where the messenger does not deliver the reply, and a person is asked for, once', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: IN_TWO_PARTS });
    const thread = await scene.write(customer, 'Дойдёт ли ответ?');
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    const [asked, ...parts] = await scene.messages(thread);
    const errors = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }];
    for (const { id } of parts) await scene.tell(scene.number.status(`wamid.${id}`, 'failed', { errors }));
    expect(await scene.told(thread)).toEqual(['attention not_delivered']);
    const { body } = await scene.api.getHistory({ thread_id: threadOf(thread), limit: 1 });
    expect(body.data.entries).toMatchObject([
      { type: 'attention', by: 'AI', actor: { type: 'agent' }, note: expect.any(String) as string },
    ]);
    expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).toBe(asked?.id);
    // The agent does not write it once more on its own.
    expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 2 }]);
    expect(scene.said(customer)).toHaveLength(2);
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
  ])('of whose reply nothing was delivered is taken up anew by %s, once', async (_, call) => {
    const customer = newCustomer();
    await scene.model.reply({ text: IN_TWO_PARTS, when: customer.phone });
    const thread = await scene.write(customer, `Дойдёт? ${customer.phone}`);
    await scene.api.setStatus({ thread_id: threadOf(thread), status_id: scene.stage(0) });
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    const [, first, second] = await scene.messages(thread);
    const errors = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }];
    const fails = async (part?: { id: string }): Promise<void> =>
      scene.tell(scene.number.status(`wamid.${part?.id}`, 'failed', { errors }));
    await fails(first);
    // The second part may have arrived.
    expect((await call(thread)).body.data.answered_pending_message).toBe(false);
    await fails(second);
    await scene.model.reply({ text: 'Ещё раз.', when: customer.phone });
    expect((await call(thread)).body.data.answered_pending_message).toBe(true);
    await scene.untilSaid(customer, 3);
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer).slice(2)).toEqual(['Ещё раз.']);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 1 }]);
    expect((await call(thread)).body.data.answered_pending_message).toBe(false);
  });

  it('is marked as read, with the typing shown', async () => {
    const customer = newCustomer();
    const message = scene.number.message(customer, 'Прочтите меня');
    await scene.tell(message);
    await scene.untilSaid(customer, 1);
    const [first] = (message.value as { messages: { id: string }[] }).messages;
    expect(scene.provider.reads).toContain(first?.id);
  });

  it('comes to the model with the dialog: who said what', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Первый ответ.' }, { text: 'Второй ответ.' });
    const thread = await scene.write(customer, 'Вопрос один');
    await scene.untilSaid(customer, 1);
    await scene.untilQuiet(thread);
    await scene.write(customer, 'Вопрос два');
    await scene.untilSaid(customer, 2);
    const { body } = await scene.model.asked('Вопрос два');
    const told = (body.messages as { role: string; content: unknown }[]).slice(1);
    expect(JSON.stringify(told)).toMatch(/user.*Вопрос один.*assistant.*Первый ответ\..*user.*Вопрос два/);
  });

  it.each([
    ['switched off', async (id: string) => scene.api.setAi(threadOf(id), false), 'off'],
    ['taken over', async (id: string) => scene.api.sendText(threadOf(id), 'Это человек.'), 'takeover'],
    [
      'moved to a stage that mutes',
      async (id: string) => scene.api.setStatus({ thread_id: threadOf(id), status_id: scene.stage(1) }),
      'stage',
    ],
    [
      'at a stage that comes to mute',
      async (id: string) => {
        const [stage = ''] = await scene.account.addStages(scene.account.assistantId, [{}]);
        await scene.api.setStatus({ thread_id: threadOf(id), status_id: stage });
        await changeStage(stage, { ai_enabled: false });
      },
      'stage',
    ],
    [
      'opted out',
      async (_: string, customer: { phone: string }) => scene.tell(scene.number.message(customer, 'STOP')),
      'opt_out',
    ],
  ])(
    'of a dialog that is %s while the model writes is not answered, and the history says why',
    async (_, silence, why) => {
      const customer = newCustomer();
      await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'middle', when: customer.phone });
      const thread = await scene.write(customer, `Мой номер ${customer.phone}`);
      const held = await scene.model.held(customer.phone);
      await silence(thread, customer);
      expect((await scene.model.ended(held.n)).end).toBe('client closed');
      await scene.untilQuiet(thread);
      expect(scene.textsTo(customer)).not.toContain('Не для чужих ушей.');
      expect(await scene.told(thread)).toEqual([`reply_discarded ${why}`]);
    },
  );

  it.each<[string, string[][]]>([
    ['in two webhooks, by two processes', [['STOP'], ['START']]],
    ['in one webhook', [['STOP', 'START']]],
  ])(
    'of a customer who unsubscribes and comes back %s while the model writes is not answered; the agent stays off until it is switched on',
    async (_, webhooks) => {
      const customer = newCustomer();
      const { phone } = customer;
      await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'middle', when: phone });
      const thread = await scene.write(customer, `Мой номер ${phone}`);
      const { n } = await scene.model.held(phone);
      for (const words of webhooks)
        await scene.tell(...words.map((word) => scene.number.message(customer, word)));
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
    },
  );

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

  it.each([
    ['was sent', false],
    ['is on its way', true],
  ])(
    'that came before a reply to an earlier one %s, but is taken in after it, is answered, too',
    async (_, isOnItsWay) => {
      const customer = newCustomer();
      const [first, second] = [`первое ${customer.phone}`, `второе ${customer.phone}`];
      await scene.model.reply(
        { text: 'На первое.', hold: 'end', when: first },
        { text: 'На второе.', when: second },
      );
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      scene.provider.on(`+${customer.phone}`, async (...request) => {
        if (isOnItsWay) await arrived;
        await accept(...request);
      });
      const thread = await scene.write(customer, first);
      const held = await scene.model.held(customer.phone);
      await scene.holdBack(scene.number.message(customer, second));
      await scene.model.release(held.n);
      await scene.untilSaid(customer, 1);
      if (!isOnItsWay) await scene.untilQuiet(thread);
      await scene.letGo();
      arrive();
      expect(await scene.untilSaid(customer, 2)).toEqual(['На первое.', 'На второе.']);
      await scene.untilQuiet(thread);
      expect(scene.said(customer)).toHaveLength(2);
      const texts = (await scene.messages(thread)).map(({ text }) => text);
      expect(texts).toEqual([first, 'На первое.', second, 'На второе.']);
    },
  );

  it('that came before a reply, but is taken in after it and after another such, stands behind the reply, too', async () => {
    const customer = newCustomer();
    const [first, second, third] = ['первое', 'второе', 'третье'].map((word) => `${word} ${customer.phone}`);
    await scene.model.reply(
      { text: 'На первое.', hold: 'end', when: first },
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
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    const texts = (await scene.messages(thread)).map(({ text }) => text);
    expect(texts.slice(0, 2)).toEqual([first, 'На первое.']);
    expect(texts.slice(2)).toEqual(expect.arrayContaining([second, third]));
  });

  it('that came while the agent was off is answered when it is switched on, once for twenty calls', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Пожалуйста.', when: customer.phone });
    const thread = await scene.write(customer, `Сначала ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await scene.untilQuiet(thread);
    await scene.api.setAi(threadOf(thread), false);
    await scene.write(customer, 'Вы тут?');
    await scene.model.reply({ text: 'Теперь да.', when: 'Вы тут?' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => scene.apiAt(n).setAi(threadOf(thread), true)),
    );
    expect(answers.filter(({ body }) => body.data.changed)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.data.answered_pending_message)).toHaveLength(1);
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer).slice(1)).toEqual(['Теперь да.']);
  });
});

describe('a model that fails', () => {
  it('for good flags the dialog for an operator; the handler stays AI and the next message is answered', async () => {
    const customer = newCustomer();
    await scene.model.reply({ status: 401, when: customer.phone });
    const thread = await scene.write(customer, `Вопрос ${customer.phone}`);
    await eventually(async () => (await scene.told(thread)).length > 0, 10_000, 'no operator was asked for');
    expect(await scene.told(thread)).toEqual(['attention model']);
    const { body } = await scene.api.getLead(threadOf(thread));
    expect(body.data.message_handler).toBe('AI');
    await scene.write(customer, 'Ещё раз');
    await scene.untilSaid(customer, 1);
  });

  it('for a moment is asked again', async () => {
    const customer = newCustomer();
    await scene.model.reply(
      { status: 500, when: customer.phone },
      { text: 'Со второго раза.', when: customer.phone },
    );
    const thread = await scene.write(customer, `Вопрос ${customer.phone}`);
    expect(await scene.untilSaidAtLast(customer, thread)).toEqual(['Со второго раза.']);
  });
});

describe('a part that the messenger refuses', () => {
  it('is failed, and an operator is asked for', async () => {
    const customer = newCustomer();
    scene.provider.on(`+${customer.phone}`, (response) =>
      answer(response, 400, {
        error: { message: '(#131047) Re-engagement message', type: 'OAuthException', code: 131047 },
      }),
    );
    const thread = await scene.write(customer, 'Вопрос');
    await eventually(async () => (await scene.told(thread)).length > 0, 10_000, 'no operator was asked for');
    expect(await scene.told(thread)).toEqual(['attention messenger']);
    expect(scene.said(customer)).toHaveLength(1);
  });

  it('is not in the dialog that the model gets', async () => {
    const customer = newCustomer();
    const { phone } = customer;
    scene.provider.on(`+${phone}`, refuse(400, 131_047));
    await scene.model.reply({ text: 'Это не дошло.', when: phone });
    const thread = await scene.write(customer, `Первый ${phone}`);
    await eventually(async () => (await scene.told(thread)).length > 0, 10_000, 'no operator was asked for');
    scene.provider.on(`+${phone}`, accept);
    await scene.write(customer, `Второй ${phone}`);
    const { body } = await scene.model.asked(`Второй ${phone}`);
    expect(JSON.stringify(body.messages)).toContain(`Первый ${phone}`);
    expect(JSON.stringify(body.messages)).not.toContain('Это не дошло.');
  });
});

describe('a model that writes Markdown', () => {
  it('is sent in the form that the messenger shows', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: '**Латте** стоит 900 тенге.', when: customer.phone });
    await scene.write(customer, `Почём латте? ${customer.phone}`);
    expect(await scene.untilSaid(customer, 1)).toEqual(['*Латте* стоит 900 тенге.']);
  });
});

describe('the metrics', () => {
  const metrics = async (): Promise<string> => (await Promise.all(scene.servers.map(metricsOf))).join('\n');

  it('count replies by their ends, requests to the model by their outcomes, and the time of these', async () => {
    const customer = newCustomer();
    await scene.write(customer, `Вопрос ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await eventually(
      async () => /^leadline_replies_total\{end="answered"\} [1-9]/m.test(await metrics()),
      5_000,
      'no answered reply was counted',
    );
    const told = await metrics();
    expect(told).toMatch(/^leadline_model_requests_total\{outcome="replied"\} [1-9]/m);
    expect(told).toMatch(/^leadline_model_seconds_total [0-9.]*[1-9]/m);
    expect(told).toMatch(/^leadline_tool_calls_total \d/m);
    expect(told).toMatch(/^leadline_reply_seconds_count [1-9]/m);
  });

  it('count messages by what their sending came to, requests to providers, and connections to the database', async () => {
    const customer = newCustomer();
    await scene.write(customer, `Вопрос ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await eventually(
      async () => /^leadline_messages_total\{status="sent"\} [1-9]/m.test(await metrics()),
      5_000,
      'no sent message was counted',
    );
    const told = await metrics();
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
