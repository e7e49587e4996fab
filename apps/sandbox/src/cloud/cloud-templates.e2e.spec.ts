import { CLOUD, cloudBody, setSandboxScene } from '../../../../test/support/scenes/sandbox.scene';

// Long enough that a template in moderation can be looked at.
const scene = setSandboxScene({ moderationMs: 500 });

async function graph(path: string, body?: object): Promise<{ status: number; body: any }> {
  const url = path.startsWith('http') ? path : `${scene.sandbox.url}/v26.0/${path}`;
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${CLOUD.token}` },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const LIST = `${CLOUD.businessId}/message_templates`;
const body = (text: string, ...examples: string[]) => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}),
});
const template = (name: string, extra: object = {}) => ({
  name,
  language: 'ru',
  category: 'UTILITY',
  components: [body('Привет, {{1}}, ждём вас', 'Аида')],
  ...extra,
});

describe('templates at the Cloud API stand-in', () => {
  it('are listed page by page, the last without next', async () => {
    const names: string[] = [];
    let next: string | undefined = `${LIST}?limit=3`;
    for (let pages = 0; next !== undefined && pages < 10; pages += 1) {
      const page: { body: any } = await graph(next);
      for (const { name } of page.body.data as { name: string }[]) names.push(name);
      next = page.body.paging.next;
    }
    expect(next).toBeUndefined();
    expect(names).toEqual([
      'visit_reminder',
      'plain',
      'offer',
      'picture',
      'named',
      'paused',
      'disabled',
      'pending',
    ]);
  });

  it('are filtered, and shown as Meta shows them', async () => {
    const { body: list } = await graph(`${LIST}?name=visit_reminder&status=APPROVED`);
    expect(list.data).toEqual([
      {
        id: '1001',
        name: 'visit_reminder',
        language: 'ru',
        status: 'APPROVED',
        category: 'UTILITY',
        parameter_format: 'POSITIONAL',
        components: [
          { type: 'HEADER', format: 'TEXT', text: 'Запись' },
          { type: 'BODY', text: 'Здравствуйте, {{1}}! Ждём вас {{2}}.' },
          { type: 'FOOTER', text: 'Клиника «Аврора»' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'Приду' },
              { type: 'URL', text: 'Карта', url: 'https://example.com/{{1}}' },
            ],
          },
        ],
      },
    ]);
  });

  it.each([
    ['welcome', 'APPROVED', 'NONE'],
    ['welcome_reject', 'REJECTED', 'INVALID_FORMAT'],
  ])('%s goes through moderation, which ends by a webhook: %s', async (name, event, reason) => {
    const created = await graph(LIST, template(name));
    expect(created).toEqual({
      status: 200,
      body: { id: expect.stringMatching(/^\d+$/), status: 'PENDING', category: 'UTILITY' },
    });
    const { id } = created.body;
    const change = await scene.receiver.until(
      () => scene.receiver.changes().find(({ value }) => value.message_template_id === Number(id)),
      'the end of moderation',
    );
    expect(change).toEqual({
      field: 'message_template_status_update',
      value: {
        event,
        reason,
        message_template_id: Number(id),
        message_template_name: name,
        message_template_language: 'ru',
        message_template_category: 'UTILITY',
      },
    });
    expect((await graph(`${id}?fields=status,rejected_reason`)).body).toEqual({
      id,
      status: event,
      rejected_reason: reason,
    });
  });

  it.each([
    ['a name in capitals', template('Welcome'), undefined],
    ['an unknown language', template('a', { language: 'russian' }), undefined],
    ['an unknown category', template('a', { category: 'NEWS' }), undefined],
    ['no body', template('a', { components: [] }), 2388043],
    ['no samples', template('a', { components: [body('Да, {{1}}, да')] }), 2388043],
    ['a variable at the end', template('a', { components: [body('Да, {{1}}', 'x')] }), 2388299],
    ['a body that is too long', template('a', { components: [body('x'.repeat(1025))] }), 2388040],
    ['a name that exists in this language', template('visit_reminder'), 2388024],
  ])('%s is refused', async (_what, given, subcode) => {
    const { status, body: answer } = await graph(LIST, given);
    expect(status).toBe(400);
    expect([answer.error.code, answer.error.error_subcode]).toEqual([100, subcode]);
  });

  const OTP = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] };
  const code = (name: string, ...components: object[]) =>
    template(name, { category: 'AUTHENTICATION', components });

  it.each([
    ['with a text', code('a', body('Ваш код: {{1}}, он один', '1'), OTP), 2388072],
    ['with a footer of its own', code('a', { type: 'BODY' }, { type: 'FOOTER', text: 'x' }, OTP), 2388073],
    [
      'with 91 minutes',
      code('a', { type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, OTP),
      2388073,
    ],
    ['with a header', code('a', { type: 'HEADER', format: 'IMAGE' }, { type: 'BODY' }, OTP), 2388047],
    ['without its button', code('a', { type: 'BODY' }), 2388043],
  ])('one of a one-time code %s is refused', async (_what, given, subcode) => {
    const { status, body: answer } = await graph(LIST, given);
    expect([status, answer.error.code, answer.error.error_subcode]).toEqual([400, 100, subcode]);
  });

  it('one of a one-time code has WhatsApp’s words, and is sent with the code in the text and in the button', async () => {
    const given = code(
      'sign_in',
      { type: 'body', add_security_recommendation: true },
      { type: 'footer', code_expiration_minutes: 5 },
      OTP,
    );
    const { id } = (await graph(LIST, given)).body;
    await verdicts(id, 'APPROVED');
    expect((await graph(id)).body).toMatchObject({
      category: 'AUTHENTICATION',
      components: [
        {
          text: '*{{1}}* is your verification code. For your security, do not share this code.',
          add_security_recommendation: true,
        },
        { text: 'This code expires in 5 minutes.', code_expiration_minutes: 5 },
        { buttons: [{ type: 'URL', url: expect.stringContaining('otp_type=COPY_CODE') as unknown }] },
      ],
    });
    const send = async (...components: object[]) => {
      const answer = await scene.cloud(cloudBody('+77010000001', { name: 'sign_in', components }));
      return [answer.status, ((await answer.json()) as { error?: { code: number } }).error?.code];
    };
    const parameters = [{ type: 'text', text: '482913' }];
    const button = { type: 'button', sub_type: 'url', index: '0', parameters };
    expect(await send({ type: 'body', parameters })).toEqual([400, 131008]);
    expect(await send(button)).toEqual([400, 132000]);
    expect(await send({ type: 'body', parameters }, button)).toEqual([200, undefined]);
  });

  const events = (id: string): string[] =>
    scene.receiver
      .changes()
      .filter(({ value }) => value.message_template_id === Number(id))
      .map(({ value }) => value.event as string);
  const verdicts = (id: string, ...told: string[]) =>
    scene.receiver.until(() => events(id).length >= told.length && events(id), told.join(', '));

  it('a rejected one is edited, goes back to moderation, and is judged by its new words', async () => {
    const { id } = (await graph(LIST, template('mended_reject'))).body;
    expect(await verdicts(id, 'REJECTED')).toEqual(['REJECTED']);
    const worse = { components: [body('Да, reject, да')] };
    expect(await graph(id, worse)).toEqual({ status: 200, body: { success: true } });
    expect((await graph(`${id}?fields=status`)).body).toEqual({ id, status: 'PENDING' });
    expect(await verdicts(id, 'REJECTED', 'REJECTED')).toEqual(['REJECTED', 'REJECTED']);
    await graph(id, {
      category: 'MARKETING',
      components: [body('Добрый день, {{1}}, ждём вас', 'Аида'), { type: 'FOOTER', text: 'Клиника' }],
    });
    expect((await verdicts(id, 'REJECTED', 'REJECTED', 'APPROVED')).at(-1)).toBe('APPROVED');
    expect((await graph(id)).body).toMatchObject({
      name: 'mended_reject',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Добрый день, {{1}}, ждём вас' },
        { type: 'FOOTER', text: 'Клиника' },
      ],
    });
    const ledger = (await (await fetch(`${scene.sandbox.url}/sandbox/ledger`)).json()) as { type: string }[];
    expect(ledger.filter(({ type }) => type === 'edit-template')).toMatchObject([
      { template: 'mended_reject', text: 'Да, reject, да', outcome: 'taken' },
      { template: 'mended_reject', text: 'Добрый день, {{1}}, ждём вас' },
    ]);
  });

  it.each([
    ['a pending one', '1008', { category: 'UTILITY' }, undefined],
    ['a disabled one', '1007', { category: 'UTILITY' }, undefined],
    ['one that is not there', '999', { category: 'UTILITY' }, 33],
    ['nothing of one', '1005', {}, 2388043],
    ['the components of one, without a body', '1005', { components: [] }, 2388043],
  ])('to edit %s is refused', async (_what, id, given, subcode) => {
    const { status, body: answer } = await graph(id, given);
    expect([status, answer.error.code, answer.error.error_subcode]).toEqual([400, 100, subcode]);
  });

  it('an approved one is edited once in 24 hours, a paused one at any time', async () => {
    const statuses: number[] = [];
    for (const id of ['1002', '1002', '1006']) {
      const edited = await graph(id, { category: 'MARKETING' });
      statuses.push(edited.status);
      if (edited.status === 200) await verdicts(id, 'APPROVED');
    }
    expect(statuses).toEqual([200, 400, 200]);
  });

  it('one can be paused by hand: that is reported, and sends are refused', async () => {
    await fetch(`${scene.sandbox.url}/sandbox/templates/1003`, {
      method: 'POST',
      body: JSON.stringify({ status: 'paused' }),
    });
    await scene.receiver.until(
      () =>
        scene.receiver
          .changes()
          .some(({ value }) => value.message_template_id === 1003 && value.event === 'PAUSED'),
      'PAUSED',
    );
    expect((await scene.cloud(cloudBody('+77010000001', { name: 'offer' }))).status).toBe(400);
  });

  it('the number can be asked for', async () => {
    expect((await graph(CLOUD.sender)).body).toMatchObject({
      id: CLOUD.sender,
      display_phone_number: CLOUD.displayPhone,
    });
  });

  it('the numbers of its business account can be asked for, by who may see them', async () => {
    const { body: listed } = await graph(`${CLOUD.businessId}/phone_numbers?fields=id,display_phone_number`);
    expect(listed.data).toEqual([{ id: CLOUD.sender, display_phone_number: CLOUD.displayPhone }]);
    expect((await graph('900000000000009/phone_numbers')).status).toBe(400);
    const url = `${scene.sandbox.url}/v25.0/${CLOUD.businessId}/phone_numbers`;
    const falsely = await fetch(url, { headers: { authorization: 'Bearer a-false-token' } });
    expect([falsely.status, await falsely.json()]).toMatchObject([401, { error: { code: 190 } }]);
  });

  it("another business's templates are not there", async () => {
    const { status, body: answer } = await graph('123/message_templates');
    expect([status, answer.error.code, answer.error.error_subcode]).toEqual([400, 100, 33]);
  });
});
