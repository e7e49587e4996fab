import fc from 'fast-check';
import { SendPacer } from './send-pacer';

let now = 0;
const pacerOf = (perSecond: number, mostRecipients?: number) =>
  new SendPacer(perSecond, () => now, mostRecipients);

beforeEach(() => {
  now = 1_000_000;
});

/** Sends as soon as allowed, to the recipients one after the other, until the time is over; gives the times. */
function sendFor(pacer: SendPacer, durationMs: number, recipientAt: (index: number) => string): number[] {
  const end = now + durationMs;
  const times: number[] = [];
  for (;;) {
    const recipient = recipientAt(times.length);
    now += pacer.waitFor(recipient);
    if (now >= end) return times;
    times.push(now);
    pacer.take(recipient);
  }
}

it('lets a number send one second’s worth at once, then at its rate', () => {
  const times = sendFor(pacerOf(20), 10_000, (index) => `+7${index}`);
  expect(times.filter((time) => time === 1_000_000)).toHaveLength(20);
  expect(times).toHaveLength(20 + 10 * 20 - 1);
});

it('never lets a number send more than its rate and one burst, however the calls fall', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }),
      (rate, pauses) => {
        const pacer = pacerOf(rate);
        const began = now;
        let sent = 0;
        for (const pause of pauses) {
          now += pause;
          if (pacer.waitFor(`+7${sent}`) > 0) continue;
          pacer.take(`+7${sent}`);
          sent += 1;
          expect(sent).toBeLessThanOrEqual(rate + ((now - began) / 1000) * rate + 1e-6);
        }
      },
    ),
    { numRuns: 100 },
  );
});

it('lets a recipient get 45 at once, then one in 6 s, and others at once', () => {
  const pacer = pacerOf(1000);
  const times = sendFor(pacer, 60_000, () => '+7701');
  expect(times.filter((time) => time < 1_001_000)).toHaveLength(45);
  expect(times.slice(45)).toEqual(Array.from({ length: 9 }, (_, index) => 1_006_000 + index * 6_000));
  expect(pacer.waitFor('+7701')).toBe(0);
  pacer.take('+7701');
  expect(pacer.waitFor('+7701')).toBe(6_000);
  expect(pacer.waitFor('+7702')).toBe(0);
});

it('pauses one recipient and then goes slowly, without a pause for others', () => {
  const pacer = pacerOf(80);
  pacer.pauseRecipient('+7701', 4_000);
  expect([pacer.waitFor('+7701'), pacer.waitFor('+7702')]).toEqual([4_000, 0]);
  now += 4_000;
  expect(pacer.waitFor('+7701')).toBe(0);
  pacer.take('+7701');
  expect(pacer.waitFor('+7701')).toBe(6_000);
});

it('tells how long a recipient alone has to wait, with others before it', () => {
  const pacer = pacerOf(1);
  expect(pacer.waitForRecipient('+7701', 100)).toBe(0);
  for (let n = 0; n < 45; n += 1) pacer.take('+7701');
  expect([0, 1, 2].map((before) => pacer.waitForRecipient('+7701', before))).toEqual([6_000, 12_000, 18_000]);
  expect(pacer.waitForRecipient('+7702')).toBe(0);
  expect(pacer.waitFor('+7702')).toBeGreaterThan(0);
});

it('remembers no more recipients than its bound, and forgets the one used longest ago', () => {
  const pacer = pacerOf(1_000_000, 3);
  for (let n = 0; n < 46; n += 1) pacer.take('+7701');
  expect(pacer.waitFor('+7701')).toBe(12_000);
  pacer.take('+7702');
  pacer.take('+7703');
  expect(pacer.waitFor('+7701')).toBe(12_000);
  pacer.take('+7704');
  expect(pacer.waitFor('+7701')).toBe(0);
});

it('gives a time back as if it had not been taken', () => {
  const pacer = pacerOf(1);
  for (let n = 0; n < 45; n += 1) pacer.take('+7701');
  const before = [pacer.waitFor('+7702'), pacer.waitForRecipient('+7701')];
  pacer.take('+7701');
  pacer.giveBack('+7701');
  expect([pacer.waitFor('+7702'), pacer.waitForRecipient('+7701')]).toEqual(before);
});
