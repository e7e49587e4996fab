import type { SendHours } from '@app/contracts/scenario.words';
import {
  nextOpening,
  openAt,
  sendHoursOf,
  spreadOver,
  violationsOfOpeningHours,
  violationsOfSendHours,
} from './send-hours.rules';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WEEK = [1, 2, 3, 4, 5];

const hours = (from: string, to: string, rest: Partial<SendHours> = {}, weekdays = EVERY_DAY): SendHours => ({
  timezone: 'Asia/Almaty',
  spans: [{ weekdays, from, to }],
  closed: [],
  ...rest,
});

const open = (given: SendHours, at: string): boolean => openAt(given, new Date(at));
const next = (given: SendHours, at: string): string | undefined =>
  nextOpening(given, new Date(at))?.toISOString();

/** From each instant to whether the hours are open then. */
const table = (given: SendHours, ...instants: string[]): Record<string, boolean> =>
  Object.fromEntries(instants.map((at) => [at, open(given, at)]));

describe('openAt', () => {
  it('is open from the first minute until just before the last', () => {
    expect(
      table(
        hours('09:00', '18:00'),
        '2026-11-23T08:59:59.999+05:00',
        '2026-11-23T09:00:00+05:00',
        '2026-11-23T17:59:59.999+05:00',
        '2026-11-23T18:00:00+05:00',
      ),
    ).toEqual({
      '2026-11-23T08:59:59.999+05:00': false,
      '2026-11-23T09:00:00+05:00': true,
      '2026-11-23T17:59:59.999+05:00': true,
      '2026-11-23T18:00:00+05:00': false,
    });
  });

  it('takes the weekdays of the time zone, 1 being Monday', () => {
    const given = hours('00:00', '24:00', {}, [1]);
    expect(open(given, '2026-11-22T23:59:59+05:00')).toBe(false);
    expect(open(given, '2026-11-23T00:00:00+05:00')).toBe(true);
    expect(open(given, '2026-11-23T23:59:59+05:00')).toBe(true);
    expect(open(given, '2026-11-24T00:00:00+05:00')).toBe(false);
  });

  it('takes several spans a day', () => {
    const spans = [
      { weekdays: WEEK, from: '09:00', to: '13:00' },
      { weekdays: WEEK, from: '14:00', to: '18:00' },
    ];
    const given = hours('', '', { spans });
    const at = (time: string) => open(given, `2026-11-23T${time}:00+05:00`);
    expect(['12:59', '13:00', '13:59', '14:00'].map(at)).toEqual([true, false, false, true]);
  });

  it('lets a span pass midnight into the next day, whatever its weekday', () => {
    const friday = hours('22:00', '02:00', {}, [5]);
    expect(open(friday, '2026-11-27T21:59:00+05:00')).toBe(false);
    expect(open(friday, '2026-11-27T22:00:00+05:00')).toBe(true);
    expect(open(friday, '2026-11-28T01:59:00+05:00')).toBe(true);
    expect(open(friday, '2026-11-28T02:00:00+05:00')).toBe(false);
    expect(open(friday, '2026-11-27T01:00:00+05:00')).toBe(false);
    expect(open(hours('22:00', '02:00', {}, [7]), '2026-11-30T01:00:00+05:00')).toBe(true);
  });

  it('takes equal times as 24 hours', () => {
    const monday = hours('09:00', '09:00', {}, [1]);
    expect(open(monday, '2026-11-23T08:59:00+05:00')).toBe(false);
    expect(open(monday, '2026-11-23T09:00:00+05:00')).toBe(true);
    expect(open(monday, '2026-11-24T08:59:00+05:00')).toBe(true);
    expect(open(monday, '2026-11-24T09:00:00+05:00')).toBe(false);
  });

  it('has no hours on a closed date, from midnight to midnight, nor of a span that begins on it', () => {
    const given = hours('22:00', '02:00', { closed: ['2026-12-31'] });
    expect(open(given, '2026-12-30T23:59:00+05:00')).toBe(true);
    expect(open(given, '2026-12-31T00:00:00+05:00')).toBe(false);
    expect(open(given, '2026-12-31T23:00:00+05:00')).toBe(false);
    expect(open(given, '2027-01-01T01:00:00+05:00')).toBe(false);
    expect(open(given, '2027-01-01T22:00:00+05:00')).toBe(true);
  });

  it('knows the law of Kazakhstan: an hour later by the sun since 2024-03-01', () => {
    const given = hours('09:00', '18:00');
    expect(open(given, '2024-02-29T03:00:00Z')).toBe(true);
    expect(open(given, '2024-03-01T03:00:00Z')).toBe(false);
    expect(open(given, '2024-03-01T04:00:00Z')).toBe(true);
  });

  it('knows the 45 minutes of Kathmandu', () => {
    const given = hours('09:00', '18:00', { timezone: 'Asia/Kathmandu' });
    expect(open(given, '2026-11-23T03:14:59Z')).toBe(false);
    expect(open(given, '2026-11-23T03:15:00Z')).toBe(true);
  });

  it('is open twice in an hour that comes twice, and not in one that is left out', () => {
    const night = hours('02:00', '02:30', { timezone: 'Europe/Berlin' });
    const inOctober = ['00:00', '00:30', '01:00', '01:30'].map((time) =>
      open(night, `2026-10-25T${time}:00Z`),
    );
    expect(inOctober).toEqual([true, false, true, false]);
    const inMarch = ['00:30', '00:59', '01:00', '01:30'].map((time) => open(night, `2026-03-29T${time}:00Z`));
    expect(inMarch).toEqual([false, false, false, false]);
  });

  it('is always open where there are no hours', () => {
    expect(openAt(null, new Date())).toBe(true);
  });
});

describe('nextOpening', () => {
  it.each([
    ['open already', hours('09:00', '18:00'), '2026-11-23T10:00:00.123+05:00', '2026-11-23T05:00:00.123Z'],
    ['this morning', hours('09:00', '18:00'), '2026-11-23T03:00:00+05:00', '2026-11-23T04:00:00.000Z'],
    ['tomorrow', hours('09:00', '18:00'), '2026-11-23T18:00:00+05:00', '2026-11-24T04:00:00.000Z'],
    ['on Monday', hours('09:00', '18:00', {}, WEEK), '2026-11-27T18:00:00+05:00', '2026-11-30T04:00:00.000Z'],
    [
      'after holidays',
      hours('09:00', '18:00', { closed: ['2026-12-31', '2027-01-01', '2027-01-02'] }),
      '2026-12-30T20:00:00+05:00',
      '2027-01-03T04:00:00.000Z',
    ],
    [
      'at midnight, where a closed date ends and a span has begun before it was closed',
      hours('00:00', '24:00', { closed: ['2026-12-31'] }),
      '2026-12-31T12:00:00+05:00',
      '2026-12-31T19:00:00.000Z',
    ],
    [
      'the leap day',
      hours('09:00', '18:00', {}, [2]),
      '2028-02-28T10:00:00+05:00',
      '2028-02-29T04:00:00.000Z',
    ],
    [
      'after a day of 23 hours',
      hours('09:00', '18:00', { timezone: 'Europe/Berlin' }),
      '2026-03-28T20:00:00Z',
      '2026-03-29T07:00:00.000Z',
    ],
    [
      'after a day of 25 hours',
      hours('09:00', '18:00', { timezone: 'America/New_York' }),
      '2026-10-31T23:00:00Z',
      '2026-11-01T14:00:00.000Z',
    ],
    [
      'at the jump of the clock, where the beginning is left out',
      hours('02:30', '04:00', { timezone: 'Europe/Berlin' }),
      '2026-03-29T00:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'again, where the clock is put back into the hours',
      hours('02:00', '02:30', { timezone: 'Europe/Berlin' }),
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:00:00.000Z',
    ],
    [
      'again, where the clock is put back into hours of the evening before',
      hours('22:00', '02:30', { timezone: 'Europe/Berlin' }, [6]),
      '2026-10-25T00:45:00Z',
      '2026-10-25T01:00:00.000Z',
    ],
  ])('finds the opening: %s', (_, given, at, expected) => {
    expect(next(given, at)).toBe(expected);
  });

  it('finds nothing where every date of 400 days is closed', () => {
    const mondays = Array.from({ length: 60 }, (_, week) =>
      new Date(Date.parse('2026-11-23') + week * 7 * 86_400_000).toISOString().slice(0, 10),
    );
    const given = hours('22:00', '02:00', { closed: mondays }, [1]);
    expect(nextOpening(given, new Date('2026-11-23T10:00:00+05:00'))).toBeNull();
    const reopened = { ...given, closed: mondays.slice(0, 50) };
    expect(next(reopened, '2026-11-23T10:00:00+05:00')).toBe('2027-11-08T17:00:00.000Z');
  });

  it('is at once where there are no hours', () => {
    const at = new Date();
    expect(nextOpening(null, at)).toBe(at);
  });
});

describe('spreadOver', () => {
  const keys = Array.from({ length: 400 }, (_, index) => `0193a000-0000-7000-8000-${index}`);
  const opening = new Date('2026-11-23T09:00:00+05:00');
  const minutesAfter = (given: SendHours | null) =>
    keys.map((key) => (spreadOver(given, opening, key).getTime() - opening.getTime()) / 60_000);

  it('spreads what waited over the first 15 minutes, evenly', () => {
    const minutes = minutesAfter(hours('09:00', '18:00'));
    const perMinute = Array.from(
      { length: 15 },
      (_, minute) => minutes.filter((at) => Math.floor(at) === minute).length,
    );
    expect(perMinute.reduce((sum, count) => sum + count)).toBe(400);
    // 27 a minute on average.
    expect(Math.min(...perMinute)).toBeGreaterThan(9);
    expect(Math.max(...perMinute)).toBeLessThan(50);
  });

  it('gives a key the same instant for the same opening', () => {
    const given = hours('09:00', '18:00');
    expect(minutesAfter(given)).toEqual(minutesAfter({ ...given }));
    expect(spreadOver(given, opening, 'a run')).not.toEqual(spreadOver(given, opening, 'another run'));
  });

  it('ends where the hours end, if that is sooner', () => {
    const short = minutesAfter(hours('09:00', '09:04'));
    expect(Math.max(...short)).toBeLessThan(4);
    expect(Math.max(...short)).toBeGreaterThan(3);
    expect(Math.max(...minutesAfter(hours('09:00', '09:01')))).toBeLessThan(1);
  });

  it('delays nothing where there are no hours', () => {
    expect(spreadOver(null, opening, 'a run')).toEqual(opening);
  });
});

describe('violationsOfSendHours', () => {
  const given = (change: object): unknown => ({ ...hours('09:00', '18:00'), ...change });
  const span = (change: object): unknown =>
    given({ spans: [{ weekdays: [1], from: '09:00', to: '18:00', ...change }] });

  it.each([
    ['none', null],
    ['a week', given({})],
    ['without closed dates', given({ closed: undefined })],
    ['closed on a leap day', given({ closed: ['2028-02-29'] })],
    ['until the end of the day', span({ to: '24:00' })],
    ['past midnight', span({ from: '22:00', to: '02:00' })],
    ['an old name of a zone', given({ timezone: 'Asia/Katmandu' })],
  ])('has none for hours: %s', (_, value) => {
    expect(violationsOfSendHours(value, 'send_hours')).toEqual([]);
  });

  it.each([
    ['no object', 'nine to six', 'send_hours'],
    ['a list', [], 'send_hours'],
    ['absent', undefined, 'send_hours'],
    ['no time zone', given({ timezone: undefined }), 'send_hours.timezone'],
    ['an offset', given({ timezone: '+05:00' }), 'send_hours.timezone'],
    ['an unknown zone', given({ timezone: 'Mars/Olympus' }), 'send_hours.timezone'],
    ['no spans', given({ spans: [] }), 'send_hours.spans'],
    ['too many spans', given({ spans: Array.from({ length: 29 }, () => null) }), 'send_hours.spans'],
    ['a span that is none', given({ spans: [null] }), 'send_hours.spans[0]'],
    ['no weekdays', span({ weekdays: [] }), 'send_hours.spans[0].weekdays'],
    ['weekday 0', span({ weekdays: [0] }), 'send_hours.spans[0].weekdays'],
    ['a weekday twice', span({ weekdays: [1, 1] }), 'send_hours.spans[0].weekdays'],
    ['a beginning of 24:00', span({ from: '24:00' }), 'send_hours.spans[0].from'],
    ['an hour without its zero', span({ from: '9:00' }), 'send_hours.spans[0].from'],
    ['an end after 24:00', span({ to: '24:01' }), 'send_hours.spans[0].to'],
    ['closed dates that are no list', given({ closed: '2026-12-31' }), 'send_hours.closed'],
    [
      'too many closed dates',
      given({ closed: Array.from({ length: 367 }, () => '2026-12-31') }),
      'send_hours.closed',
    ],
    ['no date', given({ closed: ['2026-12-31', '31.12.2026'] }), 'send_hours.closed[1]'],
    ['February 30', given({ closed: ['2026-02-30'] }), 'send_hours.closed[0]'],
  ])('has one, with its path: %s', (_, value, path) => {
    expect(violationsOfSendHours(value, 'send_hours').map((violation) => violation.path)).toEqual([path]);
  });

  it('has all of them', () => {
    const value = { timezone: 1, spans: [{ weekdays: 'all', from: null, to: null }], closed: [1] };
    expect(violationsOfSendHours(value, 'send_hours').map(({ path }) => path)).toEqual([
      'send_hours.timezone',
      'send_hours.spans[0].weekdays',
      'send_hours.spans[0].from',
      'send_hours.spans[0].to',
      'send_hours.closed[0]',
    ]);
  });
});

describe('violationsOfOpeningHours', () => {
  it('has those of the spans and dates, and needs no time zone', () => {
    const paths = (value: unknown): string[] =>
      violationsOfOpeningHours(value, 'opening_hours').map(({ path }) => path);
    const { spans } = hours('09:00', '18:00');
    expect([paths(null), paths({ spans })]).toEqual([[], []]);
    expect(paths({ spans: [{ ...spans[0], from: '9' }], closed: ['x'] })).toEqual([
      ...['opening_hours.spans[0].from', 'opening_hours.closed[0]'],
    ]);
  });
});

describe('sendHoursOf', () => {
  it('keeps known fields, and adds the dates that are absent', () => {
    const spans = [{ weekdays: [1], from: '09:00', to: '18:00', note: 'x' }];
    const given = { timezone: 'UTC', spans, colour: 'red' };
    expect(sendHoursOf(given)).toEqual({
      timezone: 'UTC',
      spans: [{ weekdays: [1], from: '09:00', to: '18:00' }],
      closed: [],
    });
  });
});
