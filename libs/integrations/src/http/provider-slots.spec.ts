import { ProviderSlots } from './provider-slots';

/** Takes all slots that the number can get, up to a maximum. @returns how many. */
function takeAll(slots: ProviderSlots, number: string, most: number): number {
  let taken = 0;
  for (; taken < most && slots.has(number); taken += 1) slots.take(number);
  return taken;
}

it('gives a dozen numbers with eighty in flight all that they need', () => {
  const slots = new ProviderSlots(1024);
  const taken = Array.from({ length: 11 }, (_, n) => takeAll(slots, `${n}`, 80));
  expect(taken).toEqual(Array.from({ length: 11 }, () => 80));
});

it('leaves slots to a number that comes when thirteen others have taken what they can', () => {
  const slots = new ProviderSlots(1024);
  for (let n = 0; n < 13; n += 1) takeAll(slots, `${n}`, 80);
  expect(takeAll(slots, 'new', 80)).toBeGreaterThan(10);
});

it('gives what comes back to who has less', () => {
  const slots = new ProviderSlots(1024);
  for (let n = 0; n < 200; n += 1) takeAll(slots, `${n}`, 80);
  expect(slots.has('new')).toBe(false);
  slots.giveBack('0');
  expect([slots.has('0'), slots.has('new')]).toEqual([false, true]);
});

it('never gives more than there are, and each again when it is given back', () => {
  const slots = new ProviderSlots(8);
  let taken = 0;
  for (let n = 0; n < 20; n += 1) taken += takeAll(slots, `${n}`, 8);
  expect(taken).toBeLessThanOrEqual(8);
  const again = new ProviderSlots(8);
  for (let round = 0; round < 3; round += 1) {
    expect(takeAll(again, 'a', 8)).toBe(4);
    for (let n = 0; n < 4; n += 1) again.giveBack('a');
  }
});
