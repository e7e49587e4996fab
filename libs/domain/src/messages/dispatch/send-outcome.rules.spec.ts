import type { SendOutcome } from './message-sender.port';
import {
  responseText,
  backOffMs,
  retryInMs,
  ruleOutcome,
  type Attempt,
  type Throttled,
} from './send-outcome.rules';

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  accountId: 'account',
  id: 'message',
  token: 'token',
  attempts: 1,
  waitedMs: 0,
  mayWait: true,
  ...more,
});

const throttled = (more: Partial<Throttled> = {}): Throttled => ({
  kind: 'throttled',
  scope: 'number',
  retryAfterMs: null,
  providerCode: 130429,
  message: 'too fast',
  response: { error: 130429 },
  ...more,
});

const NOT_CONNECTED: SendOutcome = { kind: 'not_connected', message: 'refused' };

describe('what is kept of an attempt', () => {
  it('names the attempt by its token, whatever came of it', () => {
    const outcomes: SendOutcome[] = [
      { kind: 'accepted', providerId: 'wamid' },
      { kind: 'unknown', message: 'timeout', response: null },
      throttled(),
      NOT_CONNECTED,
    ];
    for (const outcome of outcomes) {
      expect(ruleOutcome(attempt(), outcome)).toMatchObject({
        accountId: 'account',
        id: 'message',
        token: 'token',
      });
    }
  });

  it.each([
    ['that may wait, five times at most', { attempts: 4 }, { status: 'queued', dueMs: 8_000 }],
    ['that may wait, and no more then', { attempts: 5 }, { status: 'failed', givesBack: true }],
    ['of a reply: it is discarded', { mayWait: false }, { status: 'dropped' }],
  ])('withheld, of a message %s', (_, more, kept) => {
    const outcome: SendOutcome = { kind: 'withheld', message: 'void' };
    expect(ruleOutcome(attempt(more), outcome)).toMatchObject(kept);
  });

  it('accepted: sent, with both ids, counted', () => {
    const outcome: SendOutcome = { kind: 'accepted', providerId: 'wamid', waId: '7701' };
    expect(ruleOutcome(attempt(), outcome)).toMatchObject({
      status: 'sent',
      providerId: 'wamid',
      waId: '7701',
      error: null,
      response: null,
      givesBack: false,
    });
  });

  it.each(['PROVIDER_ERROR', 'BILLING_ERROR'] as const)('refused with %s: failed, given back', (code) => {
    const outcome: SendOutcome = { kind: 'refused', code, providerCode: 1, message: 'no', response: 'no' };
    expect(ruleOutcome(attempt(), outcome)).toMatchObject({
      status: 'failed',
      error: { code, message: 'no', provider_code: 1 },
      response: '"no"',
      givesBack: true,
    });
  });

  it.each([true, false])('unknown: unknown, counted, never queued again (may wait: %s)', (mayWait) => {
    const outcome: SendOutcome = { kind: 'unknown', message: 'timeout', response: null };
    expect(ruleOutcome(attempt({ mayWait }), outcome)).toMatchObject({
      status: 'unknown',
      error: { code: 'PROVIDER_ERROR', message: 'timeout', provider_code: null },
      response: null,
      dueMs: null,
      givesBack: false,
    });
  });

  it('of a single message that is throttled or not connected: failed, given back', () => {
    for (const outcome of [throttled(), throttled({ scope: 'recipient' }), NOT_CONNECTED]) {
      expect(ruleOutcome(attempt({ mayWait: false }), outcome)).toMatchObject({
        status: 'failed',
        givesBack: true,
      });
    }
  });

  it('of a batch whose number is throttled: queued for as long as the provider says, else 2 s, for an hour', () => {
    const dueMs = (waitedMs: number, retryAfterMs: number | null): number | null =>
      ruleOutcome(attempt({ waitedMs }), throttled({ retryAfterMs })).dueMs;
    expect(dueMs(0, 7_000)).toBe(7_000);
    expect(dueMs(0, null)).toBe(2_000);
    expect(dueMs(60 * 60_000, null)).toBe(2_000);
    expect(ruleOutcome(attempt({ waitedMs: 60 * 60_000 + 1 }), throttled())).toMatchObject({
      status: 'failed',
      givesBack: true,
    });
  });

  it('of a number that is throttled again and again: after twice the time each, up to a minute, or as long as said', () => {
    const backOffs = (retryAfterMs: number | null): number[] =>
      [1, 2, 3, 6, 7, 50].map((attempts) => {
        const outcome = throttled({ retryAfterMs });
        const waited = backOffMs(attempt({ attempts }), outcome);
        expect(ruleOutcome(attempt({ attempts }), outcome).dueMs).toBe(waited);
        return waited;
      });
    expect(backOffs(0)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
    expect(backOffs(null)).toEqual([2_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
    expect(backOffs(90_000)).toEqual([90_000, 90_000, 90_000, 90_000, 90_000, 90_000]);
  });

  it('of a message for which there was no slot: queued for a second however often, or failed when no caller waits', () => {
    const outcome: SendOutcome = { kind: 'no_slot', message: 'too many' };
    expect(ruleOutcome(attempt({ attempts: 50 }), outcome)).toMatchObject({ status: 'queued', dueMs: 1_000 });
    expect(ruleOutcome(attempt({ mayWait: false }), outcome)).toMatchObject({
      status: 'failed',
      givesBack: true,
    });
    expect(retryInMs(attempt(), outcome)).toBe(1_000);
  });

  it('of a recipient who is written to too often: after 1, 4, 16 and 64 s, then failed', () => {
    const kept = [1, 2, 3, 4, 5].map((attempts) =>
      ruleOutcome(attempt({ attempts }), throttled({ scope: 'recipient' })),
    );
    expect(kept.map(({ status, dueMs }) => [status, dueMs])).toEqual([
      ['queued', 1_000],
      ['queued', 4_000],
      ['queued', 16_000],
      ['queued', 64_000],
      ['failed', null],
    ]);
  });

  it('of a recipient whom the provider says to try at once: no sooner', () => {
    const kept = [1, 2].map((attempts) =>
      ruleOutcome(attempt({ attempts }), throttled({ scope: 'recipient', retryAfterMs: 0 })),
    );
    expect(kept.map(({ dueMs }) => dueMs)).toEqual([1_000, 4_000]);
  });

  it('of a batch that was not connected: after 1, 2, 4 and 8 s, then failed and given back', () => {
    const kept = [1, 2, 3, 4, 5].map((attempts) => ruleOutcome(attempt({ attempts }), NOT_CONNECTED));
    expect(kept.map(({ status, dueMs, givesBack }) => [status, dueMs, givesBack])).toEqual([
      ['queued', 1_000, false],
      ['queued', 2_000, false],
      ['queued', 4_000, false],
      ['queued', 8_000, false],
      ['failed', null, true],
    ]);
  });
});

describe('the provider’s answer as it is kept', () => {
  it.each([
    [null, null],
    [undefined, null],
    ['text with \u0000', '"text with \\u0000"'],
    [{ a: ['\ud800'] }, '{"a":["\\ud800"]}'],
  ])('%j is %j', (response, text) => expect(responseText(response)).toBe(text));

  it('that is too long is the beginning of its text, and JSON still', () => {
    for (const response of ['x'.repeat(100_000), { long: 'x'.repeat(100_000) }]) {
      const text = responseText(response) ?? '';
      expect(text.length).toBeLessThan(70_000);
      expect(typeof JSON.parse(text)).toBe('string');
    }
  });
});
