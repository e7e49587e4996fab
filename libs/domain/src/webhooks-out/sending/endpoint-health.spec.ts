import { faultOf, outcomeOf, type EndedAttempt } from './delivery-outcome';
import { EndpointHealth } from './endpoint-health';

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
