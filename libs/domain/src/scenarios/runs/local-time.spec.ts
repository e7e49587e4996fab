import {
  areWeekdays,
  clockChangeOf,
  isDate,
  isTimeOfDay,
  weekdayOf,
  dateAfter,
  isTimezone,
  localParts,
  nextLocalTime,
  occurrencesOf,
} from './local-time';

const next = (time: string, timezone: string, from: string, rest: object = {}): string =>
  nextLocalTime({ time, timezone, ...rest }, new Date(from)).toISOString();

describe('nextLocalTime', () => {
  it.each([
    ['later today', '18:00', 'Asia/Almaty', '2026-11-23T06:00:00Z', '2026-11-23T13:00:00.000Z'],
    ['over already: tomorrow', '10:00', 'Asia/Almaty', '2026-11-23T06:00:00Z', '2026-11-24T05:00:00.000Z'],
    ['this very moment: tomorrow', '10:00', 'UTC', '2026-11-23T10:00:00Z', '2026-11-24T10:00:00.000Z'],
    ['a millisecond before', '10:00', 'UTC', '2026-11-23T09:59:59.999Z', '2026-11-23T10:00:00.000Z'],
    ['45 minutes off', '10:00', 'Asia/Kathmandu', '2026-11-23T00:00:00Z', '2026-11-23T04:15:00.000Z'],
    ['an old name', '10:00', 'Asia/Katmandu', '2026-11-23T00:00:00Z', '2026-11-23T04:15:00.000Z'],
    ['the leap day', '09:00', 'Europe/Berlin', '2028-02-28T09:00:00Z', '2028-02-29T08:00:00.000Z'],
    ['after the leap day', '09:00', 'Europe/Berlin', '2028-02-29T09:00:00Z', '2028-03-01T08:00:00.000Z'],
    ['the turn of the year', '00:00', 'America/New_York', '2026-12-31T12:00:00Z', '2027-01-01T05:00:00.000Z'],
    // Berlin: 2026-03-29 has no 02:00 to 03:00; 2026-10-25 has it twice.
    ['left out in Berlin', '02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['the jump itself', '03:00', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['just before the jump', '01:59', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T00:59:00.000Z'],
    ['twice in Berlin', '02:30', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['between the two', '02:30', 'Europe/Berlin', '2026-10-25T00:45:00Z', '2026-10-26T01:30:00.000Z'],
    ['a day of 23 hours', '10:00', 'Europe/Berlin', '2026-03-28T09:00:00Z', '2026-03-29T08:00:00.000Z'],
    ['a day of 25 hours', '10:00', 'Europe/Berlin', '2026-10-24T08:00:00Z', '2026-10-25T09:00:00.000Z'],
    // New York: 2026-03-08 has no 02:00 to 03:00; 2026-11-01 has 01:00 to 02:00 twice.
    ['left out in New York', '02:15', 'America/New_York', '2026-03-08T00:00:00Z', '2026-03-08T07:00:00.000Z'],
    ['twice in New York', '01:15', 'America/New_York', '2026-11-01T00:00:00Z', '2026-11-01T05:15:00.000Z'],
    // Kazakhstan put its clocks back by an hour at the end of 2024-02-29: one zone since, UTC+5.
    ['before the law', '10:00', 'Asia/Almaty', '2024-02-29T00:00:00Z', '2024-02-29T04:00:00.000Z'],
    ['after the law', '10:00', 'Asia/Almaty', '2024-02-29T12:00:00Z', '2024-03-01T05:00:00.000Z'],
    ['the hour twice by law', '23:30', 'Asia/Almaty', '2024-02-29T12:00:00Z', '2024-02-29T17:30:00.000Z'],
    // Clocks jump from 23:00 to midnight: Saturday's last hour is missing.
    ['left out before midnight', '23:30', 'America/Nuuk', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ])('finds a time of day: %s', (_, time, timezone, from, expected) => {
    expect(next(time, timezone, from)).toBe(expected);
  });

  it('takes only the weekdays it is given, 1 being Monday', () => {
    // 2026-11-23 is a Monday.
    const found = [1, 2, 3, 4, 5, 6, 7].map((day) =>
      next('10:00', 'Asia/Almaty', '2026-11-23T06:00:00Z', { weekdays: [day] }).slice(0, 10),
    );
    expect(found).toEqual([30, 24, 25, 26, 27, 28, 29].map((day) => `2026-11-${day}`));
    expect(next('10:00', 'UTC', '2026-11-27T11:00:00Z', { weekdays: [1, 5] })).toBe(
      '2026-11-30T10:00:00.000Z',
    );
    expect(next('10:00', 'UTC', '2026-11-23T06:00:00Z', { weekdays: [] })).toBe('2026-11-23T10:00:00.000Z');
    expect(() => next('10:00', 'UTC', '2026-11-23T06:00:00Z', { weekdays: [8] })).toThrow(RangeError);
  });

  it('takes the weekday that a time left out would have had', () => {
    const saturday = { weekdays: [6] };
    expect(next('23:30', 'America/Nuuk', '2026-03-28T12:00:00Z', saturday)).toBe('2026-03-29T01:00:00.000Z');
  });

  it('waits at least so many seconds, and takes a moment exactly that far away', () => {
    const at = (seconds: number) => next('10:00', 'UTC', '2026-11-23T09:00:00Z', { atLeastSeconds: seconds });
    expect(at(3_600)).toBe('2026-11-23T10:00:00.000Z');
    expect(at(3_601)).toBe('2026-11-24T10:00:00.000Z');
    expect(at(90 * 86_400)).toBe('2027-02-21T10:00:00.000Z');
    const inWinter = { atLeastSeconds: 90 * 86_400 };
    expect(next('10:00', 'Europe/Berlin', '2026-08-01T12:00:00Z', inWinter)).toBe('2026-10-31T09:00:00.000Z');
  });
});

describe('a local date', () => {
  it('has each time once, none where it is left out, two where it comes twice', () => {
    const of = (date: string, time: string) =>
      occurrencesOf(date, time, 'Europe/Berlin').map((at) => at.toISOString());
    expect(of('2026-06-01', '02:30')).toEqual(['2026-06-01T00:30:00.000Z']);
    expect(of('2026-03-29', '02:30')).toEqual([]);
    expect(of('2026-10-25', '02:30')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
  });

  it('has the clock change of its day, or none', () => {
    expect(clockChangeOf('2026-03-29', 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(clockChangeOf('2026-03-30', 'Europe/Berlin')).toBeNull();
    expect(clockChangeOf('2011-12-30', 'Pacific/Apia')?.toISOString()).toBe('2011-12-30T10:00:00.000Z');
  });

  it('is followed by the next one of the calendar', () => {
    expect(dateAfter('2028-02-28', 1)).toBe('2028-02-29');
    expect(dateAfter('2026-02-28', 1)).toBe('2026-03-01');
    expect(dateAfter('2027-01-01', -1)).toBe('2026-12-31');
    expect(dateAfter('2026-11-23', 90)).toBe('2027-02-21');
  });
});

describe('isTimezone', () => {
  it.each([
    ...['Asia/Almaty', 'Asia/Qostanay', 'Europe/Kyiv', 'Europe/Kiev', 'Asia/Kathmandu', 'Asia/Katmandu'],
    ...['US/Eastern', 'UTC', 'GMT', 'Etc/GMT-5', 'asia/almaty'],
  ])('knows %s', (name) => {
    expect(isTimezone(name)).toBe(true);
    expect(() => localParts(new Date(), name)).not.toThrow();
  });

  it.each([
    '',
    '+05:00',
    '-0500',
    'UTC+5',
    'Mars/Olympus',
    ' Asia/Almaty',
    'Asia/Almaty\0',
    'Z',
    'local',
    'MSK',
  ])('refuses %j', (name) => expect(isTimezone(name)).toBe(false));

  it('knows every zone of the database of Node', () => {
    const unknown = Intl.supportedValuesOf('timeZone').filter((name) => !isTimezone(name));
    expect(unknown).toEqual([]);
    expect(Intl.supportedValuesOf('timeZone').length).toBeGreaterThan(400);
  });
});

describe('what an admin gives', () => {
  it.each(['00:00', '09:05', '19:59', '23:59'])('is a time of day: %s', (time) =>
    expect(isTimeOfDay(time)).toBe(true),
  );

  it.each(['24:00', '9:00', '09:60', '0900', '09:00:00', '09:00\n', '', 900, null, ['09:00']])(
    'is no time of day: %j',
    (time) => expect(isTimeOfDay(time)).toBe(false),
  );

  it.each([[[1]], [[7, 1]], [[1, 2, 3, 4, 5, 6, 7]]])('is a list of weekdays: %j', (days) =>
    expect(areWeekdays(days)).toBe(true),
  );

  it.each([[[]], [[0]], [[8]], [[1.5]], [[1, 1]], [['1']], [[null]], [1], ['1'], [null]])(
    'is no list of weekdays: %j',
    (days) => expect(areWeekdays(days)).toBe(false),
  );

  it.each(['2026-12-31', '2028-02-29'])('is a date: %s', (date) => expect(isDate(date)).toBe(true));

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '31.12.2026',
    '2026-1-1',
    '',
    20261231,
    null,
  ])('is no date: %j', (date) => expect(isDate(date)).toBe(false));

  it('has the weekday of the calendar', () => {
    expect(['2026-11-23', '2026-11-29', '2028-02-29'].map(weekdayOf)).toEqual([1, 7, 2]);
  });
});
