import { skipReasonOf } from './scenario-starts.service';

type Scenario = Parameters<typeof skipReasonOf>[0];
type Facts = Parameters<typeof skipReasonOf>[1];

const SCENARIO = {
  ...{ id: 'scenario', on_leave: 'cancel', on_reply: 'continue', on_takeover: 'wait', reentry: 'restart' },
  cooldown_seconds: 0,
} as Scenario;
const FACTS = {
  ...{ in_stage: true, has_had: false, has_open: false, opted_out: false, takeover: false },
  ...{ in_ten_minutes: 0, in_day: 0, seconds_ago: null },
} as unknown as Facts;
const BEGUN = { in_ten_minutes: 1, in_day: 1, seconds_ago: 10, has_had: true } as Partial<Facts>;

it.each<[string | null, Partial<Scenario>, Partial<Facts>, boolean?]>([
  [null, {}, {}],
  ['not_in_stage', {}, { in_stage: false }],
  ['already_started', {}, BEGUN, true],
  [null, {}, BEGUN],
  ['opted_out', {}, { opted_out: true }],
  ['takeover', { on_takeover: 'cancel' }, { takeover: true }],
  [null, {}, { takeover: true }],
  ['once', { reentry: 'once' }, BEGUN],
  ['already_running', { reentry: 'ignore' }, { ...BEGUN, has_open: true }],
  [null, { reentry: 'ignore' }, BEGUN],
  ['cooldown', { cooldown_seconds: 3_600 }, BEGUN],
  ['loop', {}, { ...BEGUN, in_ten_minutes: 5 }],
])(
  'a scenario that is started by hand is skipped as %s, with %j, for a lead with %j',
  (reason, settings, facts, ofStage = false) => {
    expect(skipReasonOf({ ...SCENARIO, ...settings }, { ...FACTS, ...facts }, ofStage)).toBe(reason);
  },
);
