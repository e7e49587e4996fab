import { faultOf, isGone, outcomeOf } from './delivery-outcome';
import type { WebhookOutcome } from './webhook-sender.port';

const AT = new Date('2026-03-01T10:00:00Z');
const outcome = (status: number | null, more: Partial<WebhookOutcome> = {}): WebhookOutcome => ({
  ...{ status, ms: 12.4, error: null, reason: null, retryAfterMs: null },
  ...more,
});
const delivery = (tries = 0) => ({ id: 'a', tries });

describe('What becomes of a delivery', () => {
  it.each([200, 201, 204, 299])('passes by %i', (status) => {
    expect(outcomeOf(delivery(), AT, outcome(status))).toEqual({
      ...{ id: 'a', tries: 0, state: 'delivered', againMs: null, isOurFault: false },
      attempt: { at: '2026-03-01T10:00:00.000Z', status, ms: 12, error: null, reason: null },
    });
  });

  it.each([null, 100, 199, 300, 302, 400, 404, 410, 429, 500, 503])('is tried again by %p', (status) => {
    const { state, againMs } = outcomeOf(delivery(), AT, outcome(status));
    expect(state).toBe('pending');
    expect(againMs).toBeGreaterThanOrEqual(4_500);
    expect(againMs).toBeLessThanOrEqual(5_500);
  });

  it('waits as long as the receiver asks for', () => {
    expect(outcomeOf(delivery(), AT, outcome(503, { retryAfterMs: 60_000 })).againMs).toBe(60_000);
  });

  it('fails by its tenth attempt, and not by its ninth', () => {
    expect(outcomeOf(delivery(8), AT, outcome(500)).state).toBe('pending');
    expect(outcomeOf(delivery(9), AT, outcome(500))).toMatchObject({ state: 'failed', againMs: null });
    expect(outcomeOf(delivery(9), AT, outcome(204)).state).toBe('delivered');
  });

  it('is tried again where the fault is ours, and says so', () => {
    expect(faultOf(delivery(), AT, 'no_body')).toMatchObject({
      ...{ state: 'pending', isOurFault: true },
      attempt: { status: null, ms: 0, error: 'the event could not be made into a body', reason: 'no_body' },
    });
  });

  it('disables its endpoint by 410 alone', () => {
    expect([null, 204, 404, 410, 500].filter((status) => isGone({ status }))).toEqual([410]);
  });
});
