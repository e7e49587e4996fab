import { readFileSync } from 'node:fs';
import type { MediaKind } from '@app/contracts/media.words';
import type { OutgoingMessage, TemplateContent } from '@app/domain/messages/dispatch/message-sender.port';
import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { cloudMessageBody, cloudReadBody } from './cloud-message-sender';

const readOracle = (name: string): unknown =>
  JSON.parse(readFileSync(`${process.cwd()}/test/oracle/${name}.json`, 'utf8'));

const ajv = new Ajv({ strict: false, logger: false, formats: { url: true } });
const isValid = ajv.compile(readOracle('relaxed-send-message.schema') as object);

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
const link = fc.webUrl({ validSchemes: ['https'] });
const filename = fc.option(text, { nil: undefined });
const media = fc.oneof(fc.record({ link, filename }), fc.record({ id: text, filename }));
const name = fc.option(text, { nil: undefined });

const header: fc.Arbitrary<TemplateContent['header']> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text, name }),
  fc.record({ type: fc.constantFrom('image' as const, 'video' as const, 'document' as const), media }),
  fc.record({
    type: fc.constant('location' as const),
    latitude: text,
    longitude: text,
    name,
    address: name,
  }),
);

const index = fc.nat(9);
const button = fc.oneof(
  fc.record({ type: fc.constant('url' as const), index, text }),
  fc.record({ type: fc.constant('quick_reply' as const), index, payload: text }),
  fc.record({ type: fc.constant('copy_code' as const), index, code: text }),
);

const content: fc.Arbitrary<OutgoingMessage['content']> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({
    type: fc.constant('file' as const),
    kind: fc.constantFrom('image' as const, 'video' as const, 'document' as const),
    media,
    caption: fc.oneof(fc.constant(''), text),
  }),
  fc.record({
    type: fc.constant('file' as const),
    kind: fc.constantFrom('audio' as const, 'voice' as const, 'sticker' as const),
    media,
    caption: fc.constant(''),
  }),
  fc.record({
    type: fc.constant('template' as const),
    name: fc.stringMatching(/^[a-z0-9_]{1,40}$/),
    language: fc.constantFrom('ru', 'en', 'en_US', 'kk'),
    params: fc.array(text, { maxLength: 5 }),
    paramNames: fc.option(fc.array(text, { maxLength: 5 }), { nil: undefined }),
    header: fc.option(header, { nil: undefined }),
    buttons: fc.option(fc.array(button, { maxLength: 4 }), { nil: undefined }),
  }),
);

const toPhone = fc.record({
  reference: fc.uuid(),
  to: fc.record({ phone: digits.map((d) => `+${d}`) }),
  content,
});

const typeOf = (part: OutgoingMessage['content']): string => {
  if (part.type !== 'file') return part.type;
  return part.kind === 'voice' ? 'audio' : part.kind;
};

const bodyOf = (part: OutgoingMessage['content']): object =>
  JSON.parse(
    JSON.stringify(cloudMessageBody({ reference: 'r-1', to: { phone: '+77010000001' }, content: part })),
  ) as object;

it('fits the published schema, whatever the message holds', () => {
  fc.assert(
    fc.property(toPhone, (message) => {
      const body = JSON.parse(JSON.stringify(cloudMessageBody(message))) as Record<string, unknown>;
      expect(isValid(body) ? [] : isValid.errors).toEqual([]);
      expect(body).toMatchObject({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: message.to.phone,
        biz_opaque_callback_data: message.reference,
        type: typeOf(message.content),
      });
    }),
    { numRuns: 300 },
  );
});

it('is held to a schema that takes the published examples and refuses what they must not lack', () => {
  const examples = Object.entries(readOracle('send-request-examples') as Record<string, object>);
  expect(examples.filter(([, example]) => isValid(example)).length).toBeGreaterThanOrEqual(42);
  const body = bodyOf({ type: 'text', text: 'Hello' }) as Record<string, unknown>;
  expect(isValid(body)).toBe(true);
  for (const field of ['messaging_product', 'text', 'to']) {
    expect(isValid({ ...body, [field]: undefined })).toBe(false);
  }
});

it('carries text without a preview', () => {
  expect(bodyOf({ type: 'text', text: 'Hello' })).toMatchObject({
    type: 'text',
    text: { body: 'Hello', preview_url: false },
  });
});

it.each<[MediaKind, string, string, object]>([
  ['image', 'Вот', 'image', { id: 'm1', caption: 'Вот' }],
  ['image', '', 'image', { id: 'm1' }],
  ['video', 'Вот', 'video', { id: 'm1', caption: 'Вот' }],
  ['document', 'Вот', 'document', { id: 'm1', caption: 'Вот', filename: 'a.pdf' }],
  ['audio', '', 'audio', { id: 'm1' }],
  ['voice', '', 'audio', { id: 'm1', voice: true }],
  ['sticker', '', 'sticker', { id: 'm1' }],
])(
  'carries a file of the kind %s with the caption "%s" as %s, and nothing more',
  (kind, caption, type, file) => {
    const body = bodyOf({ type: 'file', kind, media: { id: 'm1', filename: 'a.pdf' }, caption });
    expect(body).toMatchObject({ type });
    expect((body as Record<string, unknown>)[type]).toEqual(file);
  },
);

it('names a user id as recipient, without a to', () => {
  const message = { reference: 'r', to: { userId: 'KZ.134' }, content: { type: 'text', text: 'x' } } as const;
  const body = cloudMessageBody(message);
  expect(body).toMatchObject({ recipient: 'KZ.134' });
  expect(body).not.toHaveProperty('to');
});

it('asks for a phone by the messenger’s own button', () => {
  const to = { userId: 'KZ.13491208655302741918' };
  // The published schema is older than this message.
  expect(
    cloudMessageBody({ reference: 'r', to, content: { type: 'request_phone', text: 'Ваш номер?' } }),
  ).toEqual({
    ...{ messaging_product: 'whatsapp', recipient_type: 'individual', recipient: to.userId },
    ...{ biz_opaque_callback_data: 'r', type: 'interactive' },
    interactive: {
      type: 'request_contact_info',
      body: { text: 'Ваш номер?' },
      action: { name: 'request_contact_info' },
    },
  });
});

it('carries no components for a template without values', () => {
  expect(bodyOf({ type: 'template', name: 'hello', language: 'ru', params: [] })).toHaveProperty('template', {
    name: 'hello',
    language: { code: 'ru' },
  });
});

it('carries every value of a template where the facts put it', () => {
  const template: TemplateContent = {
    type: 'template',
    name: 'visit_reminder',
    language: 'ru',
    params: ['Айгуль', '15:30'],
    header: { type: 'document', media: { link: 'https://a.example/a.pdf', filename: 'a.pdf' } },
    buttons: [
      { type: 'quick_reply', index: 0, payload: 'CONFIRM:88' },
      { type: 'url', index: 1, text: '88%2Fmap?q=да нет' },
      { type: 'copy_code', index: 2, code: 'SAVE10' },
    ],
  };
  expect(bodyOf(template)).toHaveProperty('template.components', [
    {
      type: 'header',
      parameters: [{ type: 'document', document: { link: 'https://a.example/a.pdf', filename: 'a.pdf' } }],
    },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Айгуль' },
        { type: 'text', text: '15:30' },
      ],
    },
    {
      type: 'button',
      sub_type: 'quick_reply',
      index: '0',
      parameters: [{ type: 'payload', payload: 'CONFIRM:88' }],
    },
    {
      type: 'button',
      sub_type: 'url',
      index: '1',
      parameters: [{ type: 'text', text: '88%2Fmap?q=%D0%B4%D0%B0%20%D0%BD%D0%B5%D1%82' }],
    },
    {
      type: 'button',
      sub_type: 'copy_code',
      index: '2',
      parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
    },
  ]);
});

it('names the values of a template with named variables', () => {
  const template: TemplateContent = {
    type: 'template',
    name: 'hi',
    language: 'en',
    params: ['Ann'],
    paramNames: ['first_name'],
    header: { type: 'text', text: 'Sale', name: 'event' },
  };
  expect(bodyOf(template)).toHaveProperty('template.components', [
    { type: 'header', parameters: [{ type: 'text', parameter_name: 'event', text: 'Sale' }] },
    { type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ann' }] },
  ]);
});

it('marks as read, with the typing indicator only where asked', () => {
  const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.IN' };
  expect(cloudReadBody('wamid.IN', false)).toEqual(read);
  expect(cloudReadBody('wamid.IN', true)).toEqual({ ...read, typing_indicator: { type: 'text' } });
});
