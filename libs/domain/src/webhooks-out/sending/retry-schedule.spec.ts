import { probeInMs, retryInMs } from './retry-schedule';

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
