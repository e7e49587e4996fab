import type { OpeningHours } from '@app/contracts/scenario.words';
import { clockInWords } from './account-clock.words';

const WORKDAYS = { weekdays: [5, 1, 2, 3, 4], from: '09:00', to: '18:00' };
const NIGHT = { weekdays: [5, 6], from: '22:00', to: '02:00' };

/** What is told beside the time, in Almaty. */
const told = (opening_hours: OpeningHours, at: string): string[] =>
  clockInWords({ timezone: 'Asia/Almaty', opening_hours }, new Date(at)).split('\n').slice(1);

describe('the clock of an account', () => {
  it('tells the time alone where no hours are set', () => {
    const clock = { timezone: 'Asia/Almaty', opening_hours: null };
    expect(clockInWords(clock, new Date('2026-03-01T20:05:00Z'))).toBe(
      'It is Monday, 2 March 2026 at 01:05, Asia/Almaty time.',
    );
  });

  // 2 March 2026 is a Monday; Almaty is five hours ahead of UTC.
  it.each<[string, OpeningHours, string, string[]]>([
    [
      'open',
      { spans: [WORKDAYS], closed: [] },
      '2026-03-02T04:00:00Z',
      ['Opening hours: Monday to Friday 09:00 to 18:00.', 'The business is open now.'],
    ],
    [
      'closed at the weekend, and on dates to come',
      { spans: [WORKDAYS], closed: ['2026-03-09', '2026-03-08', '2026-01-01'] },
      '2026-03-07T07:00:00Z',
      [
        'Opening hours: Monday to Friday 09:00 to 18:00; closed on 2026-03-08, 2026-03-09.',
        'The business is closed now and opens next on Tuesday, 10 March 2026 at 09:00.',
      ],
    ],
    [
      'open over midnight',
      { spans: [NIGHT], closed: [] },
      '2026-03-06T20:30:00Z',
      ['Opening hours: Friday, Saturday 22:00 to 02:00 of the next day.', 'The business is open now.'],
    ],
    [
      'closed after midnight',
      { spans: [WORKDAYS, NIGHT], closed: [] },
      '2026-03-06T21:00:00Z',
      [
        'Opening hours: Monday to Friday 09:00 to 18:00; Friday, Saturday 22:00 to 02:00 of the next day.',
        'The business is closed now and opens next on Saturday, 7 March 2026 at 22:00.',
      ],
    ],
    [
      'open around the clock',
      { spans: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }], closed: [] },
      '2026-03-02T19:30:00Z',
      ['Opening hours: every day all day.', 'The business is open now.'],
    ],
  ])('tells hours that are %s', (_, hours, at, lines) => {
    expect(told(hours, at)).toEqual(lines);
  });

  it('tells of hours that never come that no opening is planned', () => {
    const mondays = Array.from({ length: 60 }, (_, week) => Date.UTC(2026, 2, 2 + 7 * week));
    const closed = mondays.map((at) => new Date(at).toISOString().slice(0, 10));
    const spans = [{ weekdays: [1], from: '09:00', to: '18:00' }];
    expect(told({ spans, closed }, '2026-03-02T07:00:00Z').at(-1)).toBe(
      'The business is closed now and no opening is planned.',
    );
  });
});
