import { createHmac } from 'node:crypto';
import responses from '../../../../test/oracle/send-response-examples.json';
import {
  APP_SECRET,
  CLOUD,
  cloudBody,
  openSandboxScene,
  setSandboxScene,
} from '../../../../test/support/scenes/sandbox.scene';

const scene = setSandboxScene();

/** Every key of a JSON value, as paths. */
function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => keysOf(item, `${path}.${key}`));
}

const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: any };
  return {
    status: answer.status,
    code: error.code,
    subcode: error.error_subcode,
    details: error.error_data?.details,
  };
};

describe('an answer of the Cloud API stand-in', () => {
  it("has the shape of Meta's own examples", async () => {
    const answer = await scene.cloud(cloudBody('+77010000001'));
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as object;
    const known = new Set(Object.values(responses).flatMap((example) => keysOf(example)));
    expect(keysOf(body).filter((key) => !known.has(key))).toEqual(['.messages[].message_status']);
    expect(body).toMatchObject({
      messaging_product: 'whatsapp',
      contacts: [{ input: '+77010000001', wa_id: '77010000001' }],
      messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9+/]+=*$/), message_status: 'accepted' }],
    });
  });

  it.each([
    ['no token', {}, { status: 401, code: 104 }],
    ['a token that nobody has', { authorization: 'Bearer x' }, { status: 401, code: 190 }],
  ])('refuses %s', async (_what, headers, expected) => {
    expect(await errorOf(await scene.cloud(cloudBody('+77010000001'), headers))).toMatchObject(expected);
  });

  it('hides numbers that the token may not use', async () => {
    const answer = await fetch(`${scene.sandbox.url}/v26.0/999/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLOUD.token}` },
      body: '{}',
    });
    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 100, subcode: 33 });
  });

  const text = (value: string) => ({ type: 'text', text: value });
  it.each([
    [
      'no messaging_product',
      { to: '+77010000001', type: 'text', text: { body: 'x' } },
      { status: 400, code: 100 },
    ],
    ['an unknown type', cloudBody('+77010000001', { type: 'fax' }), { status: 400, code: 100 }],
    ['no phone', cloudBody('soon'), { status: 400, code: 131009 }],
    [
      'a text that is too long',
      { messaging_product: 'whatsapp', to: '+77010000001', type: 'text', text: { body: 'x'.repeat(4097) } },
      { status: 400, code: 131009 },
    ],
    [
      'a template in another language',
      cloudBody('+77010000001', { language: 'en' }),
      { status: 404, code: 132001, details: 'template name (visit_reminder) does not exist in en' },
    ],
    [
      'a template in moderation',
      cloudBody('+77010000001', { name: 'pending' }),
      { status: 404, code: 132001 },
    ],
    ['a paused template', cloudBody('+77010000001', { name: 'paused' }), { status: 400, code: 132015 }],
    ['a disabled template', cloudBody('+77010000001', { name: 'disabled' }), { status: 400, code: 132016 }],
    [
      'too few values',
      cloudBody('+77010000001', { components: [{ type: 'body', parameters: [text('a')] }] }),
      {
        status: 400,
        code: 132000,
        details: 'body: number of localizable_params (1) does not match the expected number of params (2)',
      },
    ],
    [
      'no value for a button',
      cloudBody('+77010000001', { components: [{ type: 'body', parameters: [text('a'), text('b')] }] }),
      { status: 400, code: 131008, details: 'buttons: Button at index 1 of type Url requires a parameter' },
    ],
    [
      'no file for a header',
      cloudBody('+77010000001', { name: 'picture' }),
      { status: 400, code: 132012, details: 'header: Format mismatch, expected IMAGE, received UNKNOWN' },
    ],
    [
      'a line break in a value',
      cloudBody('+77010000001', { components: [{ type: 'body', parameters: [text('a\nb'), text('b')] }] }),
      { status: 400, code: 132012 },
    ],
    [
      'a value without the name that the template wants',
      cloudBody('+77010000001', { name: 'named', components: [{ type: 'body', parameters: [text('a')] }] }),
      { status: 400, code: 100 },
    ],
    [
      'values with names for a template without',
      cloudBody('+77010000001', {
        components: [
          { type: 'body', parameters: ['a', 'b'].map((name) => ({ ...text(name), parameter_name: name })) },
        ],
      }),
      {
        status: 400,
        code: 132012,
        details: 'body: Format mismatch, expected POSITIONAL, received NAMED',
      },
    ],
  ])('refuses %s and sends nothing', async (_what, body, expected) => {
    const [last] = scene.sandbox.ledger.list().slice(-1);
    expect(await errorOf(await scene.cloud(body))).toMatchObject(expected);
    const [entry, ...more] = scene.sandbox.ledger.list({ since: last?.n ?? 0 });
    expect(more).toEqual([]);
    expect(entry?.outcome).toBe(`refused ${expected.code}`);
  });

  it('fills named variables in by name', async () => {
    const components = [
      { type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Айгуль' }] },
    ];
    const answer = await scene.cloud(cloudBody('+77010000002', { name: 'named', components }));
    expect(answer.status).toBe(200);
    expect(scene.sandbox.ledger.list({ phone: '+77010000002' })[0]?.text).toBe('Привет, Айгуль!');
  });
});

describe('after an accepted message', () => {
  it('the states sent, delivered and read are reported with the reference, signed over their very bytes', async () => {
    await scene.cloud(cloudBody('+77010000003', { biz_opaque_callback_data: 'ref-3' }));
    const { receiver } = scene;
    const statuses = await receiver.until(() => {
      const found = receiver.statuses('ref-3');
      return found.length === 3 && found;
    }, 'three states');
    expect(statuses.map(({ status }) => String(status))).toEqual(['sent', 'delivered', 'read']);
    expect(statuses[1]).toEqual({
      id: expect.stringMatching(/^wamid\./),
      status: 'delivered',
      timestamp: expect.stringMatching(/^\d{10}$/),
      recipient_id: '77010000003',
      recipient_user_id: expect.stringMatching(/^KZ\.\d{15}$/),
      biz_opaque_callback_data: 'ref-3',
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    });
    for (const { body, headers } of receiver.received.filter(({ path }) => path === '/cloud')) {
      const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
      expect(headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
      expect(body.every((byte) => byte < 0x80)).toBe(true);
    }
  });

  it('states of many messages share webhooks', async () => {
    const before = scene.receiver.received.length;
    const phones = Array.from({ length: 30 }, (_, index) => `+7701100${String(index).padStart(4, '0')}`);
    await Promise.all(
      phones.map((to) =>
        scene.cloud(cloudBody(to, { name: 'plain', biz_opaque_callback_data: `many-${to}` })),
      ),
    );
    await scene.receiver.until(
      () => phones.every((to) => scene.receiver.statuses(`many-${to}`).length === 3),
      'three states of each message',
    );
    expect(scene.receiver.received.length - before).toBeLessThan(45);
  });

  it('free text to whom has not written for a day fails later with 131047', async () => {
    const free = { messaging_product: 'whatsapp', to: '+77010000004', type: 'text', text: { body: 'Hi' } };
    const answer = await scene.cloud({ ...free, biz_opaque_callback_data: 'free-4' });
    expect(answer.status).toBe(200);
    const [failed] = await scene.receiver.until(() => {
      const found = scene.receiver.statuses('free-4');
      return found.length > 0 && found;
    }, 'a state');
    expect(failed).toMatchObject({
      status: 'failed',
      errors: [{ code: 131047, title: 'Re-engagement message' }],
    });
    expect(failed).not.toHaveProperty('recipient_user_id');
  });

  it('free text within a day of a message from the customer is delivered', async () => {
    scene.sandbox.customer.write({ sender: CLOUD.sender, phone: '+77010000005', text: 'Здравствуйте' });
    const free = { messaging_product: 'whatsapp', to: '+77010000005', type: 'text', text: { body: 'Hi' } };
    await scene.cloud({ ...free, biz_opaque_callback_data: 'free-5' });
    await scene.receiver.until(
      () => scene.receiver.statuses('free-5').some(({ status }) => status === 'delivered'),
      'delivered',
    );
  });

  it('a message to a user id reaches the phone behind it', async () => {
    const { customer } = scene.sandbox;
    customer.write({ sender: CLOUD.sender, phone: '+77010000006', text: 'Я', without_phone: true });
    const inbound = await scene.receiver.until(
      () => scene.receiver.changes().find(({ value }) => value.messages?.[0]?.text?.body === 'Я')?.value,
      'the message',
    );
    expect(inbound.messages[0]).not.toHaveProperty('from');
    const userId = inbound.messages[0].from_user_id as string;
    const answer = await scene.cloud({
      ...cloudBody('', { name: 'plain' }),
      to: undefined,
      recipient: userId,
    });
    const { contacts } = (await answer.json()) as { contacts: object[] };
    expect(contacts).toEqual([{ input: userId, user_id: userId }]);
    expect(scene.sandbox.ledger.list({ phone: '+77010000006' })[0]?.outcome).toBe('taken');
  });
});

it('free text outside the window is refused at once where that is asked for', async () => {
  const strict = await openSandboxScene({ windowRefusal: 'at once' });
  try {
    const free = { messaging_product: 'whatsapp', to: '+77010000004', type: 'text', text: { body: 'Hi' } };
    expect(await errorOf(await strict.cloud(free))).toMatchObject({ status: 400, code: 131047 });
  } finally {
    await strict.close();
  }
});
