import type { SendHours } from '@app/contracts/scenario.words';
import fc from 'fast-check';
import { triesOf } from '../../../../test/support/long.mode';
import { localParts, nextLocalTime } from './runs/local-time';
import { nextOpening, openAt, spreadOver } from './definition/send-hours.rules';

const MINUTE = 60_000;

/** A clock on the wall of a time zone, noted minute by minute for some days. It knows nothing of clock changes. */
interface NotedWall {
  timezone: string;
  /** The first noted instant, in milliseconds. */
  start: number;
  /** What the clock shows at each minute from there: minutes since 1970 by local reckoning. */
  minutes: number[];
}

/**
 * Notes a wall clock by `Intl` alone, each quarter of an hour: clocks change between two. `from` is an instant of ISO 8601 on
 * such a quarter.
 */
function noteWall(timezone: string, from: string, days: number): NotedWall {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const start = Date.parse(from);
  const minutes = Array.from({ length: days * 96 }).flatMap((_, quarter) => {
    const [day, month, year, hour, minute] = format.format(start + quarter * 15 * MINUTE).split(/\D+/);
    const first =
      Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / MINUTE;
    return Array.from({ length: 15 }, (_minute, past) => first + past);
  });
  return { timezone, start, minutes };
}

/** The local date, weekday (1 is Monday) and time of a noted minute. */
function shownBy(minutes: number): { date: string; weekday: number; time: string } {
  const text = new Date(minutes * MINUTE).toISOString();
  return {
    date: text.slice(0, 10),
    weekday: new Date(minutes * MINUTE).getUTCDay() || 7,
    time: text.slice(11, 16),
  };
}

/** The stretches of days in which clocks change, or laws did, with the zones that are hard. */
const HARD_DAYS: readonly (readonly [timezone: string, from: string, days: number])[] = [
  ['Europe/Berlin', '2026-03-20T00:00Z', 22],
  ['Europe/Berlin', '2026-10-16T00:00Z', 22],
  ['America/New_York', '2026-02-27T00:00Z', 22],
  ['America/New_York', '2026-10-23T00:00Z', 22],
  ['Asia/Almaty', '2024-02-21T00:00Z', 22],
  ['Asia/Kathmandu', '2028-02-20T00:00Z', 22],
  // Clocks change at midnight, by half an hour, from 23:00 to midnight, and for a month of the moon.
  ['Africa/Cairo', '2026-04-15T00:00Z', 22],
  ['Australia/Lord_Howe', '2026-09-24T00:00Z', 22],
  ['America/Nuuk', '2026-03-19T00:00Z', 22],
  ['America/Nuuk', '2026-10-16T00:00Z', 22],
  ['Africa/Casablanca', '2026-02-07T00:00Z', 22],
];

/** What the clocks show in the hard days, noted once. */
const walls = HARD_DAYS.map((days) => noteWall(...days));

type Reached = ReturnType<typeof shownBy> & { at: number };

/** Each local minute with the instant at which the clock first shows it, or first has passed it by a jump. */
function reachedIn(wall: NotedWall): Reached[] {
  let highest = wall.minutes[0]!;
  return wall.minutes.flatMap((shown, index) => {
    const local: Reached[] = [];
    while (highest < shown) local.push({ ...shownBy((highest += 1)), at: wall.start + index * MINUTE });
    return local;
  });
}

/** The first such minute after a beginning. */
function walkTo(
  reached: Reached[],
  time: string,
  weekdays: number[],
  from: number,
  atLeastSeconds: number,
): number {
  const found = reached.find(
    (local) =>
      local.at > from &&
      local.at >= from + atLeastSeconds * 1_000 &&
      local.time === time &&
      (weekdays.length === 0 || weekdays.includes(local.weekday)),
  );
  if (found === undefined) throw new Error('the walk is too short');
  return found.at;
}

describe('nextLocalTime', () => {
  it('agrees with a walk minute by minute through the days on which clocks change', () => {
    for (const wall of walls) {
      const reached = reachedIn(wall);
      fc.assert(
        fc.property(
          fc.nat(4 * 1_440),
          fc.nat(1_439),
          fc.subarray([1, 2, 3, 4, 5, 6, 7]),
          fc.oneof(fc.constant(0), fc.nat(2 * 86_400)),
          fc.nat(59_999),
          (offset, minute, weekdays, atLeastSeconds, ms) => {
            // The change is between the eighth day and the eleventh.
            const from = new Date(wall.start + (7 * 1_440 + offset) * MINUTE + ms);
            const time = shownBy(minute).time;
            const found = nextLocalTime({ time, timezone: wall.timezone, weekdays, atLeastSeconds }, from);
            expect(found.getTime()).toBe(walkTo(reached, time, weekdays, from.getTime(), atLeastSeconds));
          },
        ),
        { numRuns: triesOf(15, 50) },
      );
    }
  });
});

describe('localParts', () => {
  it('shows what the wall clock shows, on every day on which clocks change', () => {
    for (const { timezone, start, minutes } of walls) {
      const every17 = minutes
        .map((shown, index) => ({ shown, index }))
        .filter(({ index }) => index % 17 === 0);
      expect(
        every17.map(({ index }) => localParts(new Date(start + index * MINUTE + 59_999), timezone)),
      ).toEqual(every17.map(({ shown }) => shownBy(shown)));
    }
  });
});

const DAY = 1_440;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The stretches of local minutes in which the hours are open, by counting minutes. */
function openMinutes({ spans, closed }: SendHours, days: number[]): Set<number> {
  const open = new Set<number>();
  const isClosed = (day: number): boolean => closed.includes(shownBy(day * DAY).date);
  for (const day of days.filter((each) => !isClosed(each))) {
    for (const { from, to } of spans.filter(({ weekdays }) =>
      weekdays.includes(shownBy(day * DAY).weekday),
    )) {
      const begin = minuteOf(from);
      const end = minuteOf(to) > begin ? minuteOf(to) : minuteOf(to) + DAY;
      for (let minute = begin; minute < end; minute += 1) open.add(day * DAY + minute);
    }
  }
  for (const day of days.filter(isClosed)) {
    for (let minute = 0; minute < DAY; minute += 1) open.delete(day * DAY + minute);
  }
  return open;
}

/** Times about midnight and about the hours in which clocks change, or anywhere. */
const timeOfDay = fc
  .oneof(fc.constantFrom(0, 60, 90, 119, 120, 150, 180, 1_380, 1_410, 1_439), fc.nat(1_439))
  .map((minute) => shownBy(minute).time);

const span = fc.record({
  weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  from: timeOfDay,
  to: fc.oneof(timeOfDay, fc.constant('24:00')),
});

describe('hours', () => {
  it('agree with a walk minute by minute through the days on which clocks change', () => {
    for (const { timezone, start, minutes } of walls) {
      const days = [...new Set(minutes.map((shown) => Math.floor(shown / DAY)))];
      const dates = days.map((day) => shownBy(day * DAY).date);
      fc.assert(
        fc.property(
          fc.array(span, { minLength: 1, maxLength: 3 }),
          fc.subarray(dates.slice(6, 13), { maxLength: 3 }),
          fc.array(fc.nat(5 * DAY), { minLength: 4, maxLength: 4 }),
          fc.nat(59_999),
          (spans, closed, offsets, ms) => {
            const hours = { timezone, spans, closed };
            const open = openMinutes(hours, days);
            for (const index of offsets.map((offset) => 7 * DAY + offset)) {
              const at = start + index * MINUTE + ms;
              const isOpen = open.has(minutes[index]!);
              expect(openAt(hours, new Date(at))).toBe(isOpen);
              const found = minutes.findIndex((shown, n) => n >= index && open.has(shown));
              const opening = nextOpening(hours, new Date(at));
              // A scarce weekday may have no hours before the walk ends.
              if (found < 0)
                expect(opening!.getTime()).toBeGreaterThanOrEqual(start + minutes.length * MINUTE);
              else expect(opening!.getTime()).toBe(isOpen ? at : start + found * MINUTE);
              expect(openAt(hours, spreadOver(hours, opening!, `${at}`))).toBe(true);
            }
          },
        ),
        { numRuns: triesOf(15, 50) },
      );
    }
  });
});
