import type { DtoClass } from '../http/dto/dto-pipe';
import { refusedAt, taken } from '../../../../test/support/clients/refused.fields';
import { AddNoteBody, MarkReadBody } from './dialog-work.controller';
import {
  GetBatchesBody,
  idempotencyKeyViolations,
  RequestPhoneBody,
  SendTemplateBody,
  SendTextBody,
  SettleMessageBody,
  toSendTemplate,
} from './message.request';

const PHONE = '+77010000001';
const ORDER = {
  bot_id: '01930000-0000-7000-8000-0000000000ff',
  channel: 'waba',
  template_id: 'order_ready',
  to: { phone: PHONE },
};
const BODY_BYTES_MAX = 1024 * 1024;

const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

describe('a template to send', () => {
  it.each<[string, object, string[]]>([
    ['without a bot', { bot_id: undefined }, ['bot_id']],
    ['by a bot_id that is no UUID', { bot_id: 'bot' }, ['bot_id']],
    ['without a channel', { channel: undefined }, ['channel']],
    ['by a channel that does not exist', { channel: 'WABA' }, ['channel']],
    ['without a template', { template_id: undefined }, ['template_id']],
    ['to nobody', { to: undefined }, ['to']],
    ['to an empty list', { to: [] }, ['to']],
    ['to more than a thousand', { to: many(1_001, { phone: PHONE }) }, ['to']],
    ['to a phone without its plus', { to: { phone: '77010000001' } }, ['to.phone']],
    ['to a recipient without a phone', { to: { params: ['a'] } }, ['to.phone']],
    ['to a phone and a dialog', { to: { phone: PHONE, thread_id: 'x' } }, ['to.thread_id']],
    ['to an empty dialog', { to: { thread_id: '' } }, ['to.thread_id']],
    ['with params that are null', { to: { phone: PHONE, params: null } }, ['to.params']],
    ['with an empty value', { to: { phone: PHONE, params: [''] } }, ['to.params[0]']],
    ['with a value that is no string', { to: { phone: PHONE, params: ['a', 1] } }, ['to.params[1]']],
    ['with named values that are a list', { to: { phone: PHONE, named_params: ['a'] } }, ['to.named_params']],
    [
      'with a name that none can have',
      { to: { phone: PHONE, named_params: { A: 'x' } } },
      ['to.named_params'],
    ],
    [
      'with a name of more than a hundred letters',
      { to: { phone: PHONE, named_params: { ['n'.repeat(101)]: 'x' } } },
      ['to.named_params'],
    ],
    [
      'with values of both kinds',
      { to: { phone: PHONE, params: ['a'], named_params: { a: 'x' } } },
      ['to.named_params'],
    ],
    ['with a header that is a text', { to: { phone: PHONE, header: 'Запись' } }, ['to.header']],
    ['with a header of no type', { to: { phone: PHONE, header: {} } }, ['to.header.type']],
    [
      'with a header without its text',
      { to: { phone: PHONE, header: { type: 'text' } } },
      ['to.header.text'],
    ],
    ['with a picture that is nowhere', { to: { phone: PHONE, header: { type: 'image' } } }, ['to.header']],
    [
      'with a picture that is no address',
      { to: { phone: PHONE, header: { type: 'image', link: 'file:///etc/passwd' } } },
      ['to.header.link'],
    ],
    [
      'with a place without its degrees',
      { to: { phone: PHONE, header: { type: 'location' } } },
      ['to.header.latitude', 'to.header.longitude'],
    ],
    ['with buttons that are no list', { to: { phone: PHONE, buttons: {} } }, ['to.buttons']],
    [
      'with a button without its place',
      { to: { phone: PHONE, buttons: [{ type: 'url', text: 'm' }] } },
      ['to.buttons[0].index'],
    ],
    [
      'with one bad recipient of many',
      { to: [{ phone: PHONE }, { phone: 'x' }, { phone: PHONE, params: ['a', ''] }] },
      ['to[1].phone', 'to[2].params[1]'],
    ],
    ['with earlier lists that are none', { earlier_batch_ids: null }, ['earlier_batch_ids']],
    ['with an earlier list that is no text', { earlier_batch_ids: ['a', 5] }, ['earlier_batch_ids']],
    ['with a word for true', { skip_duplicates: 'true' }, ['skip_duplicates']],
  ])('%s is refused at its place', (_, change, paths) => {
    expect(refusedAt(SendTemplateBody, { ...ORDER, ...change })).toEqual(paths);
  });

  it.each<[string, object]>([
    ['how many values there are', { params: many(150, 'x') }],
    ['how long a value is', { params: ['я'.repeat(40_000)] }],
    [
      'how many named values there are',
      { named_params: Object.fromEntries(many(150, 'x').map((value, n) => [`v${n}`, value])) },
    ],
    ['how long a header is', { header: { type: 'text', text: 'x'.repeat(3_000) } }],
    [
      'how long an address of a file is',
      { header: { type: 'image', link: `https://a.kz/${'x'.repeat(3_000)}` } },
    ],
  ])('leaves to the provider %s', (_, values) => {
    const body = { ...ORDER, to: { phone: PHONE, ...values } };
    expect(JSON.parse(JSON.stringify(taken(SendTemplateBody, body)))).toEqual(body);
  });

  it.each<[string, (room: number) => object]>([
    ['values', (room) => ({ params: many(room / 2, 0) })],
    ['buttons', (room) => ({ buttons: many(room / 2, 0) })],
    [
      'named values',
      (room) => ({ named_params: Object.fromEntries(many(room / 12, 0).map((no, n) => [`v${n}`, no])) }),
    ],
  ])('that is full of wrong %s has a list of what is wrong that can be read', (_, fill) => {
    const paths = refusedAt(SendTemplateBody, { ...ORDER, to: { phone: PHONE, ...fill(BODY_BYTES_MAX) } });
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.length).toBeLessThanOrEqual(100);
  });

  it('says which headers and buttons it has as the provider is told of them', () => {
    const to = [
      { phone: PHONE, header: { type: 'text', text: 'A', name: 'who', link: 'x' } },
      { phone: PHONE, header: { type: 'video', id: 'm1', filename: 'a.mp4' } },
      { phone: PHONE, header: { type: 'location', latitude: '1', longitude: '2', address: 'A' } },
      {
        thread_id: 't',
        buttons: [
          { type: 'url', index: 1, text: 'm', payload: 'x' },
          { type: 'quick_reply', index: 0, payload: 'yes' },
          { type: 'copy_code', index: 2, code: 'SAVE' },
        ],
      },
    ];
    expect(toSendTemplate(taken(SendTemplateBody, { ...ORDER, to }) as SendTemplateBody)).toEqual({
      ...{ botId: ORDER.bot_id, channel: 'waba', templateId: 'order_ready', language: 'ru' },
      ...{ skipDuplicates: false, earlierBatchIds: null },
      to: [
        { phone: PHONE, params: [], header: { type: 'text', text: 'A', name: 'who' } },
        { phone: PHONE, params: [], header: { type: 'video', media: { id: 'm1', filename: 'a.mp4' } } },
        {
          phone: PHONE,
          params: [],
          header: { type: 'location', latitude: '1', longitude: '2', address: 'A' },
        },
        {
          threadId: 't',
          params: [],
          buttons: [
            { type: 'url', index: 1, text: 'm' },
            { type: 'quick_reply', index: 0, payload: 'yes' },
            { type: 'copy_code', index: 2, code: 'SAVE' },
          ],
        },
      ],
    });
  });
});

const LONGEST = ['ж'.repeat(4_096), '😀'.repeat(2_048)];
const NO_WORDS = ['', ' \n\t', '\u200b \u2060\u200d', 'ж'.repeat(4_097), null, 5, ['text']];

it.each<[string, DtoClass, object, Record<string, unknown[]>]>([
  ['a text', SendTextBody, { thread_id: 'x' }, { text: NO_WORDS, media_id: ['', 7, null] }],
  ['a note', AddNoteBody, { thread_id: 'x', text: 'x' }, { text: [undefined, ...NO_WORDS] }],
  [
    'a mark of what was read',
    MarkReadBody,
    { thread_id: 'x', up_to: 'x' },
    { up_to: [undefined, '', 5], tell_customer: ['true', null, 1] },
  ],
  [
    'what a person found',
    SettleMessageBody,
    { id: 'x', outcome: 'sent' },
    { outcome: [undefined, 'delivered', 'unknown', null] },
  ],
  [
    'a page of lists',
    GetBatchesBody,
    {},
    { limit: [0, 201, '5', null], cursor: ['', 5, null], bot_id: ['x', null] },
  ],
])('%s is refused at each wrong field', (_, dtoClass, base, fields) => {
  expect(refusedAt(dtoClass, base)).toEqual([]);
  for (const [field, wrongs] of Object.entries(fields))
    for (const wrong of wrongs)
      expect([field, wrong, refusedAt(dtoClass, { ...base, [field]: wrong })]).toEqual([
        field,
        wrong,
        [field],
      ]);
});

it.each([SendTextBody, AddNoteBody])('%p keeps its text to the letter', (dtoClass) => {
  for (const text of [...LONGEST, `'; DROP TABLE messages; --`, '<b>later</b> 📞\n'])
    expect(taken(dtoClass, { thread_id: 'x', text })).toMatchObject({ text });
});

it('an Idempotency-Key is 1 to 255 visible ASCII characters', () => {
  for (const key of [undefined, 'order-4711', '!~', 'x'.repeat(255)])
    expect([key, idempotencyKeyViolations(key)]).toEqual([key, []]);
  for (const key of ['', 'x'.repeat(256), 'with a blank', 'ключ', 'a\n'])
    expect([key, idempotencyKeyViolations(key).map(({ path }) => path)]).toEqual([key, ['Idempotency-Key']]);
});

describe('a request for the phone', () => {
  it.each([
    ['none', undefined],
    ['a letter', 'x'],
    ['the longest', 'x'.repeat(1_024)],
  ])('may have %s as its text', (_, text) => {
    expect(refusedAt(RequestPhoneBody, { thread_id: 'thread_1', text })).toEqual([]);
  });

  it.each([
    ['an empty one', ''],
    ['a longer one', 'x'.repeat(1_025)],
    ['null', null],
    ['a number', 5],
  ])('may not have %s', (_, text) => {
    expect(refusedAt(RequestPhoneBody, { thread_id: 'thread_1', text })).toEqual(['text']);
  });
});
