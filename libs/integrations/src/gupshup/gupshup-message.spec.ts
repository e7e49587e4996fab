import type { MediaKind } from '@app/contracts/media.words';
import type { OutgoingContent } from '@app/domain/messages/dispatch/message-sender.port';
import type { ProviderAnswer } from '../http/provider-exchange';
import { gupshupMessageForm, readGupshupOutcome } from './gupshup-message-sender';

const formOf = (content: Parameters<typeof gupshupMessageForm>[3]): Record<string, string> =>
  Object.fromEntries(gupshupMessageForm('+7 701 000-00-01', 'ClinicApp', '+77020000002', content));

const outcomeOf = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  sent: OutgoingContent['type'] = 'text',
) =>
  readGupshupOutcome(
    {
      kind: 'answered',
      status,
      headers,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      overlong: false,
    } satisfies ProviderAnswer,
    'key',
    sent,
  );

const WHO = {
  channel: 'whatsapp',
  source: '77010000001',
  destination: '77020000002',
  'src.name': 'ClinicApp',
};

describe('the form of a message', () => {
  it('of text carries it as JSON, to digits alone', () => {
    expect(formOf({ type: 'text', text: 'Да & нет = ?' })).toEqual({
      ...WHO,
      message: '{"type":"text","text":"Да & нет = ?"}',
      disablePreview: 'true',
    });
  });

  it.each<[MediaKind, string, object]>([
    ['image', 'Да', { type: 'image', originalUrl: 'https://x/f', previewUrl: 'https://x/f', caption: 'Да' }],
    ['image', '', { type: 'image', originalUrl: 'https://x/f', previewUrl: 'https://x/f' }],
    ['video', 'Да', { type: 'video', url: 'https://x/f', caption: 'Да' }],
    ['audio', '', { type: 'audio', url: 'https://x/f' }],
    ['voice', '', { type: 'audio', url: 'https://x/f' }],
    ['sticker', '', { type: 'sticker', url: 'https://x/f' }],
    ['document', 'Да', { type: 'file', url: 'https://x/f', filename: 'a.pdf', caption: 'Да' }],
  ])(
    'of a file of the kind %s, with the caption "%s", has the fields of the kind',
    (kind, caption, message) => {
      const media = { link: 'https://x/f', filename: 'a.pdf' };
      const form = formOf({ type: 'file', kind, media, caption });
      expect({ ...form, message: JSON.parse(form.message ?? '') as unknown }).toEqual({ ...WHO, message });
    },
  );

  it('of a template carries its UUID and the values: header, body, buttons', () => {
    const content: OutgoingContent = {
      type: 'template',
      name: '3f0c1d52-0000-4a11-8c11-7f2d1b2c0001',
      language: 'ru',
      params: ['Aida', '10:30'],
      header: { type: 'text', text: 'Sale' },
      buttons: [
        { type: 'copy_code', index: 3, code: 'SAVE10' },
        { type: 'url', index: 2, text: 'a b' },
        { type: 'quick_reply', index: 0, payload: 'confirm:9d1' },
      ],
    };
    expect(formOf(content)).toEqual({
      ...WHO,
      template: JSON.stringify({ id: content.name, params: ['Sale', 'Aida', '10:30', 'a%20b', 'SAVE10'] }),
      postbackTexts: '[{"index":0,"text":"confirm:9d1"}]',
    });
  });

  it('of a template with a file or a location in its header carries that as the message', () => {
    const base = { type: 'template', name: 'x', language: 'ru', params: [] } as const;
    const messageOf = (header: (typeof base & OutgoingContent & { type: 'template' })['header']): unknown =>
      JSON.parse(formOf({ ...base, header }).message ?? '');
    const link = 'https://a.example/a';
    expect(messageOf({ type: 'image', media: { link, filename: 'a.jpg' } })).toEqual({
      type: 'image',
      image: { link },
    });
    expect(messageOf({ type: 'video', media: { id: 'm1' } })).toEqual({ type: 'video', video: { id: 'm1' } });
    expect(messageOf({ type: 'document', media: { link, filename: 'a.pdf' } })).toEqual({
      type: 'document',
      document: { link, filename: 'a.pdf' },
    });
    expect(messageOf({ type: 'location', latitude: '43.2', longitude: '76.9', name: 'N' })).toEqual({
      type: 'location',
      location: { longitude: '76.9', latitude: '43.2', name: 'N' },
    });
  });
});

describe('an answer of Gupshup', () => {
  it('accepts with any 2xx that has an id and no error, whatever its word', () => {
    for (const status of ['submitted', 'success', undefined]) {
      expect(outcomeOf(202, { status, messageId: '7b1d' })).toMatchObject({
        kind: 'accepted',
        providerId: '7b1d',
      });
    }
    expect(outcomeOf(200, { status: 'submitted' })).toMatchObject({ kind: 'unknown' });
    expect(outcomeOf(200, { status: 'error', message: 'No', messageId: '7b1d' })).toMatchObject({
      kind: 'refused',
      message: 'No',
    });
  });

  it('names a template’s id beside the key for a template only', () => {
    const messageOf = (sent: OutgoingContent['type']) =>
      outcomeOf(401, 'Portal User Not Found With APIKey', {}, sent);
    expect(messageOf('template')).toMatchObject({ message: expect.stringMatching(/API key.*template id/) });
    for (const sent of ['text', 'file'] as const)
      expect(messageOf(sent)).toMatchObject({ message: expect.not.stringContaining('template') });
  });

  it('refuses with a remedy for each documented wording, object or bare string', () => {
    const refusals: [number, unknown, RegExp][] = [
      [400, { status: 'error', message: 'Invalid Destination' }, /phone/],
      [400, { status: 'error', message: 'Invalid App Details' }, /app_name/],
      [400, { message: 'Callback Billing must be enabled for this API' }, /switched on/],
      [401, { message: 'Authentication Failed' }, /API key/],
      [401, '"Portal User Not Found With APIKey"', /API key/],
      [401, 'Portal User Not Found With APIKey', /API key/],
      [400, { status: 'error', message: 'template is odd' }, /^template is odd$/],
      [404, '<html>x</html>', /HTTP status 404/],
      [400, '', /HTTP status 400/],
    ];
    for (const [status, body, message] of refusals) {
      expect(outcomeOf(status, body)).toMatchObject({
        kind: 'refused',
        code: 'PROVIDER_ERROR',
        providerCode: null,
        message: expect.stringMatching(message) as unknown,
      });
    }
  });

  it('recognises an empty wallet by its words, its code and status 402', () => {
    for (const body of [
      { message: 'Unable to send message | Check your wallet balance' },
      { message: 'Insufficient funds' },
      { code: 1003, message: 'x' },
      { error: { code: '131042' } },
    ]) {
      expect(outcomeOf(400, body)).toMatchObject({ kind: 'refused', code: 'BILLING_ERROR' });
    }
    expect(outcomeOf(402, '')).toMatchObject({ kind: 'refused', code: 'BILLING_ERROR' });
  });

  it('reads Meta’s codes where they are passed through', () => {
    expect(outcomeOf(400, { error: { code: 131050 } })).toMatchObject({
      optedOut: true,
      providerCode: 131050,
    });
    expect(outcomeOf(400, { code: 131056 })).toMatchObject({ kind: 'throttled', scope: 'recipient' });
    expect(outcomeOf(400, { code: '130429' })).toMatchObject({ kind: 'throttled', scope: 'number' });
  });

  it('throttles by 429, for as long as either header says', () => {
    const headers = { 'x-rate-limit-retry-after-seconds': '2' };
    expect(outcomeOf(429, { message: 'Too Many Requests' }, headers)).toMatchObject({
      kind: 'throttled',
      scope: 'number',
      retryAfterMs: 2000,
    });
    expect(outcomeOf(429, '')).toMatchObject({ kind: 'throttled', retryAfterMs: null });
  });
});
