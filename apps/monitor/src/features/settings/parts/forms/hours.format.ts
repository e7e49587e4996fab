import type { OpeningHoursSchema } from '@app/client/api-types';
import { settingsWords } from '../../settings.words';

/** Hours of the week, and dates without, as they stand in a form. */
export interface HoursDraft {
  spans: { weekdays: string[]; from: string; to: string }[];
  /** As it is typed, a date a line. */
  closed: string;
}

const WORKING_DAYS = ['1', '2', '3', '4', '5'];

export const newSpan = () => ({ weekdays: WORKING_DAYS, from: '09:00', to: '18:00' });

/** @param hours null: those that are offered where there are none */
export const hoursDraftOf = (hours: OpeningHoursSchema | null): HoursDraft =>
  hours === null
    ? { spans: [newSpan()], closed: '' }
    : {
        spans: hours.spans.map((span) => ({ ...span, weekdays: span.weekdays.map(String) })),
        closed: hours.closed.join('\n'),
      };

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** As operations take them, where the form has no violations. */
export const hoursOf = ({ spans, closed }: HoursDraft): OpeningHoursSchema => ({
  spans: spans.map((span) => ({ ...span, weekdays: span.weekdays.map(Number).sort() })),
  closed: linesOf(closed),
});

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** @param counts whether the form has hours; else nothing is wrong with them */
export function hoursChecks<Values>(counts: (values: Values) => boolean) {
  const say = settingsWords.say;
  const where =
    <Value>(check: (value: Value) => string | null) =>
    (value: Value, values: Values): string | null =>
      counts(values) ? check(value) : null;
  return {
    spans: {
      weekdays: where((days: string[]) => (days.length === 0 ? say('dayNeeded') : null)),
      from: where((time: string) => (CLOCK.test(time) ? null : say('timeWrong'))),
      to: where((time: string) => (CLOCK.test(time) || time === '24:00' ? null : say('timeWrong'))),
    },
    closed: where((text: string) =>
      linesOf(text).every((line) => /^\d{4}-\d{2}-\d{2}$/.test(line)) ? null : say('closedWrong'),
    ),
  };
}

/**
 * The field of a path of the server's: closed dates are one field.
 * @param at where the hours are in the form
 */
export const toHoursField = (path: string, at: string): string =>
  path.startsWith(`${at}.closed.`) ? `${at}.closed` : path;
