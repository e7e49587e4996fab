import { presentLocale } from '../words/language.store';
import { serverNow } from './server-clock';

const two = (number: number): string => String(number).padStart(2, '0');

/** A moment as `<input type="datetime-local">` has it, by the clock of this browser: 2026-03-05T14:05 */
export function localInput(at: string): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** What is left of a countdown: 14:20, or 1:05:00 from an hour on. The clock may be late by a second, so no second is begun. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const cache = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = presentLocale();
  const key = `${locale} ${JSON.stringify(options)}`;
  let made = cache.get(key);
  if (!made) cache.set(key, (made = new Intl.DateTimeFormat(locale, options)));
  return made;
}

/** 14:05, or 2:05 PM where that is usual */
export const clockTime = (at: string | Date): string => format({ timeStyle: 'short' }).format(new Date(at));

const isOfYear = (date: Date, now: Date): boolean => date.getFullYear() === now.getFullYear();

/** 5 March, with the year where it is not this one. */
export function dayName(at: string | Date, now: Date = new Date(serverNow())): string {
  const date = new Date(at);
  return format({ day: 'numeric', month: 'long', year: isOfYear(date, now) ? undefined : 'numeric' }).format(
    date,
  );
}

/** 5 Mar, 14:05, with the year where it is not this one. */
export function dateAndTime(at: string | Date, now: Date = new Date(serverNow())): string {
  const date = new Date(at);
  const year = isOfYear(date, now) ? undefined : 'numeric';
  const day = format({ day: 'numeric', month: 'short', year }).format(date);
  // The clock stands by itself: together with a day, British English writes 0:11 for 00:11.
  // Words stay with their numbers: "26 нояб." and "2025 г." are not torn apart by the end of a line.
  return `${day}, ${clockTime(date)}`.replace(/ (?=\D)/g, '\u00a0');
}

/** 2026-03-05 by the clock of this browser. It tells days apart. */
export function dayKey(at: string | Date): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** 14:05, with the day where it is not today. */
export const momentOf = (at: string): string =>
  dayKey(at) === dayKey(new Date(serverNow())) ? clockTime(at) : `${dayName(at)}, ${clockTime(at)}`;

/** How long ago something began, as {@link spanOf}; null within its first minute. */
export function spanSince(at: string, now: number): string | null {
  const span = now - Date.parse(at);
  return span < MINUTE ? null : spanOf(span);
}

/** The largest unit of a span: 5 min, 3 hr, 12 days. */
export function spanOf(milliseconds: number): string {
  const [value, unit] =
    milliseconds >= DAY
      ? ([milliseconds / DAY, 'day'] as const)
      : milliseconds >= HOUR
        ? ([milliseconds / HOUR, 'hour'] as const)
        : ([Math.max(0, milliseconds) / MINUTE, 'minute'] as const);
  const words = new Intl.NumberFormat(presentLocale(), { style: 'unit', unit, unitDisplay: 'short' });
  return words.format(Math.floor(value));
}
