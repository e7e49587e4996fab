import { WaitingLines } from './run-paces';

let now = 0;
let lines: WaitingLines;
const join = (count: number, freeInMs = 0): number[] =>
  Array.from({ length: count }, () => lines.join('number', freeInMs, 10));

beforeEach(() => {
  now = 1_000_000;
  lines = new WaitingLines(() => now);
});

it('gives each who waits a place behind the others, at the pace', () => {
  expect(join(3)).toEqual([0, 100, 200]);
  now += 150;
  expect(join(2)).toEqual([150, 250]);
  expect(join(1, 5_000)).toEqual([5_000]);
  expect(lines.join('another', 0, 10)).toBe(0);
});

it('is occupied as long as those who wait come back, and free behind the last', () => {
  join(100);
  for (let n = 0; n < 100; n += 1) {
    expect(lines.isOccupied('number')).toBe(true);
    lines.comesBack('number');
    now += 100;
  }
  now += 2_000;
  expect(lines.isOccupied('number')).toBe(false);
  expect(join(1)).toEqual([0]);
});

it('is forgotten when nobody comes back', () => {
  join(10_000);
  now += 1_500;
  expect(lines.isOccupied('number')).toBe(true);
  now += 600;
  expect(lines.isOccupied('number')).toBe(false);
  expect(join(1)).toEqual([0]);
});

it('lets others go before a line whose first time is far', () => {
  join(10, 60_000);
  expect(lines.isOccupied('number')).toBe(false);
  now += 59_800;
  expect(lines.isOccupied('number')).toBe(true);
});
