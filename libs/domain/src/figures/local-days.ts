import { Temporal } from 'temporal-polyfill';

/** A local day of a time zone, or the part of it that lies within a span. Times are ISO 8601, `to` is not part of it. */
export interface LocalDay {
  /** `YYYY-MM-DD`. */
  date: string;
  from: string;
  to: string;
}

/**
 * The local days of a span, in order and without gaps: the first begins with the span, the last ends with it. A day lasts
 * 23 or 25 hours where clocks change, and is left out where the calendar leaves it out.
 * @throws RangeError where the time zone is unknown
 */
export function localDays(from: Date, to: Date, timezone: string): LocalDay[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timezone);
  const days: LocalDay[] = [{ date: dateOf(first), from: from.toISOString(), to: to.toISOString() }];
  for (let date = first.toPlainDate().add({ days: 1 }); ; date = date.add({ days: 1 })) {
    const start = date.toZonedDateTime(timezone);
    const last = days.at(-1);
    if (start.epochMilliseconds >= to.getTime() || !last) return days;
    if (dateOf(start) !== date.toString()) continue;
    last.to = new Date(start.epochMilliseconds).toISOString();
    days.push({ date: dateOf(start), from: last.to, to: to.toISOString() });
  }
}

const dateOf = (local: Temporal.ZonedDateTime): string => local.toPlainDate().toString();
