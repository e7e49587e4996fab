import { readFileSync } from 'node:fs';
import type { ProviderAnswer } from '../http/provider-exchange';
import { readCloudOutcome } from './cloud-outcome-reader';

const TOKEN = 'EAABsecretTokenOfOurs/1';

const readOracle = (name: string): unknown =>
  JSON.parse(readFileSync(`${process.cwd()}/test/oracle/${name}.json`, 'utf8'));

const answered = (status: number, body: unknown, headers: Record<string, string> = {}): ProviderAnswer => ({
  kind: 'answered',
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  overlong: false,
});

const outcomeOf = (status: number, body: unknown, headers?: Record<string, string>) =>
  readCloudOutcome(answered(status, body, headers), TOKEN);

const error = (code: number, more: object = {}): object => ({
  error: { message: `(#${code}) Title`, code, ...more },
});

interface ErrorExample {
  path: string;
  name: string;
  status: string;
  body: { error: { code: number } };
}

const errors = readOracle('error-examples') as ErrorExample[];

describe('the published examples', () => {
  it.each(
    errors.map((example, index) => ({ ...example, title: `${index} ${example.status} ${example.name}` })),
  )('of an error: $title', ({ status, body }) => {
    const { code } = body.error;
    const outcome = outcomeOf(Number(status), body);
    const isThrottle = Number(status) === 429 || [4, 17, 613, 80007, 130429].includes(code);
    expect(outcome.kind).toBe(Number(status) >= 500 ? 'unknown' : isThrottle ? 'throttled' : 'refused');
    if (outcome.kind === 'refused')
      expect(outcome).toMatchObject({ code: 'PROVIDER_ERROR', providerCode: code });
    if (outcome.kind !== 'not_connected') expect(outcome).toHaveProperty('response', body);
    expect('message' in outcome && outcome.message.length).toBeGreaterThan(10);
  });

  it('of an answer to a message are accepted by the id they give', () => {
    const answers = Object.entries(
      readOracle('send-response-examples') as Record<string, { messages?: { id: string }[] }>,
    );
    const outcomes = answers.map(([, body]) => ({ body, outcome: outcomeOf(200, body) }));
    for (const { body, outcome } of outcomes) {
      const providerId = body.messages?.[0]?.id;
      if (providerId === undefined) expect(outcome).toMatchObject({ kind: 'unknown', response: body });
      else expect(outcome).toMatchObject({ kind: 'accepted', providerId });
    }
    expect(outcomes.filter(({ outcome }) => outcome.kind === 'accepted').length).toBeGreaterThan(40);
  });
});

describe('an accepted message', () => {
  const id = 'wamid.A=';

  it('has the number by which WhatsApp knows the customer, where that is one', () => {
    const body = { contacts: [{ input: '+521', wa_id: '5215550001111' }], messages: [{ id }] };
    expect(outcomeOf(200, body)).toEqual({
      kind: 'accepted',
      providerId: id,
      waId: '5215550001111',
    });
    for (const contacts of [undefined, [], [{}], [{ wa_id: 'WHATSAPP_ID' }], [{ wa_id: 7 }], 'x']) {
      expect(outcomeOf(201, { contacts, messages: [{ id }] })).not.toHaveProperty('waId');
    }
  });
});

describe('a throttled number', () => {
  it.each([4, 17, 613, 80007, 130429])('is recognised by code %d, whatever the refusal’s status', (code) => {
    for (const status of [400, 403, 422, 429]) {
      expect(outcomeOf(status, error(code))).toMatchObject({
        kind: 'throttled',
        scope: 'number',
        providerCode: code,
        retryAfterMs: null,
      });
    }
  });

  it('is recognised by status 429 without any code', () => {
    expect(outcomeOf(429, 'slow down')).toMatchObject({
      kind: 'throttled',
      scope: 'number',
      providerCode: null,
      response: 'slow down',
    });
  });

  it('is one customer only by code 131056', () => {
    expect(outcomeOf(400, error(131056))).toMatchObject({ kind: 'throttled', scope: 'recipient' });
  });

  it('waits as the answer says: seconds, a date by the answer’s own clock, or minutes of usage', () => {
    const usage =
      '{"9001":[{"estimated_time_to_regain_access":3},{"estimated_time_to_regain_access":0}],"x":1}';
    const waits: [Record<string, string>, number | null][] = [
      [{ 'retry-after': '7' }, 7000],
      [{ 'retry-after': '0' }, 0],
      [{ 'retry-after': '1.5' }, 1500],
      [{ 'retry-after': '99999999' }, 86_400_000],
      [{ 'retry-after': '-1' }, null],
      [{ 'retry-after': 'soon' }, null],
      [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' }, 30_000],
      [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
      [{ 'x-business-use-case-usage': usage }, 180_000],
      [{ 'x-business-use-case-usage': usage, 'retry-after': '2' }, 2000],
      [{ 'x-business-use-case-usage': 'nonsense' }, null],
    ];
    for (const [headers, retryAfterMs] of waits) {
      expect(outcomeOf(429, error(130429), headers)).toMatchObject({ retryAfterMs });
    }
  });
});

describe('a refusal', () => {
  it('is one of money by code 131042 and by status 402', () => {
    expect(outcomeOf(400, error(131042))).toMatchObject({
      kind: 'refused',
      code: 'BILLING_ERROR',
      providerCode: 131042,
    });
    expect(outcomeOf(402, 'pay')).toMatchObject({
      kind: 'refused',
      code: 'BILLING_ERROR',
      providerCode: null,
    });
  });

  it('says that the customer opted out by code 131050 only', () => {
    expect(outcomeOf(400, error(131050))).toMatchObject({ kind: 'refused', optedOut: true });
    expect(outcomeOf(400, error(131026))).not.toHaveProperty('optedOut');
  });

  it('says what to do, in the provider’s own words where the code is unknown', () => {
    expect(outcomeOf(404, error(132001))).toMatchObject({
      message: expect.stringContaining('approved template'),
    });
    expect(outcomeOf(400, error(132000, { error_data: { details: 'body: 1 of 2' } }))).toMatchObject({
      message: expect.stringContaining('body: 1 of 2'),
    });
    expect(outcomeOf(400, error(777, { error_data: 'a plain string' }))).toMatchObject({
      message: 'a plain string',
      providerCode: 777,
    });
    expect(outcomeOf(404, '<html>')).toMatchObject({
      kind: 'refused',
      message: 'WhatsApp refused the request with HTTP status 404.',
      response: '<html>',
    });
  });

  it('is valid when its body is too long to be read', () => {
    const answer = { ...answered(400, `{"error":${'['.repeat(65_527)}`), overlong: true } as ProviderAnswer;
    const outcome = readCloudOutcome(answer, TOKEN);
    expect(outcome).toMatchObject({ kind: 'refused', providerCode: null });
    expect(outcome).toHaveProperty('response', expect.stringMatching(/^\{"error":\[+$/));
  });
});

describe('our credential', () => {
  it('is in no response and no message, however it is echoed', () => {
    const escaped = TOKEN.replaceAll('/', '\\/');
    const bodies = [
      error(777, { error_data: `bad ${TOKEN}` }),
      { error: { code: 190, message: `Bearer ${TOKEN}`, [TOKEN]: [[TOKEN]] } },
      `{"error":{"code":190,"message":"${escaped}"}}`,
      `not JSON ${TOKEN} and ${encodeURIComponent(TOKEN)} and ${escaped}`,
    ];
    for (const body of bodies) {
      for (const status of [200, 302, 400, 429, 500]) {
        expect(JSON.stringify(outcomeOf(status, body)).replaceAll('\\\\', '\\')).not.toMatch(/secretToken/);
      }
    }
    const cut: ProviderAnswer = {
      kind: 'lost',
      reason: 'x',
      body: Buffer.from(`echo ${TOKEN.slice(0, 15)}`),
    };
    expect(readCloudOutcome(cut, TOKEN)).toMatchObject({ response: 'echo ***' });
  });
});

describe('a response', () => {
  it('can be stored as JSON and text, whatever came', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const bodies = [
      deep,
      '{"a":"\\u0000\\ud83d"}',
      Buffer.alloc(65_536, 0xff),
      '\u0000\u0000',
      'null',
      '7',
      '',
      '{"__proto__":{"a":1}}',
    ];
    for (const body of bodies) {
      const answer = { ...answered(500, ''), body: Buffer.from(body) } as ProviderAnswer;
      const { response } = readCloudOutcome(answer, TOKEN) as { response: unknown };
      const stored = JSON.stringify(response);
      expect(stored.isWellFormed()).toBe(true);
      expect(stored).not.toMatch(/\\u0000|\\ud83d/);
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(65_538);
      expect(response).not.toBeNull();
    }
    expect(readCloudOutcome({ kind: 'lost', reason: 'x', body: null }, TOKEN)).toMatchObject({
      response: null,
    });
  });
});
