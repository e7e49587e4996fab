import { SCENARIO_LIMITS } from '@app/contracts/scenario.words';
import { beginningOf, endOf, isHeld, whyNotBegun, type AskedRun, type RunSituation } from './run.rules';

const RUN: RunSituation['run'] = {
  ...{ id: 'run', scenario_id: 'scenario', on_leave: 'cancel', on_reply: 'continue', on_takeover: 'wait' },
  ...{ archived: false, all_cancelled: false, in_stage: true, detached: false, handed_over: false },
  replied: false,
};
const DIALOG = { opted_out: false, takeover: false };

const ended = (
  run: Partial<RunSituation['run']>,
  dialog: Partial<typeof DIALOG> = {},
  later: RunSituation['later'] = [],
) => endOf({ run: { ...RUN, ...run }, dialog: { ...DIALOG, ...dialog }, later });
const later = (given: Partial<RunSituation['later'][number]> = {}): RunSituation['later'] => [
  { scenario_id: 'scenario', state: 'running', by_run: null, ...given },
];

describe('a run', () => {
  it.each<[string, unknown, unknown]>([
    ['that nothing happened to goes on', ended({}), null],
    ['of an archived scenario ends', ended({ archived: true, on_leave: 'continue' }), 'archived'],
    ['whose scenario’s runs were cancelled ends', ended({ all_cancelled: true }), 'person'],
    [
      'whose customer opted out ends, whatever it says',
      ended({ on_leave: 'continue', on_reply: 'continue', on_takeover: 'continue' }, { opted_out: true }),
      'opted_out',
    ],
    ['whose lead left ends', ended({ in_stage: false }), 'left_stage'],
    [
      'whose lead left, with on_leave continue, goes on',
      ended({ in_stage: false, on_leave: 'continue' }),
      null,
    ],
    ['that moved its lead itself goes on', ended({ in_stage: false, detached: true }), null],
    ['of a scenario that has a later run ends', ended({}, {}, later()), 'restarted'],
    ['beside a later run of another scenario goes on', ended({}, {}, later({ scenario_id: 'other' })), null],
    ['with a later one that has not begun goes on', ended({}, {}, later({ state: 'due' })), null],
    ['with a later one that it brought about goes on', ended({}, {}, later({ by_run: 'run' })), null],
    ['amid a takeover waits', ended({}, { takeover: true }), null],
    ['with on_takeover continue goes on', ended({ on_takeover: 'continue' }, { takeover: true }), null],
    ['with on_takeover cancel ends', ended({ on_takeover: 'cancel' }, { takeover: true }), 'takeover'],
    [
      'with on_takeover cancel that handed over itself goes on',
      ended({ on_takeover: 'cancel', handed_over: true }, { takeover: true }),
      null,
    ],
    ['with on_takeover cancel and no takeover goes on', ended({ on_takeover: 'cancel' }), null],
    ['with on_reply continue goes on after a reply', ended({ replied: true }), null],
    ['with on_reply cancel ends by a reply', ended({ replied: true, on_reply: 'cancel' }), 'replied'],
    ['with on_reply cancel goes on without one', ended({ on_reply: 'cancel' }), null],
  ])('%s', (_, reason, expected) => expect(reason).toBe(expected));

  it('is held where its scenario or its account is paused, and not where its scenario is off', () => {
    const held = (scenario_state: 'on' | 'paused' | 'off', automation_paused = false) =>
      isHeld({ run: { scenario_state }, dialog: { automation_paused } });
    expect([held('on'), held('off'), held('paused'), held('on', true)]).toEqual([false, false, true, true]);
  });
});

const MINUTE = 60;
const asked = (
  run: Partial<AskedRun['run']>,
  { earlier, others = [] }: Partial<Pick<AskedRun, 'earlier' | 'others'>> = {},
): AskedRun => ({
  run: { scenario_id: 'scenario', reentry: 'restart', cooldown_seconds: 0, depth: 1, ...run },
  ...{ dialog: DIALOG, others, earlier },
});
const before = (given: Partial<NonNullable<AskedRun['earlier']>> = {}) => ({
  earlier: { scenario_id: 'scenario', in_ten_minutes: 1, in_day: 1, seconds_ago: MINUTE, ...given },
});
const open = (state: 'due' | 'waiting', scenario_id = 'scenario') => ({ others: [{ scenario_id, state }] });
const { depthMax, inTenMinutesMax, inDayMax } = SCENARIO_LIMITS;

describe('a run that was asked for', () => {
  it.each<[string, AskedRun, string, string | null]>([
    ['begins', asked({}), 'begins', null],
    ['begins again, with restart', asked({}, { ...before(), ...open('waiting') }), 'begins', null],
    [
      'with ignore is skipped while one goes on',
      asked({ reentry: 'ignore' }, open('waiting')),
      'skipped',
      'already_running',
    ],
    ['with ignore begins after that', asked({ reentry: 'ignore' }, before()), 'begins', null],
    [
      'with ignore begins where the other has not begun',
      asked({ reentry: 'ignore' }, open('due')),
      'begins',
      null,
    ],
    [
      'with ignore begins beside another scenario',
      asked({ reentry: 'ignore' }, open('waiting', 'other')),
      'begins',
      null,
    ],
    ['with once begins the first time', asked({ reentry: 'once' }), 'begins', null],
    [
      'with once is skipped, years later too',
      asked({ reentry: 'once' }, before({ seconds_ago: 1e9, in_ten_minutes: 0, in_day: 0 })),
      'skipped',
      'once',
    ],
    [
      'is skipped before its cooldown is over',
      asked({ cooldown_seconds: MINUTE + 1 }, before()),
      'skipped',
      'cooldown',
    ],
    ['begins once its cooldown is over', asked({ cooldown_seconds: MINUTE }, before()), 'begins', null],
    ['begins as the last of a chain', asked({ depth: depthMax }), 'begins', null],
    ['beyond the longest chain is a loop', asked({ depth: depthMax + 1 }), 'loop', 'loop'],
    [
      'begins as the last in ten minutes',
      asked({}, before({ in_ten_minutes: inTenMinutesMax - 1 })),
      'begins',
      null,
    ],
    [
      'beyond the most in ten minutes is a loop',
      asked({}, before({ in_ten_minutes: inTenMinutesMax })),
      'loop',
      'loop',
    ],
    ['begins as the last in a day', asked({}, before({ in_day: inDayMax - 1 })), 'begins', null],
    ['beyond the most in a day is a loop', asked({}, before({ in_day: inDayMax })), 'loop', 'loop'],
  ])('%s', (_, at, becomes, because) => {
    expect([beginningOf(at), whyNotBegun(at)]).toEqual([becomes, because]);
  });

  it('is one of a loop beyond sixteen in a chain, five in ten minutes, twenty in a day', () => {
    expect([depthMax, inTenMinutesMax, inDayMax]).toEqual([16, 5, 20]);
  });
});
