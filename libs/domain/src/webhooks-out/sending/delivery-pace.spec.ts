import { DeliveryPace } from './delivery-pace';

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
