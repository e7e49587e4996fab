import {
  GUPSHUP,
  GUPSHUP_PAUSED,
  GUPSHUP_PLAIN,
  GUPSHUP_TEMPLATE,
  gupshupForm,
  setSandboxScene,
} from '../../../../test/support/scenes/sandbox.scene';

const scene = setSandboxScene();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const STATES = ['enqueued', 'sent', 'delivered', 'read'];
const rankOf = ({ payload }: any): number => STATES.indexOf(payload.type as string);

/** The four events of a message that is read, in the order of its states: webhooks are sent several at once. */
const untilRead = async (destination: string): Promise<any[]> =>
  (
    await scene.receiver.until(() => {
      const events = scene.receiver.events(destination);
      return events.length === STATES.length && [...events];
    }, `all events of ${destination}`)
  ).sort((one, other) => rankOf(one) - rankOf(other));

/** The events of a destination up to the given type. */
const untilEvent = (destination: string, type: string): Promise<any[]> =>
  scene.receiver.until(() => {
    const events = scene.receiver.events(destination);
    return events.some(({ payload }) => payload.type === type) && events;
  }, `${type} of ${destination}`);

it('the profile of an app names its number, to who has its key', async () => {
  const profile = (appId: string, apikey: string) =>
    fetch(`${scene.sandbox.url}/wa/app/${appId}/business/profile`, { headers: { apikey } });
  const found = await profile(GUPSHUP.appId, GUPSHUP.token);
  expect(await found.json()).toMatchObject({ status: 'success', phoneNumber: GUPSHUP.sender });
  expect((await profile(GUPSHUP.appId, 'a-false-key')).status).toBe(401);
  expect((await profile('another-app', GUPSHUP.token)).status).toBe(400);
});

describe('a send to the Gupshup stand-in', () => {
  it('is submitted, and each event holds its id where Gupshup puts it', async () => {
    const answer = await scene.gupshup(
      'template/msg',
      gupshupForm('77020000001', GUPSHUP_TEMPLATE, ['Аида', 'завтра', 'm']),
    );
    expect(answer.status).toBe(202);
    const { status, messageId } = (await answer.json()) as Record<string, string>;
    expect(status).toBe('submitted');
    expect(messageId).toMatch(UUID);
    const events = await untilRead('77020000001');
    const whatsappId = events[0].payload.payload.whatsappMessageId as string;
    expect(events.map(({ payload: { id, gsId, type } }) => ({ id, gsId, type }))).toEqual([
      { type: 'enqueued', id: messageId, gsId: undefined },
      ...['sent', 'delivered', 'read'].map((type) => ({ type, id: whatsappId, gsId: messageId })),
    ]);
    expect(events[1]).toEqual({
      app: GUPSHUP.appName,
      timestamp: expect.any(Number),
      version: 2,
      type: 'message-event',
      payload: {
        id: whatsappId,
        gsId: messageId,
        type: 'sent',
        destination: '77020000001',
        payload: { ts: expect.any(Number) },
        pricing: { policy: 'PMP', category: 'utility', type: 'regular' },
      },
    });
    const [webhook] = scene.receiver.received;
    expect(webhook?.path).toBe('/gupshup?token=x');
    expect(webhook?.headers).not.toHaveProperty('x-hub-signature-256');
    expect(scene.sandbox.ledger.list({ phone: '+77020000001' })[0]).toMatchObject({
      template: 'visit_reminder',
      text: 'Здравствуйте, Аида! Ждём вас завтра.',
    });
  });

  it.each([
    ['no key', {}, 401, { status: 'error', message: 'Authentication Failed' }],
    ['an unknown key', { apikey: 'x' }, 401, 'Portal User Not Found With APIKey'],
  ])('is refused with %s', async (_what, headers, status, body) => {
    const url = `${scene.sandbox.url}/wa/api/v1/template/msg`;
    const answer = await fetch(url, { method: 'POST', headers: headers as Record<string, string> });
    expect(answer.status).toBe(status);
    const text = await answer.text();
    expect(typeof body === 'string' ? text : JSON.parse(text)).toEqual(body);
  });

  it.each([
    ['another app', { 'src.name': 'OtherApp' }, 'Invalid App Details'],
    ['another number', { source: '70000000000' }, 'Invalid App Details'],
    ['a plus', { destination: '+77020000002' }, 'Invalid Destination'],
    ['no destination', { destination: '' }, 'Invalid Destination'],
    ['a template that is no JSON', { template: 'x' }, 'Invalid template'],
  ])('is refused with %s', async (_what, form, message) => {
    const answer = await scene.gupshup('template/msg', { ...gupshupForm('77020000002'), ...form });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ status: 'error', message });
    expect(scene.sandbox.ledger.counts().phones['+77020000002']?.taken ?? 0).toBe(0);
  });

  it.each([
    ['an unknown template', '00000000-0000-4000-8000-000000000000', [], 132001, '77020000003'],
    ['too few values', GUPSHUP_TEMPLATE, ['a'], 132000, '77020000004'],
    ['too many values', GUPSHUP_PLAIN, ['a'], 132000, '77020000005'],
  ])('with %s is accepted, then failed by Meta', async (_what, id, params, code, destination) => {
    const answer = await scene.gupshup('template/msg', gupshupForm(destination, id, params));
    const { messageId } = (await answer.json()) as { messageId: string };
    const [event] = await untilEvent(destination, 'failed');
    expect(event.payload).toMatchObject({ gsId: messageId, payload: { code, reason: expect.any(String) } });
    expect(event.payload.id).not.toBe(messageId);
  });

  it('of a paused template fails at Gupshup itself: the id is in `id`', async () => {
    const answer = await scene.gupshup('template/msg', gupshupForm('77020000006', GUPSHUP_PAUSED));
    const { messageId } = (await answer.json()) as { messageId: string };
    const [event] = await untilEvent('77020000006', 'failed');
    expect(event.payload).toMatchObject({ id: messageId, payload: { code: 4005 } });
    expect(event.payload).not.toHaveProperty('gsId');
  });

  it('of free text outside the 24 hours is accepted, then failed with 131047', async () => {
    const message = JSON.stringify({ type: 'text', text: 'Hi' });
    const answer = await scene.gupshup('msg', { destination: '77020000007', message });
    expect(answer.status).toBe(200);
    const [event] = await untilEvent('77020000007', 'failed');
    expect(event.payload.payload.code).toBe(131047);
  });

  it('of free text within the 24 hours is delivered', async () => {
    scene.sandbox.customer.write({ sender: GUPSHUP.sender, phone: '+77020000008', text: 'Здравствуйте' });
    const message = JSON.stringify({ type: 'text', text: 'Hi' });
    await scene.gupshup('msg', { destination: '77020000008', message });
    await untilEvent('77020000008', 'delivered');
  });
});

describe("a customer's message at the Gupshup stand-in", () => {
  const untilInbound = (phone: string): Promise<any> =>
    scene.receiver.until(
      () =>
        scene.receiver.bodies().find(({ type, payload }) => type === 'message' && payload.source === phone),
      `a message of ${phone}`,
    );

  it('comes as a message event', async () => {
    const { id } = scene.sandbox.customer.write({
      sender: GUPSHUP.sender,
      phone: '+77020000010',
      name: 'Аида',
      text: 'СТОП',
    });
    expect(await untilInbound('77020000010')).toMatchObject({
      app: GUPSHUP.appName,
      version: 2,
      payload: {
        id,
        type: 'text',
        payload: { text: 'СТОП' },
        sender: { phone: '77020000010', name: 'Аида', country_code: '7', dial_code: '7020000010' },
      },
    });
  });

  it('as a tap on a template names the template by both ids, and gives the postback', async () => {
    const { customer } = scene.sandbox;
    const form = gupshupForm('77020000011', GUPSHUP_TEMPLATE, ['a', 'b', 'm']);
    const postbackTexts = JSON.stringify([{ index: 0, text: 'CONFIRM:41' }]);
    const answer = await scene.gupshup('template/msg', { ...form, postbackTexts });
    const { messageId } = (await answer.json()) as { messageId: string };
    const address = { sender: GUPSHUP.sender, phone: '+77020000011' };
    const [sent] = customer.chatOf(address).messages;
    customer.write({ ...address, button: { message_id: sent?.id ?? '', index: 0 } });
    expect((await untilInbound('77020000011')).payload).toMatchObject({
      type: 'quick_reply',
      payload: { text: 'Приду', type: 'button', postbackText: 'CONFIRM:41' },
      context: { id: sent?.id, gsId: messageId },
    });
  });

  it('is marked as read', async () => {
    const address = { sender: GUPSHUP.sender, phone: '+77020000012' };
    const { id } = scene.sandbox.customer.write({ ...address, text: 'Здравствуйте' });
    const url = `${scene.sandbox.url}/wa/app/${GUPSHUP.appId}/msg/${encodeURIComponent(id)}/read`;
    const answer = await fetch(url, { method: 'PUT', headers: { apikey: GUPSHUP.token } });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    expect(scene.sandbox.customer.chatOf(address).messages[0]?.state).toBe('read');
  });
});

describe('templates at the Gupshup stand-in', () => {
  const templates = (query = '', init: RequestInit = {}) =>
    fetch(`${scene.sandbox.url}/wa/app/${GUPSHUP.appId}/template${query}`, {
      ...init,
      headers: { apikey: GUPSHUP.token },
    });

  it('are listed with their content as JSON in a text, page by page', async () => {
    const { templates: all } = (await (await templates()).json()) as { templates: any[] };
    const first = all.find(({ id }) => id === GUPSHUP_TEMPLATE);
    expect(first).toMatchObject({
      elementName: 'visit_reminder',
      languageCode: 'ru',
      status: 'APPROVED',
      templateType: 'TEXT',
    });
    expect(JSON.parse(first.containerMeta)).toMatchObject({
      data: 'Здравствуйте, {{1}}! Ждём вас {{2}}.',
      footer: 'Клиника «Аврора»',
      buttons: [{ type: 'QUICK_REPLY', text: 'Приду' }, { type: 'URL' }],
    });
    const second = (await (await templates('?pageNo=1&pageSize=2')).json()) as { templates: any[] };
    expect(second.templates).toEqual(all.slice(2, 4));
  });

  it.each([
    ['greeting', 'approved'],
    ['greeting_reject', 'rejected'],
  ])('%s goes through moderation, which ends by an event: %s', async (elementName, status) => {
    const form = {
      elementName,
      languageCode: 'ru',
      category: 'UTILITY',
      content: 'Привет, {{1}}, ждём',
      example: 'Привет, Аида, ждём',
    };
    const created = (await (
      await templates('', { method: 'POST', body: new URLSearchParams(form) })
    ).json()) as { status: string; template: { id: string; status: string } };
    expect(created).toMatchObject({ status: 'success', template: { status: 'PENDING' } });
    const { id } = created.template;
    const event = await scene.receiver.until(
      () =>
        scene.receiver.bodies().find(({ type, payload }) => type === 'template-event' && payload.id === id),
      'the event of moderation',
    );
    expect(event.payload).toMatchObject({ type: 'status-update', status, elementName, languageCode: 'ru' });
    const one = (await (await templates(`/${id}`)).json()) as { template: { status: string } };
    expect(one.template.status).toBe(status.toUpperCase());
  });

  const edit = (id: string, form: Record<string, string>) =>
    templates(`s/${id}`, { method: 'PUT', body: new URLSearchParams(form) });
  const CONTENT = { category: 'MARKETING', content: 'Добрый день, {{1}}!', example: 'Добрый день, Аида!' };

  it('are edited, go back to moderation, and are judged by their new words', async () => {
    const edited = await edit(GUPSHUP_PLAIN, { ...CONTENT, footer: 'Клиника' });
    expect([edited.status, await edited.json()]).toEqual([200, { status: 'success' }]);
    await scene.receiver.until(
      () => scene.receiver.bodies().some(({ payload }) => payload.id === GUPSHUP_PLAIN),
      'the event of moderation',
    );
    const { template } = (await (await templates(`/${GUPSHUP_PLAIN}`)).json()) as { template: any };
    expect(template).toMatchObject({ elementName: 'plain', category: 'MARKETING', status: 'APPROVED' });
    expect(JSON.parse(template.containerMeta)).toMatchObject({ data: CONTENT.content, footer: 'Клиника' });
    const ledger = (await (await fetch(`${scene.sandbox.url}/sandbox/ledger`)).json()) as { type: string }[];
    expect(ledger.filter(({ type }) => type === 'edit-template')).toMatchObject([{ template: 'plain' }]);
  });

  it.each([
    ['one that is not there', '3f0c1d52-0000-4a11-8c11-7f2d1b2c0099', CONTENT, 404],
    ['one without words', GUPSHUP_TEMPLATE, { category: 'UTILITY' }, 400],
    ['an approved one twice on a day', GUPSHUP_PLAIN, CONTENT, 400],
  ])('to edit %s is refused', async (_what, id, form, status) => {
    const answer = await edit(id, form);
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { status: 'error', message: expect.any(String) },
    ]);
  });
});
