import type { ProviderEvent, WebhookItem } from '@app/domain/webhooks/provider-events';
import fc from 'fast-check';
import { ProviderWebhookReaders } from './provider-webhook-readers';
import { processorMsOf } from '../../../../test/support/processor.time';
import { triesOf } from '../../../../test/support/long.mode';

const PROVIDERS = ['cloud', 'gupshup'] as const;
const readers = new ProviderWebhookReaders();
const LONE_OR_NUL = /\0|\\u0000|\\ud[89a-f]/i;

const message = (id: string, given: object = {}): object => ({
  from: '77010000001',
  id,
  timestamp: '1760000000',
  type: 'text',
  text: { body: 'Да' },
  ...given,
});
const bodyWith = (messages: unknown[]): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { id: '9', changes: [{ field: 'messages', value: { metadata: { phone_number_id: '1' }, messages } }] },
    ],
  });
const read = (text: string | Buffer, provider: 'cloud' | 'gupshup' = 'cloud'): WebhookItem[] =>
  readers.of(provider).read(Buffer.from(text));
const only = (items: WebhookItem[]): any => {
  expect(items).toHaveLength(1);
  return (items[0] as { event: ProviderEvent }).event;
};

describe('one item of ten that cannot be understood', () => {
  it.each([
    ['null', null],
    ['a number', 7],
    ['a text', 'x'],
    ['a list', []],
    ['no message', {}],
    ['without a sender', message('wamid.4', { from: undefined })],
    ['of a hostile name', message('wamid.4', { from: { toString: 1 } })],
    ['nested a hundred thousand times', 'DEEP'],
  ])('as %s leaves the other nine', (_, poison) => {
    const messages: unknown[] = Array.from({ length: 10 }, (_unused, index) => message(`wamid.${index}`));
    messages[4] = poison;
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const items = read(bodyWith(messages).replace('"DEEP"', `{"text":${deep}}`));
    const ids = items.map((item) =>
      'event' in item && item.event.kind === 'message' ? item.event.messageId : item,
    );
    expect(ids.filter((id) => typeof id === 'string')).toEqual(
      [0, 1, 2, 3, 5, 6, 7, 8, 9].map((n) => `wamid.${n}`),
    );
    expect(ids[4]).toMatchObject({
      path: 'entry[0].changes[0].value.messages[4]',
      reason: expect.any(String),
      raw: poison === 'DEEP' ? expect.stringMatching(/^\{"text":\[+$/) : JSON.stringify(poison),
    });
  });
});

describe.each(PROVIDERS)('the reader of %s', (provider) => {
  it('passes over an empty body', () => {
    expect(read(' \n', provider)).toEqual([{ path: '', ignored: 'nothing' }]);
  });

  it.each([
    ['no JSON', '{"object":'],
    ['a form', 'payload=1&x=2'],
    ['cut within a character', Buffer.from('{"a":"я').subarray(0, 7)],
  ])('takes a body that is %s as one error of the whole', (_, text) => {
    expect(read(text, provider)).toEqual([
      { path: '', reason: 'the body is not JSON', raw: new TextDecoder().decode(Buffer.from(text)) },
    ]);
  });

  it.each(['null', '7', '"x"', '[]', '{}', '{"entry":7}', '{"entry":[{"changes":7}]}', '{"type":"message"}'])(
    'takes %s as an error',
    (text) => {
      expect(read(text, provider)).toMatchObject([{ reason: expect.any(String), raw: expect.any(String) }]);
    },
  );

  it('takes a body behind a byte order mark', () => {
    expect(read(`\ufeff${bodyWith([message('wamid.1')])}`, provider)).toMatchObject([
      { event: { messageId: 'wamid.1' } },
    ]);
  });

  it('never throws, whatever JSON comes', () => {
    const anything = fc.jsonValue({ maxDepth: 6 });
    const known = fc.constantFrom(
      'messages',
      'history',
      'smb_message_echoes',
      'smb_app_state_sync',
      'user_preferences',
      'account_update',
      'message_template_status_update',
      'template_category_update',
      '__proto__',
    );
    const field = fc.record({
      field: known,
      value: fc.oneof(
        anything,
        fc.dictionary(
          fc.constantFrom(
            'metadata',
            'messages',
            'statuses',
            'history',
            'message_echoes',
            'state_sync',
            'event',
            'errors',
            'contacts',
          ),
          anything,
        ),
      ),
    });
    const envelope = fc.record({
      entry: fc.array(fc.record({ changes: fc.array(fc.oneof(field, anything)) })),
    });
    const event = fc.record({
      type: fc.constantFrom(
        'message',
        'message-event',
        'user-event',
        'template-event',
        'account-event',
        'preference-event',
      ),
      payload: anything,
    });
    fc.assert(
      fc.property(fc.oneof(anything, envelope, event), (body) => {
        for (const item of read(JSON.stringify(body), provider)) expect(typeof item.path).toBe('string');
      }),
      { numRuns: triesOf(300, 1_000) },
    );
  });

  it('never throws, whatever single value of a message is another', () => {
    const odd = fc.constantFrom<unknown>(
      null,
      7,
      -1,
      1e300,
      '',
      '\0',
      '\ud800',
      [],
      [[]],
      {},
      true,
      '__proto__',
      'x'.repeat(300),
    );
    const names = [
      'from',
      'id',
      'timestamp',
      'type',
      'text',
      'context',
      'image',
      'system',
      'edit',
      'source',
      'payload',
      'status',
      'errors',
      'gsId',
    ];
    const types = fc.constantFrom(
      'text',
      'image',
      'system',
      'edit',
      'contacts',
      'interactive',
      'order',
      'failed',
      'enqueued',
      'quick_reply',
      'file',
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), odd), types, (given, type) => {
        const item = { ...message('wamid.1', { type, [type]: given }), ...given };
        read(bodyWith([item]), provider);
        read(JSON.stringify({ type: 'message', payload: { ...item, type, payload: given } }), provider);
        read(JSON.stringify({ type: 'message-event', payload: { ...item, type, payload: given } }), provider);
      }),
      { numRuns: triesOf(300, 1_000) },
    );
  });

  it('never throws, wherever a body ends', () => {
    const whole = Buffer.from(bodyWith([message('wamid.1', { text: { body: 'Ещё 👍' } })]));
    for (let end = 0; end <= whole.length; end += 1) read(whole.subarray(0, end), provider);
  });

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['arrays without end', '['.repeat(100_000)],
    ['objects', '{"entry":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ])('takes %s in one another as an error, with their beginning', (_, text) => {
    const [item] = read(text, provider);
    expect(item).toMatchObject({ raw: expect.stringMatching(/^[[{]/) });
  });
});

it('an edit of an edit is unsupported, however deep', () => {
  const edits = '{"type":"edit","edit":{"original_message_id":"1","message":'.repeat(5_000);
  const item = `{"from":"77010000001","id":"wamid.1",${edits.slice(1)}1${'}}'.repeat(5_000)}`;
  expect(read(bodyWith(['EDIT']).replace('"EDIT"', item))).toMatchObject([
    { path: 'entry[0].changes[0].value.messages[0]', event: { body: { type: 'unsupported' } } },
  ]);
});

describe('what is read', () => {
  it('has U+FFFD for NUL and halves of surrogate pairs', () => {
    const text = `{"a":"\\u0000 \\ud83d x"}`;
    const given = { text: { body: 'BODY' }, context: { referred_product: { product_retailer_id: 'BODY' } } };
    const contacts = [{ wa_id: '77010000001', profile: { name: 'BODY' } }];
    const body = bodyWith([message('wamid.1', given)])
      .replace('"messages":', `"contacts":${JSON.stringify(contacts)},"messages":`)
      .replaceAll('BODY', text.slice(6, -2));
    const event = only(read(body));
    expect([event.body.text, event.from.name, event.body.words]).toEqual([
      '\ufffd \ufffd x',
      '\ufffd \ufffd x',
      ['\ufffd \ufffd x'],
    ]);
    expect(JSON.stringify(event)).not.toMatch(LONE_OR_NUL);
  });

  it('has at most 64 KiB of text, without half a character at the end', () => {
    const { text } = only(read(bodyWith([message('wamid.1', { text: { body: 'я'.repeat(40_000) } })]))).body;
    expect([Buffer.byteLength(text), /^я+$/.test(text)]).toEqual([65_536, true]);
    const emoji = only(read(bodyWith([message('wamid.1', { text: { body: `x${'👍'.repeat(40_000)}` } })])))
      .body.text;
    expect([Buffer.byteLength(emoji) <= 65_536, /^x(👍)+$/u.test(emoji)]).toEqual([true, true]);
  });

  it('has names of at most 255 characters', () => {
    const image = { id: '1', filename: 'ф'.repeat(1_000), mime_type: 'x'.repeat(1_000) };
    const { media } = only(read(bodyWith([message('wamid.1', { type: 'image', image })]))).body.content;
    expect([media.filename, media.mime_type.length]).toEqual(['ф'.repeat(255), 255]);
  });

  it.each([
    [
      'contacts',
      Array.from({ length: 2_000 }, () => ({
        name: { formatted_name: '"'.repeat(200) },
        vcard: '\n'.repeat(2_000),
      })),
    ],
    [
      'order',
      {
        catalog_id: '1',
        product_items: Array.from({ length: 5_000 }, () => ({ product_retailer_id: 'я'.repeat(1_000) })),
      },
    ],
    ['interactive', { type: 'nfm_reply', nfm_reply: { body: 'x', response_json: '"'.repeat(100_000) } }],
  ])('has content of at most 32 KiB, for %s too', (type, payload) => {
    const { content } = only(read(bodyWith([message('wamid.1', { type, [type]: payload })]))).body;
    const bytes = Buffer.byteLength(JSON.stringify(content));
    expect([bytes <= 32 * 1024, bytes > 4 * 1024]).toEqual([true, true]);
  });

  it('rejects a thousand items of a body one by one, and the others with the whole', () => {
    const items = read(bodyWith(Array.from({ length: 1_005 }, () => 7)));
    expect(items).toHaveLength(1_001);
    expect(items.at(-1)).toMatchObject({ path: '', reason: '5 further items cannot be understood' });
  });

  it('of the largest body is there in time that does not grow by the square of its items', () => {
    const messages = Array.from({ length: 24_000 }, (_, index) => message(`wamid.${index}`));
    const contacts = messages.map((_, index) => ({ wa_id: String(77_010_000_000 + index) }));
    const body = bodyWith(messages).replace(
      '"messages":',
      `"contacts":${JSON.stringify(contacts)},"messages":`,
    );
    expect(processorMsOf(() => expect(read(body)).toHaveLength(24_000))).toBeLessThan(10_000);
  });
});
