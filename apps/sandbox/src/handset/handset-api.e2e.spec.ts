import { requestLiterally } from '../../../../test/support/clients/raw.request';
import { CLOUD, cloudBody, GUPSHUP, setSandboxScene } from '../../../../test/support/scenes/sandbox.scene';

const scene = setSandboxScene({ readAfterMs: null });

async function play(path: string, body: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${scene.sandbox.url}/handset/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const read = async (path: string): Promise<any> =>
  (await fetch(`${scene.sandbox.url}/handset/api/${path}`)).json();
const address = (phone: string) => ({ sender: CLOUD.sender, phone });
const chat = (phone: string): Promise<any> =>
  read(`chat?sender=${CLOUD.sender}&phone=${encodeURIComponent(phone)}`);

/** The change that carries a customer's message. */
const untilInbound = (id: string): Promise<any> =>
  scene.receiver.until(
    () => scene.receiver.changes().find(({ value }) => value.messages?.[0]?.id === id),
    'the webhook of the message',
  );

describe("a customer's message", () => {
  it("comes in Meta's form, with the name and both ids of the person", async () => {
    const { body } = await play('messages', { ...address('+77010000001'), name: 'Айгуль', text: 'СТОП' });
    const { field, value } = await untilInbound(body.id);
    const userId = value.contacts[0].user_id as string;
    expect(userId).toMatch(/^[A-Z]{2}\.[0-9A-Za-z]{1,128}$/);
    expect({ field, value }).toEqual({
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '77270000001', phone_number_id: CLOUD.sender },
        contacts: [{ profile: { name: 'Айгуль' }, wa_id: '77010000001', user_id: userId }],
        messages: [
          {
            from: '77010000001',
            from_user_id: userId,
            id: body.id,
            timestamp: expect.stringMatching(/^\d{10}$/),
            type: 'text',
            text: { body: 'СТОП' },
          },
        ],
      },
    });
  });

  it.each([
    [
      'an image',
      { image: { caption: 'Вот' } },
      { type: 'image', image: { caption: 'Вот', mime_type: 'image/jpeg' } },
    ],
    [
      'a place',
      { location: { latitude: 43.2, longitude: 76.9, name: 'Алматы' } },
      { type: 'location', location: { latitude: 43.2, longitude: 76.9, name: 'Алматы' } },
    ],
    [
      'a made-up button',
      { button: { text: 'Да', payload: 'YES' } },
      { type: 'button', button: { text: 'Да', payload: 'YES' } },
    ],
  ])('may be %s', async (_what, content, expected) => {
    const { body } = await play('messages', { ...address('+77010000002'), ...content });
    expect((await untilInbound(body.id)).value.messages[0]).toMatchObject(expected);
  });

  it("may be a tap on a template's button, which names the template, and a reaction to it", async () => {
    const answer = await scene.cloud(cloudBody('+77010000003'));
    const { messages } = (await answer.json()) as { messages: { id: string }[] };
    const sent = messages[0]?.id;
    const tap = await play('messages', {
      ...address('+77010000003'),
      button: { message_id: sent, index: 0 },
    });
    expect((await untilInbound(tap.body.id)).value.messages[0]).toMatchObject({
      type: 'button',
      button: { payload: 'Приду', text: 'Приду' },
      context: { from: '77270000001', id: sent },
    });
    const like = await play('messages', {
      ...address('+77010000003'),
      reaction: { message_id: sent, emoji: '👍' },
    });
    expect((await untilInbound(like.body.id)).value.messages[0]).toMatchObject({
      type: 'reaction',
      reaction: { message_id: sent, emoji: '👍' },
    });
    expect((await chat('+77010000003')).messages[0].reaction).toBe('👍');
  });

  it('may be anything that its provider has, of a customer with a username', async () => {
    const order = { catalog_id: '1', product_items: [{ product_retailer_id: 'latte', quantity: 2 }] };
    const { body } = await play('messages', {
      ...address('+77010000007'),
      ...{ username: 'aigul.kz', message: { type: 'order', order } },
    });
    const { contacts, messages } = (await untilInbound(body.id)).value;
    expect(contacts[0]).toMatchObject({ profile: { username: 'aigul.kz' } });
    expect(messages[0]).toMatchObject({ from: '77010000007', type: 'order', order });
    expect((await play('messages', { ...address('+77010000007'), message: { order } })).status).toBe(400);
  });

  it('may come from other digits than were dialled, and both lead to one customer', async () => {
    const { body } = await play('messages', {
      ...{ ...address('+22997123110'), text: 'Это я', wa_id: '2290197123110' },
    });
    expect((await untilInbound(body.id)).value).toMatchObject({
      contacts: [{ wa_id: '2290197123110' }],
      messages: [{ from: '2290197123110' }],
    });
    for (const phone of ['+22997123110', '+2290197123110']) {
      const answer = await scene.cloud(cloudBody(phone));
      const { contacts } = (await answer.json()) as { contacts: object[] };
      expect(contacts).toEqual([{ input: phone, wa_id: '2290197123110' }]);
    }
    expect((await chat('+22997123110')).messages).toHaveLength(3);
    expect((await play('messages', { ...address('+22997123110'), text: 'x', wa_id: 'x' })).status).toBe(400);
  });

  it('may be a tap on the button of a request for the phone, which proves the phone', async () => {
    const action = { name: 'request_contact_info' };
    const answer = await scene.cloud({
      ...{ messaging_product: 'whatsapp', to: '+77010000006', type: 'interactive' },
      interactive: { type: 'request_contact_info', body: { text: 'Ваш номер?' }, action },
    });
    const { messages } = (await answer.json()) as { messages: { id: string }[] };
    const tap = await play('messages', {
      ...address('+77010000006'),
      button: { message_id: messages[0]?.id, index: 0 },
    });
    expect((await untilInbound(tap.body.id)).value.messages[0]).toMatchObject({
      type: 'contacts',
      context: { id: messages[0]?.id },
      contacts: [
        {
          origin: 'contact_request',
          phones: [{ phone: '+77010000006', wa_id: '77010000006', type: 'CELL' }],
        },
      ],
    });
  });

  it.each([
    ['an unknown number', { sender: '9', phone: '+77010000001', text: 'x' }],
    ['another channel', { channel: 'waba', ...address('+77010000001'), text: 'x' }],
    ['no phone', { sender: CLOUD.sender, phone: 'x', text: 'x' }],
    ['nothing', address('+77010000001')],
    ['a button that is none', { ...address('+77010000001'), button: 'x' }],
    ['an unknown message', { ...address('+77010000001'), button: { message_id: 'x', index: 0 } }],
  ])('with %s is refused, and says why', async (_what, body) => {
    const { status, body: answer } = await play('messages', body);
    expect(status).toBe(400);
    expect(answer.error).toMatch(/\.$/);
  });
});

it("what is written in the phone's own app comes as an echo", async () => {
  const { body } = await play('echoes', { ...address('+77010000004'), text: 'Отвечу через час' });
  const change = await scene.receiver.until(
    () => scene.receiver.changes().find(({ field }) => field === 'smb_message_echoes'),
    'the echo',
  );
  expect(change.value.message_echoes).toEqual([
    expect.objectContaining({
      from: '77270000001',
      to: '77010000004',
      id: body.id,
      text: { body: 'Отвечу через час' },
    }),
  ]);
  expect((await play('echoes', { sender: GUPSHUP.sender, phone: '+77010000004', text: 'x' })).status).toBe(
    400,
  );
});

it('a call that nobody takes is reported when it ends', async () => {
  const { body } = await play('calls', address('+77010000014'));
  const change = await scene.receiver.until(
    () => scene.receiver.changes().find(({ field }) => field === 'calls'),
    'the call',
  );
  expect(change.value.calls).toEqual([
    expect.objectContaining({ id: body.id, from: '77010000014', event: 'terminate', status: 'FAILED' }),
  ]);
  expect((await play('calls', { sender: GUPSHUP.sender, phone: '+77010000014' })).status).toBe(400);
});

it('a conversation that another AI conducts is told of on standby, until the business writes', async () => {
  const party = address('+77010000016');
  const of = (field: string) => scene.receiver.changes().filter((change) => change.field === field);
  await play('handovers', { ...party, to: 'elsewhere' });
  // Each arrives on its own, in any order.
  await play('messages', { ...party, text: 'Есть доставка?' });
  await scene.receiver.until(() => of('standby').length === 1, 'the message on standby');
  await play('standby-echoes', { ...party, text: 'Да.' });
  await scene.receiver.until(() => of('standby').length === 2, 'both on standby');
  const control_taken = { previous_owner_role: 'escalation', new_owner_role: 'ai_agent' };
  expect(of('messaging_handovers')).toMatchObject([{ value: { type: 'control_taken', control_taken } }]);
  const message = { from: '77010000016', text: { body: 'Есть доставка?' } };
  const echo = { message: { to: '77010000016', text: { body: 'Да.' } } };
  expect(of('standby')).toMatchObject([
    { value: { standby: { messages: [message] } } },
    { value: { standby: { message_echoes: [echo] } } },
  ]);
  expect((await scene.cloud(cloudBody('+77010000016'))).status).toBe(200);
  await play('messages', { ...party, text: 'Спасибо' });
  await scene.receiver.until(
    () => of('messages').some(({ value }) => value.messages?.[0]?.text?.body === 'Спасибо'),
    'the message to the business',
  );
  expect((await play('standby-echoes', { ...party, text: 'Ещё' })).status).toBe(400);
  expect((await play('handovers', { ...party, to: 'them' })).status).toBe(400);
});

it('a customer who stops marketing is reported, and gets no marketing from then on', async () => {
  await play('preferences', { ...address('+77010000005'), value: 'stop' });
  const change = await scene.receiver.until(
    () => scene.receiver.changes().find(({ field }) => field === 'user_preferences'),
    'the preference',
  );
  expect(change.value.user_preferences).toEqual([
    expect.objectContaining({ wa_id: '77010000005', category: 'marketing_messages', value: 'stop' }),
  ]);
  await scene.cloud(cloudBody('+77010000005', { name: 'offer', biz_opaque_callback_data: 'offer-5' }));
  const [failed] = await scene.receiver.until(() => {
    const statuses = scene.receiver.statuses('offer-5');
    return statuses.length > 0 && statuses;
  }, 'a state');
  expect(failed?.errors[0].code).toBe(131050);
});

describe('an open chat', () => {
  it('shows new messages as they come, and they are read', async () => {
    const query = `sender=${CLOUD.sender}&phone=${encodeURIComponent('+77010000006')}`;
    const closed = new AbortController();
    const events = await fetch(`${scene.sandbox.url}/handset/events?${query}`, { signal: closed.signal });
    await scene.cloud(cloudBody('+77010000006', { biz_opaque_callback_data: 'open-6' }));
    let stream = '';
    for await (const chunk of events.body ?? []) {
      stream += Buffer.from(chunk as Uint8Array).toString('utf8');
      if (stream.includes('"state":"read"') && stream.includes('event: chats')) break;
    }
    closed.abort();
    expect(stream).toContain('event: message\ndata: {"id":"wamid.');
    expect(stream).toContain('Здравствуйте, Айгуль! Ждём вас завтра.');
    await scene.receiver.until(
      () => scene.receiver.statuses('open-6').some(({ status }) => status === 'read'),
      'read',
    );
  });

  it('reads what waited in it, and a closed one is not read', async () => {
    await scene.cloud(cloudBody('+77010000007', { biz_opaque_callback_data: 'wait-7' }));
    await scene.receiver.until(() => scene.receiver.statuses('wait-7').length === 2, 'delivered');
    expect((await chat('+77010000007')).unread).toBe(1);
    await play('read', address('+77010000007'));
    const statuses = await scene.receiver.until(() => {
      const found = scene.receiver.statuses('wait-7');
      return found.length === 3 && found;
    }, 'read');
    expect(statuses.map(({ status }) => String(status))).toEqual(['sent', 'delivered', 'read']);
    expect((await chat('+77010000007')).unread).toBe(0);
  });

  it('shows that the business has read, and types', async () => {
    const { body } = await play('messages', { ...address('+77010000008'), text: 'Есть кто?' });
    const query = `sender=${CLOUD.sender}&phone=${encodeURIComponent('+77010000008')}`;
    const closed = new AbortController();
    const events = await fetch(`${scene.sandbox.url}/handset/events?${query}`, { signal: closed.signal });
    const typing = {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: body.id,
      typing_indicator: { type: 'text' },
    };
    expect(await (await scene.cloud(typing)).json()).toEqual({ success: true });
    let stream = '';
    for await (const chunk of events.body ?? []) {
      stream += Buffer.from(chunk as Uint8Array).toString('utf8');
      if (stream.includes('event: typing')) break;
    }
    closed.abort();
    expect((await chat('+77010000008')).messages[0].state).toBe('read');
    expect(scene.sandbox.ledger.list({ phone: '+77010000008' })).toMatchObject([
      { type: 'typing', reference: body.id },
    ]);
  });

  it('of a message that is none cannot be marked as read', async () => {
    const answer = await scene.cloud({
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: 'wamid.x',
    });
    expect(answer.status).toBe(400);
  });
});

it('the list has all chats, newest first, found by phone and name', async () => {
  const phones = Array.from({ length: 40 }, (_, index) => `+77012${String(index).padStart(6, '0')}`);
  for (const phone of phones)
    scene.sandbox.customer.write({ ...address(phone), name: `N${phone}`, text: 'x' });
  const { total, chats } = await read(`chats?sender=${CLOUD.sender}&search=77012000`);
  expect(total).toBe(40);
  expect(chats[0].phone).toBe(phones.at(-1));
  expect((await read('chats?search=n%2B77012000023')).chats).toMatchObject([{ phone: '+77012000023' }]);
});

it('a page that was led to this machine by another name plays no customer, and reads nothing', async () => {
  const body = JSON.stringify({ ...address('+77013000001'), text: 'not theirs' });
  const statusOf = async (Host: string): Promise<number> =>
    (
      await requestLiterally(scene.sandbox.url, {
        path: '/handset/api/messages',
        headers: { Host, 'content-type': 'application/json' },
        body,
      })
    ).status;
  for (const foreign of [
    'evil.example',
    'evil.example:3100',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ])
    expect([foreign, await statusOf(foreign)]).toEqual([foreign, 403]);
  expect((await read('chats?search=77013000001')).total).toBe(0);
  for (const own of ['localhost', 'LOCALHOST:3100', '127.0.0.1:3100', '[::1]:3100'])
    expect([own, await statusOf(own)]).toEqual([own, 200]);
});
