import { ProviderPlaces } from './provider.places';

/** Takes all that the number can get, at most so many. @returns how many. */
function takeAll(places: ProviderPlaces, number: string, most: number): number {
  let taken = 0;
  for (; taken < most && places.has(number); taken += 1) places.take(number);
  return taken;
}

it('gives a dozen numbers with eighty in flight all that they need', () => {
  const places = new ProviderPlaces(1024);
  const taken = Array.from({ length: 11 }, (_, n) => takeAll(places, `${n}`, 80));
  expect(taken).toEqual(Array.from({ length: 11 }, () => 80));
});

it('leaves places to a number that comes when thirteen others have taken what they can', () => {
  const places = new ProviderPlaces(1024);
  for (let n = 0; n < 13; n += 1) takeAll(places, `${n}`, 80);
  expect(takeAll(places, 'new', 80)).toBeGreaterThan(10);
});

it('gives what comes back to who has less', () => {
  const places = new ProviderPlaces(1024);
  for (let n = 0; n < 200; n += 1) takeAll(places, `${n}`, 80);
  expect(places.has('new')).toBe(false);
  places.giveBack('0');
  expect([places.has('0'), places.has('new')]).toEqual([false, true]);
});

it('never gives more than there are, and each again when it is given back', () => {
  const places = new ProviderPlaces(8);
  let taken = 0;
  for (let n = 0; n < 20; n += 1) taken += takeAll(places, `${n}`, 8);
  expect(taken).toBeLessThanOrEqual(8);
  const again = new ProviderPlaces(8);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(takeAll(again, 'a', 8)).toBe(4);
    for (let n = 0; n < 4; n += 1) again.giveBack('a');
  }
});
