import { presentLocale } from '../../../../shared/words/language.store';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export type SpanUnit = (typeof UNITS)[number][0];

/** Seconds in one of it. */
export const secondsIn = (unit: SpanUnit): number => UNITS.find(([name]) => name === unit)?.[1] ?? 1;

/** The largest unit of which the seconds are whole ones. */
export const wholeUnit = (seconds: number): SpanUnit =>
  UNITS.find(([, length]) => seconds >= length && seconds % length === 0)?.[0] ?? 'second';

/** A span in full: 1 day 2 hours, or 1 hour 30 minutes. */
export function spanInWords(seconds: number): string {
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(inUnit(count, unit));
  }
  return parts.length > 0 ? parts.join(' ') : inUnit(0, 'minute');
}

const inUnit = (count: number, unit: SpanUnit): string =>
  new Intl.NumberFormat(presentLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);

/** The name of a weekday, 1 is Monday. */
export const weekdayName = (day: number, length: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(presentLocale(), { weekday: length, timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  );
