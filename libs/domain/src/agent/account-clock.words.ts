import type { HoursSpan, OpeningHours } from '@app/contracts/scenario.words';
import type { AccountClock } from '@app/persistence/agent/thread-context.repository';
import { nextOpening, openAt, passesMidnight } from '../scenarios/definition/send-hours.rules';
import { localParts } from '../scenarios/runs/local-time';

/** What a model is told of the account's clock, so that "tomorrow", "at the weekend" and "are you open?" mean something. */
export function clockInWords({ timezone, opening_hours: hours }: AccountClock, at: Date): string {
  const now = `It is ${momentInWords(at, timezone)}, ${timezone} time.`;
  return hours === null ? now : `${now}\n${hoursInWords(hours, timezone, at)}`;
}

const momentInWords = (at: Date, timezone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: timezone }).format(at);

function hoursInWords({ spans, closed }: OpeningHours, timezone: string, at: Date): string {
  const hours = { spans, closed, timezone };
  const { date: today } = localParts(at, timezone);
  const dates = closed.filter((date) => date >= today).toSorted();
  const exceptions = dates.length === 0 ? '' : `; closed on ${dates.join(', ')}`;
  const told = `Opening hours: ${spans.map(spanInWords).join('; ')}${exceptions}.`;
  if (openAt(hours, at)) return `${told}\nThe business is open now.`;
  const opening = nextOpening(hours, at);
  const next =
    opening === null ? 'no opening is planned' : `opens next on ${momentInWords(opening, timezone)}`;
  return `${told}\nThe business is closed now and ${next}.`;
}

function spanInWords(span: HoursSpan): string {
  const { from, to } = span;
  const days = daysInWords(span.weekdays);
  if (from === '00:00' && (to === '24:00' || to === from)) return `${days} all day`;
  return `${days} ${from} to ${to}${passesMidnight(span) ? ' of the next day' : ''}`;
}

/** Every day; Monday to Friday; or Monday, Wednesday. */
function daysInWords(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((one, other) => one - other);
  if (days.length === 7) return 'every day';
  const [first = 1, last = 1] = [days[0], days.at(-1)];
  const areInARow = days.length > 2 && last - first === days.length - 1;
  return areInARow ? `${dayName(first)} to ${dayName(last)}` : days.map(dayName).join(', ');
}

/** 1 is Monday, as 1 January 2024 was. */
const dayName = (day: number): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  );
