import type { AddressChange, ProviderEvent, WebhookItem } from '@app/domain/webhooks/provider-events';
import { CloudWebhookReader } from './cloud-webhook-reader';

const reader = new CloudWebhookReader();
const METADATA = { display_phone_number: '77270000000', phone_number_id: '100000000000001' };
const CONTACT = { profile: { name: 'Айгуль' }, wa_id: '77010000001', user_id: 'KZ.134912086553027' };
const AIGUL = { phone: '+77010000001', userId: 'KZ.134912086553027', waId: '77010000001', name: 'Айгуль' };
const AT = new Date('2025-10-09T08:53:20.000Z');

const read = (body: unknown): WebhookItem[] => reader.read(Buffer.from(JSON.stringify(body)));
const readField = (field: string, value: object, time?: number): WebhookItem[] =>
  read({
    object: 'whatsapp_business_account',
    entry: [{ id: '900000000000001', time, changes: [{ field, value }] }],
  });

type Read = Record<string, any>;

/** The events of a field's value. Fails when there is anything else. */
const eventsOf = (field: string, value: object, time?: number): Read[] =>
  readField(field, { metadata: METADATA, ...value }, time).map((item) => {
    expect(item).toHaveProperty('event');
    return (item as { event: ProviderEvent }).event;
  });

const firstOf = (field: string, value: object): Read => eventsOf(field, value)[0] ?? {};

const message = (given: object): object => ({
  from: '77010000001',
  from_user_id: 'KZ.134912086553027',
  id: 'wamid.IN1',
  timestamp: '1760000000',
  ...given,
});
const bodyOf = (given: object): Read => {
  return firstOf('messages', { contacts: [CONTACT], messages: [message(given)] }).body as Read;
};
const TEXT = { type: 'text', text: { body: 'СТОП' } };
const ignoredOf = (field: string, value: object): string[] =>
  readField(field, { metadata: METADATA, ...value }).map((item) =>
    'ignored' in item ? item.ignored : 'not ignored',
  );
it('an entry that does not say whose it is tells nothing, but what its change says for itself', () => {
  const waba_info = { waba_id: '77', owner_business_id: '78' };
  const changes = [
    { field: 'messages', value: { waba_info, metadata: METADATA, messages: [message(TEXT)] } },
    { field: 'account_update', value: { metadata: METADATA, event: 'PARTNER_REMOVED' } },
    { field: 'account_update', value: { metadata: METADATA, event: 'PARTNER_REMOVED', waba_info } },
    { field: 'account_update', value: { metadata: METADATA, waba_info } },
  ];
  const reason = '"id" of its entry is missing or is no id';
  const raw = expect.any(String) as string;
  for (const id of [undefined, null, '', {}])
    expect([id, read({ object: 'whatsapp_business_account', entry: [{ id, changes }] })]).toEqual([
      id,
      [
        { path: 'entry[0].changes[0]', reason, raw },
        { path: 'entry[0].changes[1]', reason, raw },
        {
          path: 'entry[0].changes[2].value',
          businessId: '77',
          event: expect.objectContaining({
            kind: 'account',
            number: METADATA.phone_number_id,
            businessId: '77',
          }),
        },
        { path: 'entry[0].changes[3]', reason: '"event" is missing', raw },
      ],
    ]);
});

describe('a message of a customer', () => {
  it('is read with its number, sender, own time and text', () => {
    expect(eventsOf('messages', { contacts: [CONTACT], messages: [message(TEXT)] })).toEqual([
      {
        kind: 'message',
        number: '100000000000001',
        from: AIGUL,
        messageId: 'wamid.IN1',
        sentAt: AT,
        body: { type: 'text', text: 'СТОП', content: {}, words: ['СТОП'] },
      },
    ]);
  });

  it('names a customer who hides the number by the user id alone', () => {
    const contacts = [{ profile: { name: 'A', username: 'a' }, user_id: 'KZ.1' }];
    const event = firstOf('messages', {
      contacts,
      messages: [message({ ...TEXT, from: undefined, from_user_id: 'KZ.1' })],
    });
    expect(event.from).toEqual({ phone: null, userId: 'KZ.1', waId: null, name: 'A', username: 'a' });
  });

  it('takes from the contacts only the one who wrote it', () => {
    const contacts = [CONTACT, { profile: { name: 'Other' }, wa_id: '77010000002', user_id: 'KZ.2' }];
    const from = (given: object) =>
      firstOf('messages', { contacts, messages: [message({ ...TEXT, ...given })] }).from as Read;
    expect(from({ from: '77010000002', from_user_id: undefined })).toMatchObject({
      name: 'Other',
      userId: 'KZ.2',
    });
    expect(from({ from: undefined })).toMatchObject({ name: 'Айгуль', phone: '+77010000001' });
    expect(from({ from: '77010000003', from_user_id: 'KZ.3' })).toMatchObject({ name: null, userId: 'KZ.3' });
  });

  it.each([
    ['seconds as text', '1760000000'],
    ['seconds', 1760000000],
    ['milliseconds', 1760000000000],
    ['milliseconds as text', '1760000000000'],
  ])('has a time in %s', (_, timestamp) => {
    expect(firstOf('messages', { messages: [message({ ...TEXT, timestamp })] }).sentAt).toEqual(AT);
  });

  it.each([undefined, null, '', 'soon', -1, 0, 1e300, {}])('has no time where it says %j', (timestamp) => {
    expect(firstOf('messages', { messages: [message({ ...TEXT, timestamp })] }).sentAt).toBeNull();
  });

  it.each([
    ['12345', null],
    ['1234567890123456', null],
    ['0770100000', null],
    ['abcdefgh', null],
    ['77010000009', '+77010000009'],
    ['+77010000009', '+77010000009'],
    ['+7 (701) 000-00-09', '+77010000009'],
    [77010000009, '+77010000009'],
  ])('of the number %j is of %j', (from, phone) => {
    expect(firstOf('messages', { messages: [message({ ...TEXT, from })] }).from.phone).toBe(phone);
  });

  it('keeps what it replies to, whether it was forwarded, and the product and ad it is about', () => {
    const { content } = bodyOf({
      ...TEXT,
      context: {
        from: '77270000000',
        id: 'wamid.OUT1',
        frequently_forwarded: true,
        referred_product: { catalog_id: '5', product_retailer_id: 'sku-1' },
      },
      referral: {
        source_type: 'ad',
        source_id: '7',
        source_url: 'https://fb.me/x',
        headline: 'Coffee',
        ctwa_clid: 'c',
      },
    });
    expect(content).toEqual({
      replies_to: 'wamid.OUT1',
      forwarded: true,
      referred_product: { catalog_id: '5', product_retailer_id: 'sku-1' },
      referral: {
        source_type: 'ad',
        source_id: '7',
        source_url: 'https://fb.me/x',
        headline: 'Coffee',
        ctwa_clid: 'c',
      },
    });
  });

  it.each(['image', 'video', 'document', 'audio', 'sticker'])(
    'of type %s is a reference with its caption',
    (type) => {
      const file = { id: '55', mime_type: 'a/b', sha256: 'q+/=', caption: 'Это чек', filename: 'чек.pdf' };
      expect(bodyOf({ type, [type]: { ...file, url: 'https://x.test/55', voice: true } })).toEqual({
        type,
        text: 'Это чек',
        content: {
          media: {
            id: '55',
            mime_type: 'a/b',
            sha256: 'q+/=',
            filename: 'чек.pdf',
            url: 'https://x.test/55',
            voice: true,
          },
        },
        words: ['Это чек'],
      });
    },
  );

  it('has no link to a file but by http or https', () => {
    const { content } = bodyOf({ type: 'image', image: { id: '55', url: 'javascript:alert(1)' } });
    expect(content).toEqual({ media: { id: '55' } });
  });

  it('of a voice message is audio', () => {
    expect(bodyOf({ type: 'voice', voice: { id: '55' } })).toMatchObject({
      type: 'audio',
      content: { media: { voice: true } },
    });
  });

  it('of a location has its coordinates', () => {
    const location = {
      latitude: 43.2,
      longitude: '76.9',
      name: 'Office',
      address: 'Abay 1',
      url: 'https://m.test',
    };
    expect(bodyOf({ type: 'location', location })).toEqual({
      type: 'location',
      text: '',
      content: { location: { ...location, longitude: 76.9 } },
      words: [],
    });
  });

  it('of contacts has names and phones', () => {
    const contacts = [
      {
        name: { formatted_name: 'Бек' },
        phones: [{ phone: '+7 701', wa_id: '7701', type: 'CELL' }],
        origin: 'other',
      },
    ];
    expect(bodyOf({ type: 'contacts', contacts }).content).toEqual({
      contacts: [
        { name: 'Бек', phones: [{ phone: '+7 701', wa_id: '7701', type: 'CELL' }], origin: 'other' },
      ],
    });
  });

  it('of a reaction has the emoji, or that it was taken back', () => {
    const reaction = { message_id: 'wamid.OUT1', emoji: '👍' };
    expect(bodyOf({ type: 'reaction', reaction })).toEqual({
      type: 'reaction',
      text: '👍',
      content: { reaction },
      words: [],
    });
    expect(bodyOf({ type: 'reaction', reaction: { message_id: 'wamid.OUT1', emoji: '' } }).content).toEqual({
      reaction: { message_id: 'wamid.OUT1', removed: true },
    });
  });

  it('of a template button has payload and label among its words', () => {
    expect(
      bodyOf({
        type: 'button',
        button: { payload: 'STOP:1', text: 'Отписаться' },
        context: { id: 'wamid.OUT1' },
      }),
    ).toEqual({
      type: 'button',
      text: 'Отписаться',
      content: { replies_to: 'wamid.OUT1', button: { payload: 'STOP:1' } },
      words: ['STOP:1', 'Отписаться'],
    });
  });

  it.each([
    ['button_reply', { id: 'b1', title: 'Да' }, { id: 'b1', title: 'Да' }, 'Да', ['b1', 'Да']],
    [
      'list_reply',
      { id: 'l1', title: 'Чай', description: 'чёрный' },
      { id: 'l1', title: 'Чай', description: 'чёрный' },
      'Чай',
      ['l1', 'Чай'],
    ],
    [
      'nfm_reply',
      { name: 'flow', body: 'Sent', response_json: '{"a":1}' },
      { name: 'flow', response_json: '{"a":1}' },
      'Sent',
      [],
    ],
  ])('of an interactive %s has what was chosen', (type, reply, kept, text, words) => {
    expect(bodyOf({ type: 'interactive', interactive: { type, [type]: reply } })).toEqual({
      type: 'interactive',
      text,
      content: { interactive: { type, ...kept } },
      words,
    });
  });

  it('keeps what we do not know, clean, wherever it stands', () => {
    const interactive = { type: 'call_permission_reply', call_permission_reply: { response: 'acc\0ept' } };
    const [deep, own] = [
      JSON.parse('{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}'),
      JSON.parse('{"__proto__":{"x":1}}'),
    ];
    expect(
      bodyOf({ type: 'interactive', interactive, spoiler: true, deep, own, none: null, odd: '\ud800' })
        .content,
    ).toEqual({
      interactive: { type: 'call_permission_reply' },
      further: {
        interactive: { call_permission_reply: { response: 'acc\ufffdept' } },
        ...{ spoiler: true, odd: '\ufffd' },
      },
    });
  });

  it('of an order has its items', () => {
    const item = { product_retailer_id: 'sku-1', quantity: 2, item_price: 30.5, currency: 'KZT' };
    expect(
      bodyOf({ type: 'order', order: { catalog_id: '9', text: 'Скорее', product_items: [item] } }),
    ).toEqual({
      type: 'order',
      text: 'Скорее',
      content: { order: { catalog_id: '9', product_items: [{ ...item, item_price: '30.5' }] } },
      words: ['Скорее'],
    });
  });

  it('of an edit shows the text as it is now', () => {
    const edit = {
      original_message_id: 'wamid.IN0',
      message: { type: 'text', text: { body: 'Два' }, context: { id: 'wamid.OUT1' } },
    };
    expect(bodyOf({ type: 'edit', edit })).toEqual({
      type: 'edit',
      text: 'Два',
      content: { original_message_id: 'wamid.IN0', edited_type: 'text', replies_to: 'wamid.OUT1' },
      words: ['Два'],
    });
  });

  it('of a revocation names what was taken back', () => {
    expect(bodyOf({ type: 'revoke', revoke: { original_message_id: 'wamid.IN0' } })).toEqual({
      type: 'revoke',
      text: '',
      content: { original_message_id: 'wamid.IN0' },
      words: [],
    });
  });

  it('of no type that can be shown says why', () => {
    const errors = [{ code: 131060, title: 'Unavailable', error_data: { details: 'See the app' } }];
    const kept = [{ code: 131060, title: 'Unavailable', details: 'See the app' }];
    const shown = (content: object) => ({ type: 'unsupported', text: '', content, words: [] });
    expect(bodyOf({ type: 'unsupported', unsupported: { type: 'poll' }, errors })).toEqual(
      shown({ unsupported_type: 'poll', errors: kept }),
    );
    expect(bodyOf({ type: 'unknown', errors })).toEqual(shown({ errors: kept }));
    expect(bodyOf({ type: 'hologram' })).toEqual(shown({ unsupported_type: 'hologram', errors: [] }));
    expect(bodyOf({ type: 7 })).toEqual(shown({ errors: [] }));
    expect(bodyOf({ type: 'interactive', errors })).toEqual(
      shown({ unsupported_type: 'interactive', errors: kept, unreadable: '"interactive" is not an object' }),
    );
  });

  it('is unsupported when the errors accompany half of it', () => {
    const errors = [{ code: 131051, title: 'Unsupported' }];
    const [event] = readField('messages', {
      metadata: METADATA,
      messages: [message({ type: 'interactive' })],
      errors,
    });
    expect(event).toMatchObject({ event: { body: { type: 'unsupported', content: { errors } } } });
  });

  it('to a group is of no dialog', () => {
    expect(ignoredOf('messages', { messages: [message({ ...TEXT, group_id: 'g' })] })).toEqual([
      'a message to a group',
    ]);
  });

  it.each([
    ['content', { type: 'text' }, 'text'],
    ['text', { type: 'text', text: { body: 7 } }, 'text'],
    ['answer', { type: 'interactive' }, 'interactive'],
    [
      'button',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: {} } },
      'interactive',
    ],
    ['form', { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: {} } }, 'interactive'],
    ['system', { type: 'system' }, 'system'],
    ['place on earth', { type: 'location', location: { latitude: 91, longitude: 0 } }, 'location'],
    ['file', { type: 'image', image: {} }, 'image'],
    ['edit', { type: 'edit', edit: { original_message_id: '1', message: { type: 'edit' } } }, 'edit'],
  ])('without a usable %s is unsupported, and says why', (_, given, type) => {
    const content = { unsupported_type: type, errors: [], unreadable: expect.any(String) };
    const {
      content: { further: _further, ...kept },
      ...body
    } = bodyOf(given);
    expect({ ...body, content: kept }).toEqual({ type: 'unsupported', text: '', content, words: [] });
  });

  it.each([
    ['id', { ...TEXT, id: undefined }],
    ['id of one piece', { ...TEXT, id: 'with space' }],
    ['sender', { ...TEXT, from: undefined, from_user_id: undefined }],
  ])('without a usable %s becomes a reject', (_, given) => {
    expect(readField('messages', { metadata: METADATA, messages: [message(given)] })).toEqual([
      {
        path: 'entry[0].changes[0].value.messages[0]',
        reason: expect.any(String),
        raw: JSON.stringify(message(given)),
        number: METADATA.phone_number_id,
        businessId: '900000000000001',
      },
    ]);
  });
});

describe('a call', () => {
  const call = (given: object): object => ({
    ...{ id: 'wacid.1', from: '77010000001', to: '77270000000', timestamp: '1760000000' },
    ...{ event: 'terminate', direction: 'USER_INITIATED', ...given },
  });
  const missed = {
    ...{ kind: 'message', number: '100000000000001', from: AIGUL, messageId: 'wacid.1', sentAt: AT },
    body: { type: 'call', text: '', content: { call: { outcome: 'missed' } }, words: [] },
  };

  it.each([
    ['failed', { status: 'FAILED' }],
    ['ended before anybody took it', { status: 'COMPLETED' }],
    ['lasted no second', { status: 'COMPLETED', duration: 0 }],
    ['failed after it was taken', { status: 'FAILED', start_time: 1760000000, duration: 30 }],
    ['does not tell its direction', { direction: undefined, status: 'FAILED' }],
  ])('of a customer that %s is a missed one', (_, given) => {
    expect(eventsOf('calls', { contacts: [CONTACT], calls: [call(given)] })).toEqual([missed]);
  });

  it('of a customer who hides the number names the user id', () => {
    const hidden = call({ from: undefined, from_user_id: 'KZ.1', status: 'FAILED' });
    expect(firstOf('calls', { calls: [hidden] }).from).toMatchObject({ phone: null, userId: 'KZ.1' });
  });

  it.each([
    ['that has begun', call({ event: 'connect' }), 'an event of a call: "connect"'],
    ['that was taken', call({ status: 'COMPLETED', duration: 33 }), 'a call that was taken'],
    ['that we made', call({ direction: 'BUSINESS_INITIATED' }), 'a call that we made'],
    ['from our number', call({ direction: undefined, from: '77270000000' }), 'a call that we made'],
  ])('%s is no message', (_, given, why) => {
    expect(ignoredOf('calls', { calls: [given] })).toEqual([why]);
  });

  it('whose states alone are told is no message', () => {
    expect(ignoredOf('calls', { statuses: [{ id: 'wacid.1', type: 'call', status: 'REJECTED' }] })).toEqual([
      'no call of a customer',
    ]);
  });

  it('that names nobody is an error', () => {
    const [item] = readField('calls', { metadata: METADATA, calls: [call({ from: undefined })] });
    expect(item).toMatchObject({ reason: 'neither a phone nor a user id names the caller' });
  });
});

describe('another AI on the number', () => {
  const handover = (type: string, given: object = {}): object => ({
    ...{ messaging_product: 'whatsapp', timestamp: '1760000000', type },
    recipient: { display_phone_number: '77270000000', phone_number_id: '100000000000001' },
    sender: { phone_number: '77010000001' },
    [type]: { previous_owner_role: 'ai_agent', new_owner_role: 'escalation' },
    ...given,
  });
  const DIGITS = { phone: '+77010000001', userId: null, waId: '77010000001', name: null };

  it.each(['standby', 'value'])('has customers’ messages and its own come on standby, in the %s', (place) => {
    const lists = {
      contacts: [CONTACT],
      messages: [message(TEXT)],
      statuses: [{ id: 'wamid.OUT', status: 'delivered', timestamp: '1760000000' }],
    };
    const body = { type: 'text', text: 'СТОП', content: {}, words: ['СТОП'] };
    expect(eventsOf('standby', place === 'standby' ? { standby: lists } : lists)).toMatchObject([
      { kind: 'message', from: AIGUL, messageId: 'wamid.IN1', sentAt: AT, standby: true, body },
      { kind: 'state', state: 'delivered', providerId: 'wamid.OUT' },
    ]);
    const sent = { to: '77010000001', recipient_type: 'individual', type: 'text', text: { body: 'Hi' } };
    const echoes = [
      { id: 'wamid.E1', timestamp: '1760000000', message: sent },
      { ...sent, id: 'wamid.E2', timestamp: '1760000000' },
    ];
    expect(eventsOf('standby', { standby: { message_echoes: echoes } })).toMatchObject(
      ['wamid.E1', 'wamid.E2'].map((messageId) => ({
        ...{ kind: 'echo', to: DIGITS, messageId, sentAt: AT, standby: true, body: { text: 'Hi' } },
      })),
    );
    expect(ignoredOf('standby', { standby: {} })).toEqual(['neither messages nor echoes nor statuses']);
  });

  it('passes a conversation to us, or takes it from us', () => {
    const taken = { previous_owner_role: 'default', new_owner_role: 'escalation' };
    const event = { kind: 'handover', number: '100000000000001', contact: DIGITS, at: AT };
    expect(readField('messaging_handovers', handover('control_passed'))).toMatchObject([
      { event: { ...event, to: 'us' } },
    ]);
    expect(
      readField('messaging_handovers', handover('control_taken', { control_taken: taken })),
    ).toMatchObject([{ event: { ...event, to: 'elsewhere' } }]);
    const byUserId = handover('control_passed', { sender: { user_id: 'KZ.1' }, control_passed: {} });
    expect(readField('messaging_handovers', byUserId)).toMatchObject([
      { event: { to: 'us', contact: { phone: null, userId: 'KZ.1' } } },
    ]);
  });

  it.each([
    ['a type that nobody knows', handover('control_released'), 'neither control_passed nor control_taken'],
    ['no details', handover('control_passed', { control_passed: undefined }), '"control_passed" is not an'],
    ['no customer', handover('control_passed', { sender: {} }), 'neither a phone nor a user id'],
    ['no number', handover('control_passed', { recipient: {} }), '"metadata.phone_number_id" is missing'],
    [
      'the other AI as the new owner',
      handover('control_passed', { control_passed: { new_owner_role: 'ai_agent' } }),
      'not about us',
    ],
    ['the other AI as the former owner', handover('control_taken'), 'not about us'],
  ])('is rejected with %s', (_, value, why) => {
    const [item] = readField('messaging_handovers', value);
    expect((item as { reason?: string }).reason).toContain(why);
  });
});

describe('a system message', () => {
  const system = (given: object) =>
    firstOf('messages', { messages: [message({ type: 'system', system: given })] });
  const from = { phone: '+77010000001', userId: 'KZ.134912086553027', waId: '77010000001', name: null };

  it.each(['wa_id', 'new_wa_id'])('reports a new number in %s', (name) => {
    expect(system({ type: 'user_changed_number', body: 'changed', [name]: '77010000009' })).toEqual({
      kind: 'address',
      number: '100000000000001',
      from,
      to: { phone: '+77010000009', userId: null, waId: '77010000009' },
      messageId: 'wamid.IN1',
    });
  });

  it('reports a new user id', () => {
    expect(system({ type: 'user_changed_user_id', user_id: 'KZ.9' })).toMatchObject({
      kind: 'address',
      from,
      to: { phone: null, userId: 'KZ.9', waId: null },
    });
  });

  it.each([
    ['the former user id where it is told', { previous_user_id: 'KZ.7' }, 'KZ.7', undefined],
    ['else the phone, and then the sender’s user id', {}, from.userId, true],
  ])('reports a new user id of whoever is named by %s', (_, told, userId, phoneFirst) => {
    const event = system({ type: 'user_changed_user_id', user_id: 'KZ.9', ...told });
    expect(event).toMatchObject({ kind: 'address', from: { phone: from.phone, userId } });
    expect((event as AddressChange).phoneFirst).toBe(phoneFirst);
  });

  it('is shown where it changes no address', () => {
    expect(system({ type: 'customer_identity_changed', body: 'Code changed' })).toMatchObject({
      kind: 'message',
      body: {
        type: 'system',
        text: 'Code changed',
        content: { system: { type: 'customer_identity_changed' } },
        words: [],
      },
    });
  });
});

describe('a status', () => {
  const status = (given: object) => ({
    id: 'wamid.OUT1',
    status: 'delivered',
    timestamp: '1760000000',
    recipient_id: '77010000001',
    ...given,
  });
  const state = (given: object) => firstOf('messages', { statuses: [status(given)] });

  it('has its ids, our reference, its time and the recipient', () => {
    const given = {
      biz_opaque_callback_data: 'out-4711',
      recipient_user_id: 'KZ.134912086553027',
      pricing: {},
    };
    expect(eventsOf('messages', { contacts: [CONTACT], statuses: [status(given)] })).toEqual([
      {
        kind: 'state',
        number: '100000000000001',
        state: 'delivered',
        providerId: 'wamid.OUT1',
        whatsappId: null,
        reference: 'out-4711',
        at: AT,
        error: null,
        optedOut: false,
        recipient: AIGUL,
      },
    ]);
  });

  it.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
    ['played', 'read'],
    ['failed', 'failed'],
  ])('%s is %s', (word, expected) => {
    expect(state({ status: word }).state).toBe(expected);
  });

  it('of a failure is explained by its code', () => {
    const errors = [
      { code: 131042, title: 'Payment', message: 'Payment', error_data: { details: 'No card' } },
    ];
    expect(state({ status: 'failed', errors })).toMatchObject({
      error: { code: 'BILLING_ERROR', provider_code: 131042, message: expect.stringContaining('payment') },
      optedOut: false,
    });
  });

  it('of a failure that says that the customer stopped marketing is an opt-out', () => {
    expect(state({ status: 'failed', errors: [{ code: 131050, title: 'x' }] }).optedOut).toBe(true);
  });

  it('of a failure of an unknown code has the provider’s words', () => {
    const errors = [{ code: 999999, title: 'Odd', error_data: { details: 'Very odd' } }];
    expect(state({ status: 'failed', errors }).error).toMatchObject({
      provider_code: 999999,
      message: 'Very odd',
    });
    expect(state({ status: 'failed' }).error).toMatchObject({ code: 'PROVIDER_ERROR', provider_code: null });
  });

  it('has no recipient where none may be shown', () => {
    expect(state({ recipient_id: undefined }).recipient).toBeNull();
    expect(state({ recipient_id: '120363040468224427', recipient_type: 'group' }).recipient).toBeNull();
  });

  it('of an unknown kind is skipped', () => {
    expect(ignoredOf('messages', { statuses: [status({ status: 'warning' })] })).toEqual([
      'a status of "warning"',
    ]);
  });
});

describe('the price of a status', () => {
  const pricingOf = (pricing?: object): unknown => {
    const status = { id: 'wamid.OUT1', status: 'sent', timestamp: '1760000000', pricing };
    return firstOf('messages', { statuses: [status] }).pricing;
  };

  it('is read as far as it is named', () => {
    const pricing = {
      billable: false,
      pricing_model: 'PMP',
      type: 'free_customer_service',
      category: 'service',
    };
    expect(pricingOf(pricing)).toEqual({
      ...{ billable: false, model: 'PMP', type: 'free_customer_service', category: 'service' },
    });
    expect(pricingOf({ pricing_model: 'CBP', billable: 'no', category: 7 })).toEqual({ model: 'CBP' });
    expect(pricingOf({})).toBeUndefined();
    expect(pricingOf()).toBeUndefined();
  });
});

describe('coexistence', () => {
  it('has echoes of what people wrote in the app', () => {
    const echo = {
      from: '77270000000',
      to: '+77010000001',
      id: 'wamid.ECHO1',
      timestamp: '1760000000',
      ...TEXT,
    };
    expect(eventsOf('smb_message_echoes', { contacts: [CONTACT], message_echoes: [echo] })).toEqual([
      {
        kind: 'echo',
        number: '100000000000001',
        to: AIGUL,
        messageId: 'wamid.ECHO1',
        sentAt: AT,
        body: { type: 'text', text: 'СТОП', content: {}, words: ['СТОП'] },
      },
    ]);
  });

  it.each([
    ['edit', { original_message_id: 'wamid.E0', message: { type: 'text', text: { body: 'Через два' } } }],
    ['revoke', { original_message_id: 'wamid.E0' }],
  ])('has the echo of %s', (type, content) => {
    const echo = { from: '77270000000', to_user_id: 'KZ.1', id: 'wamid.E1', type, [type]: content };
    expect(eventsOf('smb_message_echoes', { message_echoes: [echo] })).toMatchObject([
      { to: { phone: null, userId: 'KZ.1' }, body: { type, content: { original_message_id: 'wamid.E0' } } },
    ]);
  });

  it('has names of the address book', () => {
    const contact = { full_name: 'Айгуль Б.', first_name: 'Айгуль', phone_number: '77010000001' };
    const sync = (action: string) => ({ state_sync: [{ type: 'contact', action, contact, metadata: {} }] });
    expect(eventsOf('smb_app_state_sync', sync('add'))).toEqual([
      {
        kind: 'contact',
        number: '100000000000001',
        contact: { phone: '+77010000001', userId: null, waId: '77010000001', name: 'Айгуль Б.' },
      },
    ]);
    expect(ignoredOf('smb_app_state_sync', sync('remove'))).toEqual(['a contact was removed']);
  });

  it('has older messages of both sides', () => {
    const past = (id: string, from: string, given: object = {}) => ({
      from,
      id,
      timestamp: '1760000000',
      ...TEXT,
      ...given,
    });
    const messages = [
      past('wamid.H1', '77270000000'),
      past('wamid.H2', '77010000001'),
      past('wamid.H3', '77010000001', { history_context: { status: 'read', from_me: true } }),
      past('wamid.H4', '77010000001', { type: 'media_placeholder' }),
    ];
    const history = [
      { metadata: { phase: 0, chunk_order: 1, progress: 55 }, threads: [{ id: '77010000001', messages }] },
    ];
    const items = readField('history', { metadata: METADATA, contacts: [CONTACT], history });
    expect(items.map((item) => ('event' in item ? item.event : item))).toMatchObject([
      {
        kind: 'past',
        fromCustomer: false,
        messageId: 'wamid.H1',
        contact: AIGUL,
        sentAt: AT,
        body: { text: 'СТОП' },
      },
      { kind: 'past', fromCustomer: true, messageId: 'wamid.H2', contact: AIGUL },
      { kind: 'past', fromCustomer: false, messageId: 'wamid.H3' },
      { path: 'entry[0].changes[0].value.history[0].threads[0].messages[3]', ignored: expect.any(String) },
    ]);
  });

  it('has the files of older messages by themselves', () => {
    const file = (from: string, to?: string) => ({
      from,
      to,
      id: 'wamid.H4',
      type: 'image',
      image: { id: '5' },
    });
    expect(
      eventsOf('history', { messages: [file('77010000001'), file('77270000000', '77010000001')] }),
    ).toMatchObject([
      { kind: 'past', contact: { phone: '+77010000001' }, fromCustomer: true, body: { type: 'image' } },
      { kind: 'past', contact: { phone: '+77010000001' }, fromCustomer: false },
    ]);
  });

  it('has no history where it was declined', () => {
    const errors = [{ code: 2593109, title: 'History sharing is turned off' }];
    expect(ignoredOf('history', { history: [{ errors }] })).toEqual([
      'history was not given: History sharing is turned off',
    ]);
  });
});

describe('a preference', () => {
  const preference = (given: object) => ({
    user_preferences: [{ category: 'marketing_messages', timestamp: 1760000000, ...given }],
  });

  it.each(['stop', 'resume'])('to %s marketing is reported', (value) => {
    expect(
      eventsOf('user_preferences', { contacts: [CONTACT], ...preference({ wa_id: '77010000001', value }) }),
    ).toEqual([{ kind: 'preference', number: '100000000000001', contact: AIGUL, value, at: AT }]);
  });

  it('of a customer who hides the number is reported by the user id', () => {
    expect(eventsOf('user_preferences', preference({ user_id: 'KZ.1', value: 'stop' }))).toMatchObject([
      { contact: { phone: null, userId: 'KZ.1' } },
    ]);
  });

  it('to sign up is passed over', () => {
    expect(ignoredOf('user_preferences', preference({ user_id: 'KZ.1', value: 'signup' }))).toEqual([
      'a preference of "signup"',
    ]);
  });
});

describe('a template', () => {
  const TEMPLATE = {
    message_template_id: 1234567890,
    message_template_name: 'visit_reminder',
    message_template_language: 'en-US',
  };

  it('that is paused is reported with its reason', () => {
    const value = {
      event: 'PAUSED',
      ...TEMPLATE,
      reason: 'NONE',
      other_info: { title: 'FIRST_PAUSE', description: 'Three hours' },
    };
    expect(eventsOf('message_template_status_update', value, 1760000000)).toEqual([
      {
        kind: 'template',
        providerId: '1234567890',
        name: 'visit_reminder',
        language: 'en_US',
        status: 'paused',
        category: null,
        reason: 'FIRST_PAUSE: Three hours',
        at: AT,
        businessId: '900000000000001',
      },
    ]);
  });

  it('that is of another quality, or has another content, is reported', () => {
    const quality = { ...TEMPLATE, previous_quality_score: 'GREEN', new_quality_score: 'RED' };
    expect(firstOf('message_template_quality_update', quality)).toMatchObject({
      ...{ kind: 'template', providerId: '1234567890', quality: 'red', status: null, category: null },
    });
    expect(ignoredOf('message_template_quality_update', TEMPLATE)).toEqual(['a quality that is not told']);
    const components = { ...TEMPLATE, message_template_element: 'Hello' };
    expect(firstOf('message_template_components_update', components)).toMatchObject({
      ...{ kind: 'template', providerId: '1234567890', isEdited: true, status: null },
    });
  });

  it.each([
    ['PENDING', 'pending'],
    ['APPROVED', 'approved'],
    ['REINSTATED', 'approved'],
    ['UNPAUSED', 'approved'],
    ['REJECTED', 'rejected'],
    ['PAUSED', 'paused'],
    ['DISABLED', 'disabled'],
    ['DELETED', 'disabled'],
    ['PENDING_DELETION', 'disabled'],
    ['FLAGGED', null],
    ['LOCKED', null],
    ['IN_APPEAL', null],
  ])('after %s is %s', (event, status) => {
    expect(firstOf('message_template_status_update', { event, ...TEMPLATE }).status).toBe(status);
  });

  it('keeps every digit of its id', () => {
    const body = `{"entry":[{"id":"9","changes":[{"field":"message_template_status_update","value":{"event":"APPROVED",
      "message_template_id" : 12345678901234567891, "message_template_name":"\\"message_template_id\\":12345678901234567"}}]}]}`;
    expect(reader.read(Buffer.from(body))).toMatchObject([
      { event: { providerId: '12345678901234567891', name: '"message_template_id":12345678901234567' } },
    ]);
  });

  it('has a new category, but not yet one that is only announced', () => {
    const category = (given: object) => ({ ...TEMPLATE, previous_category: 'UTILITY', ...given });
    expect(eventsOf('template_category_update', category({ new_category: 'MARKETING' }))).toMatchObject([
      { kind: 'template', status: null, category: 'marketing' },
    ]);
    expect(ignoredOf('template_category_update', category({ correct_category: 'MARKETING' }))).toHaveLength(
      1,
    );
  });
});

describe('an account', () => {
  it.each([
    [
      { event: 'PARTNER_REMOVED', disconnection_info: { reason: 'PRIMARY_INACTIVITY' } },
      'stops',
      'PARTNER_REMOVED PRIMARY_INACTIVITY',
    ],
    [{ event: 'ACCOUNT_OFFBOARDED' }, 'stops', 'ACCOUNT_OFFBOARDED'],
    [{ event: 'ACCOUNT_DELETED' }, 'stops', 'ACCOUNT_DELETED'],
    [{ event: 'ACCOUNT_RECONNECTED' }, 'resumes', 'ACCOUNT_RECONNECTED'],
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } },
      'tells',
      'DISABLED_UPDATE SCHEDULE_FOR_DISABLE',
    ],
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
      'stops',
      'DISABLED_UPDATE DISABLE',
    ],
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
      'resumes',
      'DISABLED_UPDATE REINSTATE',
    ],
    // Meta's own example has a list.
    ...(
      [
        [['DISABLE'], 'stops'],
        [['REINSTATE'], 'resumes'],
        [['SCHEDULE_FOR_DISABLE'], 'tells'],
        [['SCHEDULE_FOR_DISABLE', 'DISABLE'], 'stops'],
        [['SCHEDULE_FOR_DISABLE', 'DISABLE', 'REINSTATE'], 'tells'],
      ] as const
    ).map(([states, effect]): [object, string, string] => [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: [...states, 7] } },
      effect,
      `DISABLED_UPDATE ${states.join(' ')}`,
    ]),
    [
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [
          { restriction_type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING' },
          { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' },
        ],
      },
      'stops',
      'ACCOUNT_RESTRICTION RESTRICTED_CUSTOMER_INITIATED_MESSAGING RESTRICTED_BIZ_INITIATED_MESSAGING',
    ],
    ...[
      'RESTRICTED_BIZ_INITIATED_MESSAGING',
      'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
      'RESTRICTED_UTILITY_TEMPLATES',
    ].map((type): [object, string, string] => [
      { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: type }] },
      'tells',
      `ACCOUNT_RESTRICTION ${type}`,
    ]),
    [
      { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'OTHER' }] },
      'tells',
      'ACCOUNT_RESTRICTION OTHER',
    ],
    [{ event: 'PARTNER_ADDED' }, 'tells', 'PARTNER_ADDED'],
  ])('of which is said %j has the effect %s', (value, effect, event) => {
    expect(readField('account_update', value)).toMatchObject([
      {
        path: 'entry[0].changes[0].value',
        event: { kind: 'account', number: null, phone: null, businessId: '900000000000001', event, effect },
      },
    ]);
  });

  it('is of the business account that it names, limited to the number that it names', () => {
    const removed = { event: 'PARTNER_REMOVED', waba_info: { waba_id: '77', owner_business_id: '78' } };
    const removedOf = (more: object) => readField('account_update', { ...removed, ...more });
    expect(removedOf({})).toMatchObject([{ event: { businessId: '77', number: null, phone: null } }]);
    expect(removedOf({ phone_number: '+7 727 000-00-00' })).toMatchObject([
      { event: { businessId: '77', number: null, phone: '77270000000' } },
    ]);
    expect(removedOf({ metadata: METADATA })).toMatchObject([
      { event: { businessId: '77', number: METADATA.phone_number_id, phone: null } },
    ]);
    expect(removedOf({ phone_number: 'none' })).toMatchObject([
      { reason: expect.stringContaining('phone_number') },
    ]);
  });

  const restrictions = (...expirations: unknown[]): object => ({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [
      { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: 1900000000 },
      { restriction_type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', expiration: 'never' },
      ...expirations.map((expiration) => ({
        restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
        expiration,
      })),
    ],
  });

  it.each([
    ['in seconds', [1800000000], 1800000000],
    ['as text', ['1800000000'], 1800000000],
    ['as a date', ['2027-01-15T08:00:00+0000'], 1800000000],
    ['of several the last', [1700000000, 1800000000, 1750000000], 1800000000],
  ])('says until when it sends nothing, %s', (_, expirations, seconds) => {
    expect(readField('account_update', restrictions(...expirations))).toMatchObject([
      { event: { effect: 'stops', until: new Date(seconds * 1000) } },
    ]);
  });

  it.each([
    ['it is missing', [undefined]],
    ['it is missing once', [1800000000, undefined]],
    ['it is no time', ['soon']],
  ])('sends nothing for good where it should say until when and %s', (_, expirations) => {
    expect(readField('account_update', restrictions(...expirations))).toMatchObject([
      { event: { effect: 'stops', until: null } },
    ]);
  });

  it('sends nothing until the first of both restrictions ends', () => {
    const ends = { BIZ: [1700000000, 1850000000], CUSTOMER: [1800000000] };
    const restriction_info = Object.entries(ends).flatMap(([who, times]) =>
      times.map((expiration) => ({ restriction_type: `RESTRICTED_${who}_INITIATED_MESSAGING`, expiration })),
    );
    const value = { event: 'ACCOUNT_RESTRICTION', restriction_info };
    expect(readField('account_update', value)).toMatchObject([
      { event: { effect: 'stops', until: new Date(1800000000 * 1000) } },
    ]);
  });

  it('says when it was so', () => {
    const time = 1760000000;
    const changes = [{ field: 'account_update', value: { event: 'PARTNER_REMOVED' } }];
    const body = { object: 'whatsapp_business_account', entry: [{ id: '1', time, changes }] };
    expect(read(body)).toMatchObject([
      { event: { effect: 'stops', at: new Date(time * 1000), until: null } },
    ]);
  });
});

it('passes over fields that nothing follows from, and bodies about something else', () => {
  expect(readField('security', {})).toEqual([
    { path: 'entry[0].changes[0]', ignored: 'the field "security"' },
  ]);
  expect(readField('toString', {})).toEqual([
    { path: 'entry[0].changes[0]', ignored: 'the field "toString"' },
  ]);
  expect(read({ object: 'page', entry: [] })).toEqual([{ path: '', ignored: 'about "page"' }]);
});
