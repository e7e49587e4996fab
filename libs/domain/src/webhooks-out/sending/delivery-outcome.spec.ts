import {
  probeInMs,
  retryInMs,
  faultOf,
  isGone,
  outcomeOf,
  type EndedAttempt,
  EndpointHealth,
  DeliveryPace,
} from './delivery-outcome';
import type { WebhookOutcome } from './webhook-sender.port';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** From a failed attempt to the next, as it is promised. */
const PROMISED = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
const TENTH = PROMISED.length + 1;

describe('The schedule of retries', () => {
  it.each(PROMISED.map((waitMs, index) => [index + 1, waitMs]))(
    'tries again after attempt %i in %i ms, a tenth more or less',
    (tries, waitMs) => {
      const [soonest, usual, latest] = [0, 0.5, 1].map((random) => retryInMs(tries, null, random));
      expect(usual).toBeCloseTo(waitMs, 6);
      expect(soonest).toBeCloseTo(waitMs * 0.9, 6);
      expect(latest).toBeCloseTo(waitMs * 1.1, 6);
    },
  );

  it('does not try again after the tenth', () => {
    expect(retryInMs(TENTH, null)).toBeNull();
    expect(retryInMs(TENTH, MINUTE)).toBeNull();
  });

  it('waits as long as the receiver asks for, and never less than it would', () => {
    expect(retryInMs(1, MINUTE, 0.5)).toBe(MINUTE);
    expect(retryInMs(2, MINUTE, 0.5)).toBe(5 * MINUTE);
  });
});

describe('Probes of an endpoint that fails', () => {
  it('have no pause before the tenth failure in a row, then one that doubles up to fifteen seconds', () => {
    expect([0, 1, 9].map(probeInMs)).toEqual([0, 0, 0]);
    expect([10, 11, 12, 13, 14, 15, 1_000].map(probeInMs)).toEqual(
      [1, 2, 4, 8, 15, 15, 15].map((seconds) => seconds * SECOND),
    );
  });
});

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

const ended = (status: number): EndedAttempt =>
  outcomeOf({ id: 'a', tries: 0 }, new Date(), {
    status,
    ms: 1,
    error: null,
    reason: null,
    retryAfterMs: null,
  });
const OUR_FAULT = faultOf({ id: 'a', tries: 0 }, new Date(), 'no_body');

describe('The health of an endpoint', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts failures in a row, up to one that passes', () => {
    const health = new EndpointHealth(3);
    expect(health.failuresAfter([ended(500), ended(404)])).toBe(5);
    expect(health.failuresAfter([ended(500), ended(204), ended(500)])).toBe(1);
    expect(health.failuresAfter([ended(204)])).toBe(0);
  });

  it('is neither better nor worse by a fault of ours', () => {
    const health = new EndpointHealth(3);
    expect(health.failuresAfter([OUR_FAULT, OUR_FAULT])).toBe(3);
    expect(health.failuresAfter([OUR_FAULT, ended(500)])).toBe(4);
  });

  it('gives ten requests at once, one after ten failures in a row, and ten again once one has passed', () => {
    const health = new EndpointHealth(9);
    expect(health.atOnce).toBe(10);
    health.settle(10);
    expect(health.atOnce).toBe(1);
    health.settle(0);
    expect(health.atOnce).toBe(10);
    expect(new EndpointHealth(10).atOnce).toBe(1);
  });

  it('gives nothing for the time between two probes', () => {
    const health = new EndpointHealth(0);
    health.settle(9);
    expect(health.pausedMs).toBe(0);
    health.settle(12);
    expect(health.pausedMs).toBe(4_000);
    jest.advanceTimersByTime(3_000);
    expect(health.pausedMs).toBe(1_000);
    jest.advanceTimersByTime(1_000);
    expect(health.pausedMs).toBe(0);
  });
});

describe('The pace of an endpoint', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([1, 3, 10, 20, 500])('is at most %i in any second, and hardly fewer', (most) => {
    const pace = new DeliveryPace();
    const begun: number[] = [];
    const took = (): void => {
      for (let room = pace.room(most); room > 0; room--) {
        pace.take();
        begun.push(performance.now());
      }
    };
    const until = performance.now() + 20_000;
    while (performance.now() < until) {
      took();
      // A timer is late now and then.
      jest.advanceTimersByTime(Math.ceil(pace.waitMs(most)) + (begun.length % 7 === 0 ? 40 : 1));
    }
    const inASecond = begun.map((at, n) => begun.slice(n).filter((other) => other < at + 1_000).length);
    expect(Math.max(...inASecond)).toBeLessThanOrEqual(most);
    expect(begun.length).toBeGreaterThanOrEqual(20 * most * 0.9);
  });

  it('is any where none was asked for', () => {
    const pace = new DeliveryPace();
    for (let n = 0; n < 1_000; n++) pace.take();
    expect([pace.room(null), pace.waitMs(null)]).toEqual([Infinity, 0]);
  });
});
