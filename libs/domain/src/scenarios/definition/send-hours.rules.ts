import { createHash } from 'node:crypto';
import type { FieldViolation } from '@app/contracts/coded.errors';
import type { HoursSpan, OpeningHours, SendHours } from '@app/contracts/scenario.words';
import { isObject } from '@app/contracts/json-object';
import {
  areWeekdays,
  clockChangeOf,
  dateAfter,
  isDate,
  isTimeOfDay,
  isTimezone,
  localParts,
  occurrencesOf,
  weekdayOf,
} from '../runs/local-time';

/** Spans of one week at most: four for each of its days. */
const SPANS_MAX = 28;
/** Closed dates at most. */
const CLOSED_MAX = 366;
/** How far an opening is looked for. */
const SEARCH_DAYS = 400;
const MINUTE_MS = 60_000;
/** What waited for the opening is spread over this time after it. */
const SPREAD_MS = 15 * MINUTE_MS;

const END_OF_DAY = '24:00';

export const NO_HOURS = 'must be an object, or null for no hours';

/**
 * Violations of hours as an admin gives them. Null is valid: no hours, always open. `closed` may be absent.
 * @param path of the hours in the request, such as `send_hours`
 */
export function violationsOfSendHours(value: unknown, path: string): FieldViolation[] {
  if (value === null) return [];
  if (!isObject(value)) return [{ path, message: NO_HOURS }];
  const { timezone } = value;
  const message = 'must be an IANA time zone such as Asia/Almaty';
  return [
    ...(typeof timezone === 'string' && isTimezone(timezone) ? [] : [{ path: `${path}.timezone`, message }]),
    ...violationsOfOpeningHours(value, path),
  ];
}

/** Violations of hours whose clock is said elsewhere; else as {@link violationsOfSendHours}. */
export function violationsOfOpeningHours(value: unknown, path: string): FieldViolation[] {
  if (value === null) return [];
  if (!isObject(value)) return [{ path, message: NO_HOURS }];
  const { spans, closed } = value;
  const violations: FieldViolation[] = [];
  if (!Array.isArray(spans) || spans.length === 0 || spans.length > SPANS_MAX) {
    violations.push({ path: `${path}.spans`, message: `must be an array of 1 to ${SPANS_MAX} spans` });
  } else {
    violations.push(...spans.flatMap((span, index) => violationsOfSpan(span, `${path}.spans[${index}]`)));
  }
  if (closed === undefined) return violations;
  if (!Array.isArray(closed) || closed.length > CLOSED_MAX) {
    const message = `must be an array of at most ${CLOSED_MAX} dates`;
    return [...violations, { path: `${path}.closed`, message }];
  }
  const wrong = [...closed.keys()].filter((index) => !isDate(closed[index]));
  const message = 'must be a date of the calendar, such as 2026-12-31';
  return [...violations, ...wrong.map((index) => ({ path: `${path}.closed[${index}]`, message }))];
}

function violationsOfSpan(span: unknown, path: string): FieldViolation[] {
  if (!isObject(span)) return [{ path, message: 'must be an object' }];
  const violations: FieldViolation[] = [];
  if (!areWeekdays(span.weekdays)) {
    const message = 'must be different numbers from 1, Monday, to 7, Sunday';
    violations.push({ path: `${path}.weekdays`, message });
  }
  if (!isTimeOfDay(span.from)) {
    violations.push({ path: `${path}.from`, message: 'must be a time of day, 00:00 to 23:59' });
  }
  if (!isTimeOfDay(span.to) && span.to !== END_OF_DAY) {
    violations.push({ path: `${path}.to`, message: 'must be a time of day, 00:00 to 24:00' });
  }
  return violations;
}

/** Hours without violations, as they are stored: known fields only, with the dates that may be absent. */
export function sendHoursOf(given: unknown): SendHours | null {
  const hours = openingHoursOf(given);
  return hours && { timezone: (given as SendHours).timezone, ...hours };
}

/** Likewise of hours whose clock is said elsewhere. */
export function openingHoursOf(given: unknown): OpeningHours | null {
  if (given === null) return null;
  const { spans, closed = [] } = given as Omit<OpeningHours, 'closed'> & Partial<OpeningHours>;
  return { spans: spans.map(({ weekdays, from, to }) => ({ weekdays, from, to })), closed };
}

export const passesMidnight = ({ from, to }: HoursSpan): boolean => to <= from;

const weekdayBefore = (weekday: number): number => ((weekday + 5) % 7) + 1;

/**
 * Whether hours are open at an instant. Null hours are always open.
 *
 * The wall clock of the time zone decides: a span is open from `from` until just before `to`, on the weekdays on which
 * it begins. It passes midnight where `to` is not after `from`; equal times are 24 hours. An hour that comes twice is
 * open twice; one that is left out is not open. A closed date has no hours from midnight to midnight: a span of the
 * evening before ends there, and a span of that date does not begin, its part after midnight included.
 * @throws RangeError where the time zone is unknown
 */
export function openAt(hours: SendHours | null, at: Date): boolean {
  if (hours === null) return true;
  const { date, weekday, time } = localParts(at, hours.timezone);
  if (hours.closed.includes(date)) return false;
  const isOpenSinceToday = hours.spans.some(
    (span) =>
      span.weekdays.includes(weekday) && time >= span.from && (passesMidnight(span) || time < span.to),
  );
  if (isOpenSinceToday) return true;
  if (hours.closed.includes(dateAfter(date, -1))) return false;
  return hours.spans.some(
    (span) => passesMidnight(span) && span.weekdays.includes(weekdayBefore(weekday)) && time < span.to,
  );
}

/**
 * The first instant, at `at` or later, at which the hours are open; null where there is none within 400 days. Null
 * hours are open at `at`.
 * @throws RangeError where the time zone is unknown
 */
export function nextOpening(hours: SendHours | null, at: Date): Date | null {
  if (hours === null || openAt(hours, at)) return at;
  const today = localParts(at, hours.timezone).date;
  for (let days = 0; days <= SEARCH_DAYS; days += 1) {
    const date = dateAfter(today, days);
    if (!mayOpenOn(hours, date)) continue;
    const opening = changesOf(hours, date).find((change) => change > at && openAt(hours, change));
    if (opening !== undefined) return opening;
  }
  return null;
}

/** Whether a span begins on a local date, or reaches into it. It passes over most dates without hours cheaply. */
function mayOpenOn({ spans, closed }: SendHours, date: string): boolean {
  if (closed.includes(date)) return false;
  const weekday = weekdayOf(date);
  return spans.some(
    (span) =>
      span.weekdays.includes(weekday) ||
      (passesMidnight(span) && span.weekdays.includes(weekdayBefore(weekday))),
  );
}

/** The instants of a local date at which closed hours may become open, in their order. */
function changesOf({ timezone, spans }: SendHours, date: string): Date[] {
  const begun = spans.filter(({ weekdays }) => weekdays.includes(weekdayOf(date)));
  const times = new Set(begun.map(({ from }) => from));
  const changes = [...times].flatMap((time) => occurrencesOf(date, time, timezone));
  const clockChange = clockChangeOf(date, timezone);
  if (clockChange !== null) changes.push(clockChange);
  return changes.sort((one, other) => one.getTime() - other.getTime());
}

/**
 * When something that waited for an opening is sent: within the first 15 minutes, and before the hours close. The same
 * key gets the same instant for the same opening. Where there are no hours, it is the opening itself.
 * @param opening what `nextOpening` found for closed hours
 * @param key what waited, such as the id of a run
 */
export function spreadOver(hours: SendHours | null, opening: Date, key: string): Date {
  if (hours === null) return opening;
  const latest = opening.getTime() + SPREAD_MS;
  // Hours end on whole minutes.
  let end = (Math.floor(opening.getTime() / MINUTE_MS) + 1) * MINUTE_MS;
  while (end < latest && openAt(hours, new Date(end))) end += MINUTE_MS;
  const share = createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32;
  return new Date(opening.getTime() + Math.floor(share * (Math.min(end, latest) - opening.getTime())));
}
