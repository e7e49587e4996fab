import type { WebhookItem } from '@app/domain/webhooks/provider-events';
import { GupshupWebhookReader } from './gupshup-webhook-reader';

const reader = new GupshupWebhookReader();
const GUPSHUP_ID = '7b1d0e34-1111-4222-8333-00000000a001';
const WHATSAPP_ID = '5d2c0000-aaaa-4bbb-8ccc-00000000f001';
const AIDA = { phone: '+77020000002', userId: null, waId: '77020000002', name: null };
const SECONDS = 1763700003;

const read = (body: unknown): WebhookItem[] => reader.read(Buffer.from(JSON.stringify(body)));
type Read = Record<string, any>;
const eventOf = (type: string, payload: object): Read => {
  const envelope = { app: 'ClinicApp', timestamp: 1763700004000, version: 2, type, payload };
  const [item, ...others] = read(envelope);
  expect(others).toEqual([]);
  expect(item).toHaveProperty('event');
  return (item as { event: object }).event;
};
const itemsOf = (type: string, payload: unknown): WebhookItem[] => read({ app: 'ClinicApp', type, payload });

describe('a message event', () => {
  const messageEvent = (payload: object) =>
    eventOf('message-event', { destination: '77020000002', ...payload });

  it('of a delivery names the message by the id of our request and by that of WhatsApp', () => {
    const payload = { id: WHATSAPP_ID, gsId: GUPSHUP_ID, type: 'delivered', payload: { ts: SECONDS } };
    expect(messageEvent(payload)).toEqual({
      kind: 'state',
      number: null,
      state: 'delivered',
      providerId: GUPSHUP_ID,
      whatsappId: WHATSAPP_ID,
      reference: null,
      at: new Date(SECONDS * 1000),
      error: null,
      optedOut: false,
      recipient: AIDA,
    });
  });

  it('that it was enqueued says that it was accepted, and what WhatsApp calls it', () => {
    const payload = {
      id: GUPSHUP_ID,
      type: 'enqueued',
      payload: { whatsappMessageId: 'gBEG0', type: 'session' },
    };
    expect(messageEvent(payload)).toMatchObject({
      state: 'accepted',
      providerId: GUPSHUP_ID,
      whatsappId: 'gBEG0',
      at: new Date(1763700004000),
    });
  });

  it('that it was sent has the price, as far as it is named', () => {
    const payload = { ts: SECONDS, pricing: { policy: 'PMP', category: 'utility', type: 'regular' } };
    expect(messageEvent({ id: WHATSAPP_ID, gsId: GUPSHUP_ID, type: 'sent', payload })).toMatchObject({
      pricing: { model: 'PMP', category: 'utility', type: 'regular' },
    });
  });

  it('of a charge has the price of a message that was accepted', () => {
    const deductions = {
      type: 'regular',
      model: 'PMP',
      source: 'whatsapp',
      billable: 'true',
      category: 'utility',
    };
    const references = { id: WHATSAPP_ID, gsId: GUPSHUP_ID, destination: '77020000002' };
    expect(eventOf('billing-event', { deductions, references })).toMatchObject({
      ...{ kind: 'state', state: 'accepted', providerId: GUPSHUP_ID, whatsappId: WHATSAPP_ID },
      pricing: { billable: true, model: 'PMP', category: 'utility', type: 'regular' },
      recipient: { waId: '77020000002', userId: null },
    });
    const nothing = [{ path: 'payload', ignored: expect.any(String) as string }];
    expect(itemsOf('billing-event', { deductions })).toEqual(nothing);
    expect(itemsOf('billing-event', { deductions: { source: 'whatsapp' }, references })).toEqual(nothing);
  });

  it.each(['sent', 'delivered', 'read'])(
    'of %s without gsId is matched by the id of WhatsApp alone',
    (type) => {
      expect(messageEvent({ id: 'wamid.X', type, payload: { ts: String(SECONDS) } })).toMatchObject({
        state: type,
        providerId: null,
        whatsappId: 'wamid.X',
        at: new Date(SECONDS * 1000),
      });
    },
  );

  it('of a refusal by Gupshup itself is matched by its id', () => {
    const payload = { code: 1003, reason: 'Unable to send message | Check your wallet balance' };
    expect(messageEvent({ id: GUPSHUP_ID, type: 'failed', payload })).toMatchObject({
      state: 'failed',
      providerId: GUPSHUP_ID,
      error: { code: 'BILLING_ERROR', provider_code: 1003 },
      optedOut: false,
    });
  });

  it('of a refusal by Meta is matched by gsId, its code as a text', () => {
    const payload = { code: '131050', reason: 'stopped' };
    expect(messageEvent({ id: WHATSAPP_ID, gsId: GUPSHUP_ID, type: 'failed', payload })).toMatchObject({
      providerId: GUPSHUP_ID,
      whatsappId: WHATSAPP_ID,
      error: { code: 'PROVIDER_ERROR', provider_code: 131050 },
      optedOut: true,
    });
  });

  it('of a refusal without a reason is one all the same', () => {
    expect(messageEvent({ id: GUPSHUP_ID, type: 'failed' }).error).toMatchObject({ provider_code: null });
  });

  it('names a recipient without a phone by the user id', () => {
    const payload = { id: WHATSAPP_ID, gsId: GUPSHUP_ID, type: 'read', destination: '', userId: 'KZ.1' };
    expect(messageEvent(payload).recipient).toEqual({ phone: null, userId: 'KZ.1', waId: null, name: null });
  });

  it.each(['deleted', 'mismatch', 'constructor'])('of %s is passed over', (type) => {
    expect(itemsOf('message-event', { id: 'x', type })).toEqual([
      { path: 'payload', ignored: `a message event of "${type}"` },
    ]);
  });

  it('that names no message becomes a reject', () => {
    expect(itemsOf('message-event', { type: 'sent' })).toEqual([
      { path: 'payload', reason: '"id" is missing or is no id', raw: '{"type":"sent"}' },
    ]);
  });
});

describe('a message of a customer', () => {
  const message = (type: string, payload: object, more: object = {}) =>
    eventOf('message', {
      id: 'wamid.IN1',
      source: '77020000002',
      type,
      payload,
      sender: { phone: '77020000002', name: 'Aida', country_code: '7', dial_code: '7020000002' },
      ...more,
    });
  const bodyOf = (type: string, payload: object, more?: object) => message(type, payload, more).body as Read;

  it('is read with its sender, text and what it replies to', () => {
    const context = { id: 'gBEG0', gsId: GUPSHUP_ID, forwarded: false };
    expect(message('text', { text: 'Стоп' }, { context })).toEqual({
      kind: 'message',
      number: null,
      from: { ...AIDA, name: 'Aida' },
      messageId: 'wamid.IN1',
      sentAt: new Date(1763700004000),
      body: {
        type: 'text',
        text: 'Стоп',
        content: { replies_to: 'gBEG0', replies_to_provider_id: GUPSHUP_ID },
        words: ['Стоп'],
      },
    });
  });

  it('names a customer who hides the number by the user id', () => {
    const hidden = { source: undefined, sender: { userId: 'KZ.1', phone: '' } };
    expect(message('text', { text: 'x' }, hidden).from).toEqual({
      phone: null,
      userId: 'KZ.1',
      waId: null,
      name: null,
    });
  });

  it.each([
    ['quick_reply', { text: 'Yes', type: 'button', postbackText: 'confirm:9d1' }],
    ['text', { text: 'Yes', type: 'button', postbackText: 'confirm:9d1' }],
  ])('that taps a template button comes as %s', (type, payload) => {
    expect(bodyOf(type, payload)).toEqual({
      type: 'button',
      text: 'Yes',
      content: { button: { payload: 'confirm:9d1' } },
      words: ['confirm:9d1', 'Yes'],
    });
  });

  it.each([
    ['button_reply', { title: 'Чай', id: '', postbackText: 'tea' }, { id: 'tea', title: 'Чай' }],
    [
      'list_reply',
      { title: 'Чай', id: '', postbackText: 'tea', description: 'чёрный' },
      { id: 'tea', title: 'Чай', description: 'чёрный' },
    ],
  ])('that chooses by %s says what', (type, payload, chosen) => {
    expect(bodyOf(type, payload)).toEqual({
      type: 'interactive',
      text: 'Чай',
      content: { interactive: { type, ...chosen } },
      words: ['tea', 'Чай'],
    });
  });

  it.each([
    ['image', 'image'],
    ['video', 'video'],
    ['audio', 'audio'],
    ['sticker', 'sticker'],
    ['file', 'document'],
  ])('with a file of %s is a reference to it', (type, shown) => {
    const file = {
      url: 'https://files.test/1',
      contentType: 'a/b',
      urlExpiry: 1763700004000,
      caption: 'Чек',
      name: 'чек.pdf',
    };
    expect(bodyOf(type, file)).toEqual({
      type: shown,
      text: 'Чек',
      content: {
        media: {
          url: 'https://files.test/1',
          mime_type: 'a/b',
          filename: 'чек.pdf',
          url_expires_at: '2025-11-21T04:40:04.000Z',
        },
      },
      words: ['Чек'],
    });
  });

  it('with a location, contacts or a reaction is read as from Meta', () => {
    expect(bodyOf('location', { longitude: '76.9', latitude: '43.2', name: 'Office' }).content).toEqual({
      location: { latitude: 43.2, longitude: 76.9, name: 'Office' },
    });
    const contacts = [{ name: { formatted_name: 'Бек' }, phones: [{ phone: '+7701', type: 'CELL' }] }];
    expect(bodyOf('contact', { contacts }).content).toEqual({
      contacts: [{ name: 'Бек', phones: [{ phone: '+7701', type: 'CELL' }] }],
    });
    expect(bodyOf('reaction', { emoji: '👍', id: 'gBEG0', gsId: GUPSHUP_ID })).toMatchObject({
      text: '👍',
      content: { reaction: { message_id: 'gBEG0', provider_id: GUPSHUP_ID } },
      words: [],
    });
  });

  it.each([
    ['video', { url: 'no address' }, 'video'],
    ['audio', { url: 7 }, 'audio'],
    ['sticker', {}, 'sticker'],
    ['text', { text: null }, 'text'],
    ['location', { latitude: '91', longitude: '0' }, 'location'],
  ])('that is a %s without its content is unsupported, and says why', (type, payload, unsupported) => {
    const content = { unsupported_type: unsupported, unreadable: expect.any(String) };
    expect(bodyOf(type, payload)).toEqual({ type: 'unsupported', text: '', content, words: [] });
  });

  it('of no type, with nothing in it, is unsupported', () => {
    const event = eventOf('message', { id: 'wamid.IN1', source: '77020000002' });
    expect(event).toMatchObject({ messageId: 'wamid.IN1', from: AIDA, body: { type: 'unsupported' } });
  });

  it('of an unknown type is unsupported', () => {
    expect(bodyOf('hologram', {})).toEqual({
      type: 'unsupported',
      text: '',
      content: { unsupported_type: 'hologram' },
      words: [],
    });
  });
});

describe('other events', () => {
  it.each([
    ['opted-out', 'stop'],
    ['opted-in', 'resume'],
  ])('of a customer who %s is a preference to %s', (type, value) => {
    expect(eventOf('user-event', { phone: '77020000002', type })).toEqual({
      kind: 'preference',
      number: null,
      contact: AIDA,
      value,
      at: new Date(1763700004000),
    });
  });

  it('have every preference of a list', () => {
    const user_preferences = [
      { wa_id: '77020000002', category: 'marketing_messages', value: 'stop', timestamp: SECONDS },
      { wa_id: '77020000003', category: 'marketing_messages', value: 'resume', timestamp: SECONDS },
    ];
    expect(
      itemsOf('preference-event', { type: 'user_preferences', payload: { user_preferences } }),
    ).toMatchObject([
      {
        path: 'payload.payload.user_preferences[0]',
        event: { contact: AIDA, value: 'stop', at: new Date(SECONDS * 1000) },
      },
      { path: 'payload.payload.user_preferences[1]', event: { value: 'resume' } },
    ]);
  });

  it.each([
    ['sandbox-start', 'user-event', { phone: 'callbackSetPhone', type: 'sandbox-start' }],
    ['billing', 'billing-event', { deductions: {}, references: {} }],
    ['no template quality', 'template-event', { type: 'quality-update', id: 't' }],
    ['an unknown kind', 'flow-event', {}],
  ])('of %s are passed over', (_, type, payload) => {
    expect(itemsOf(type, payload)).toEqual([{ path: expect.any(String), ignored: expect.any(String) }]);
  });

  it('of the quality of a template have it', () => {
    const payload = { type: 'quality-update', id: 't-1', elementName: 'visit', quality: 'GREEN' };
    expect(eventOf('template-event', payload)).toMatchObject({ quality: 'green', status: null });
  });

  it.each([
    ['approved', 'approved'],
    ['rejected', 'rejected'],
    ['deleted', 'disabled'],
    ['disabled', 'disabled'],
    ['paused', 'paused'],
  ])('of a template that is %s make it %s', (word, status) => {
    const payload = {
      id: 't-1',
      status: word,
      elementName: 'visit',
      languageCode: 'ru',
      rejectedReason: 'Because',
    };
    expect(eventOf('template-event', payload)).toEqual({
      kind: 'template',
      providerId: 't-1',
      name: 'visit',
      language: 'ru',
      status,
      category: null,
      reason: 'Because',
      at: new Date(1763700004000),
      businessId: null,
    });
  });

  it('of a template’s category leave its status', () => {
    const payload = { type: 'category-update', id: 't-1', newCategory: 'MARKETING', elementName: 'visit' };
    expect(eventOf('template-event', payload)).toMatchObject({ status: null, category: 'marketing' });
  });

  it.each([
    [{ type: 'status-event', status: 'DISABLED' }, 'stops'],
    [{ type: 'status-event', payload: { status: 'restricted' } }, 'stops'],
    [{ type: 'status-event', status: 'verified' }, 'none'],
    [{ type: 'tier-event', tier: 'TIER_250' }, 'none'],
  ])('of the account %j have the effect %s', (payload, effect) => {
    expect(eventOf('account-event', payload)).toMatchObject({
      ...{ kind: 'account', effect, until: null },
      at: new Date(1763700004000),
    });
  });
});

describe('an event of Meta that Gupshup passes on', () => {
  const passOn = (value: object): WebhookItem[] =>
    read({
      object: 'whatsapp_business_account',
      gs_app_id: 'a1a1a1a1-0000-4000-8000-000000000001',
      entry: [{ id: '800000000000001', changes: [{ field: 'messages', value }] }],
    });
  const state = (status: object): Read => {
    const [item] = passOn({
      statuses: [{ recipient_id: '77020000002', timestamp: String(SECONDS), ...status }],
    });
    return item && 'event' in item ? item.event : {};
  };

  it('names a message by gs_id, and by the third id of WhatsApp or by the usual one', () => {
    const named = { gs_id: GUPSHUP_ID, id: '0AbC', meta_msg_id: 'wamid.Y', status: 'delivered' };
    expect(state(named)).toMatchObject({
      number: null,
      state: 'delivered',
      providerId: GUPSHUP_ID,
      whatsappId: 'wamid.Y',
      recipient: AIDA,
    });
    expect(state({ gs_id: GUPSHUP_ID, id: 'wamid.Y', status: 'read' })).toMatchObject({
      providerId: GUPSHUP_ID,
      whatsappId: 'wamid.Y',
    });
    expect(state({ id: 'wamid.Y', status: 'sent' })).toMatchObject({
      providerId: null,
      whatsappId: 'wamid.Y',
    });
  });

  it('that it was enqueued has milliseconds and no number', () => {
    expect(state({ gs_id: GUPSHUP_ID, status: 'enqueued', timestamp: SECONDS * 1000 })).toMatchObject({
      state: 'accepted',
      providerId: GUPSHUP_ID,
      whatsappId: null,
      at: new Date(SECONDS * 1000),
    });
    expect(state({ id: GUPSHUP_ID, status: 'enqueued' })).toMatchObject({
      providerId: GUPSHUP_ID,
      whatsappId: null,
    });
  });

  it.each([
    [
      'Meta',
      { errors: [{ code: 131047, title: 'Re-engagement message', error_data: { details: '…' } }] },
      131047,
    ],
    ['Gupshup', { code: 1003, reason: 'Check your wallet balance' }, 1003],
  ])('of a refusal by %s is explained', (_, failure, code) => {
    expect(state({ gs_id: GUPSHUP_ID, id: 'x', status: 'failed', ...failure })).toMatchObject({
      state: 'failed',
      error: { provider_code: code },
    });
  });

  it('has no reference of ours: that field holds Gupshup’s own', () => {
    const written = { gs_id: GUPSHUP_ID, id: 'x', status: 'sent', biz_opaque_callback_data: 'a||b||0' };
    expect(state(written).reference).toBeNull();
  });

  it('keeps Gupshup’s id of what a message replies to', () => {
    const message = { from: '77020000002', id: 'wamid.IN1', type: 'text', text: { body: 'x' } };
    const context = { id: 'wamid.Y', gs_id: GUPSHUP_ID };
    expect(passOn({ messages: [{ ...message, context }] })).toMatchObject([
      {
        event: {
          number: null,
          body: { content: { replies_to: 'wamid.Y', replies_to_provider_id: GUPSHUP_ID } },
        },
      },
    ]);
  });

  it('that tries an address is passed over', () => {
    expect(passOn({ statuses: [{ type: 'set-callback' }] })).toMatchObject([
      { ignored: 'the address was tried' },
    ]);
  });
});
