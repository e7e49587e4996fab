import { ElapsedTime, TimedSendPermit } from './elapsed-time';

const VALID_MS = 500;

/** A permit after its two clocks have advanced by the given times. */
function permitAfter(steadyMs: number, wallMs: number): TimedSendPermit {
  const permit = new TimedSendPermit(new ElapsedTime(), VALID_MS);
  const [steady, wall] = [performance.now(), Date.now()];
  jest.spyOn(performance, 'now').mockReturnValue(steady + steadyMs);
  jest.spyOn(Date, 'now').mockReturnValue(wall + wallMs);
  return permit;
}

afterEach(() => jest.restoreAllMocks());

it.each([
  ['at once', 0, 0, true],
  ['in time', 450, 450, true],
  ['too late', 500, 500, false],
  ['after its machine slept, in which the steady clock stood still', 1, 10_000, false],
  ['after the wall clock was set back', 10_000, 0, false],
  ['where the wall clock was set back by an hour', 1, -3_600_000, false],
])('a permission that is looked at %s is valid or not: %i ms, %i ms, %s', (_, steady, wall, valid) => {
  expect(permitAfter(steady, wall).isValid()).toBe(valid);
});

it('a permit that is used says so', () => {
  const onUse = jest.fn();
  const permit = new TimedSendPermit(new ElapsedTime(), VALID_MS, onUse);
  permit.isValid();
  expect(onUse).not.toHaveBeenCalled();
  permit.used();
  expect(onUse).toHaveBeenCalledTimes(1);
});
