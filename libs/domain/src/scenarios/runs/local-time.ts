import { Temporal } from 'temporal-polyfill';

const MS = 1_000;
/** Days of a search for a weekday: a week, and the day on which the time is over already. */
const DAYS_OF_WEEK_SEARCH = 9;

/** What a clock on the wall of a time zone shows. */
export interface LocalParts {
  /** `YYYY-MM-DD`. */
  date: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** `HH:MM`, 00:00 to 23:59; seconds are cut off. */
  time: string;
}

/** A daily moment of a time zone, on some weekdays or on all. */
export interface LocalMoment {
  /** `HH:MM`, 00:00 to 23:59. */
  time: string;
  /** A name for which `isTimezone` holds. */
  timezone: string;
  /** 1 is Monday; absent or empty: every day. */
  weekdays?: readonly number[];
  /** The moment is so many seconds after the beginning, at least. */
  atLeastSeconds?: number;
}

/**
 * Whether the product knows the time zone: a name of the IANA database, old or new, in any letter case, such as
 * `Asia/Almaty`, `Europe/Kiev`, `Europe/Kyiv`, `UTC`. Offsets such as `+05:00` are refused: they know no clock changes.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, name).epochMilliseconds === 0;
  } catch {
    return false;
  }
}

/** Whether a value is a local time of day, `00:00` to `23:59`. */
export const isTimeOfDay = (value: unknown): value is string =>
  typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);

/** Whether a value is a list of weekdays, one at least and none twice; 1 is Monday, 7 is Sunday. */
export const areWeekdays = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length === new Set(value).size &&
  value.every((day) => Number.isInteger(day) && day >= 1 && day <= 7);

/** Whether a value is a date of the calendar, `YYYY-MM-DD`. */
export const isDate = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  dateAfter(value, 0) === value;

/**
 * The local date, weekday and time of an instant.
 * @throws RangeError where the time zone is unknown
 */
export function localParts(at: Date, timezone: string): LocalParts {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
  const text = local.toString({ smallestUnit: 'minute', offset: 'never', timeZoneName: 'never' });
  return { date: text.slice(0, 10), weekday: local.dayOfWeek, time: text.slice(11) };
}

/** The date that is some days after another one; fewer than 0: before it. Both are `YYYY-MM-DD`. */
export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The weekday of a date `YYYY-MM-DD`; 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00Z`).getUTCDay() || 7;

/**
 * The instants at which a local date and time occur: one as a rule, none where a clock change leaves them out, two
 * where a clock change repeats them, the earlier one first.
 * @throws RangeError where the time zone is unknown
 */
export function occurrencesOf(date: string, time: string, timezone: string): Date[] {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`);
  const found = (['earlier', 'later'] as const)
    .map((disambiguation) => local.toZonedDateTime(timezone, { disambiguation }))
    .filter((zoned) => zoned.toPlainDateTime().equals(local))
    .map((zoned) => zoned.epochMilliseconds);
  return [...new Set(found)].map((ms) => new Date(ms));
}

/**
 * The clock change of a local date, those at its midnights included; null where there is none.
 * @throws RangeError where the time zone is unknown
 */
export function clockChangeOf(date: string, timezone: string): Date | null {
  const midnight = Temporal.PlainDateTime.from(date);
  const start = midnight.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const end = midnight.add({ days: 1 }).toZonedDateTime(timezone, { disambiguation: 'later' });
  if (start.offsetNanoseconds === end.offsetNanoseconds) return null;
  const change = start.getTimeZoneTransition('next');
  return change === null ? null : new Date(change.epochMilliseconds);
}

/**
 * The first such moment after `from` and not before `from` + `atLeastSeconds`. A moment at `from` itself is over; one at
 * exactly `from` + `atLeastSeconds` is taken.
 *
 * A time that a clock change leaves out means the instant to which the clock jumps, on the weekday that it would have
 * been. A time that comes twice means its first occurrence. A caller that computes a moment again passes the same
 * `from`: the answer changes only where the law of the time zone did.
 * @throws RangeError where the time zone is unknown, or no weekday is one
 */
export function nextLocalTime(moment: LocalMoment, from: Date): Date {
  const { time, timezone, weekdays = [], atLeastSeconds = 0 } = moment;
  const earliest = new Date(from.getTime() + atLeastSeconds * MS);
  const today = localParts(earliest, timezone).date;
  for (let days = 0; days < DAYS_OF_WEEK_SEARCH; days += 1) {
    const date = dateAfter(today, days);
    if (weekdays.length > 0 && !weekdays.includes(weekdayOf(date))) continue;
    const at = occurrencesOf(date, time, timezone)[0] ?? clockChangeOf(date, timezone);
    if (at !== null && at > from && at >= earliest) return at;
  }
  throw new RangeError('a moment needs a weekday from 1 to 7');
}
