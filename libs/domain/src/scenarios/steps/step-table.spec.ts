import type { ConditionFact, StoredStep } from '@app/contracts/scenario.words';
import type { StepMoment } from './step-decision';
import { decide } from './step-table';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const NOW = new Date('2026-11-23T12:00:00Z');
const ago = (seconds: number): Date => new Date(+NOW - seconds * 1_000);

type Given = Partial<Omit<StepMoment, 'dialog'>> & { dialog?: Partial<StepMoment['dialog']> };

/** What a step sees, in a dialog to which nothing happened. */
const moment = ({ dialog, ...given }: Given = {}): StepMoment => ({
  ...{ now: NOW, dueSince: NOW, runId: 'run', inStage: true, replied: false, lastSend: null },
  ...{ customerAfter: null, waitsForTakeover: true, sendHours: null },
  ...given,
  dialog: {
    ...{ channel: 'waba_coexistence', takeover: false, takeoverUntil: null, handler: 'AI', waiting: false },
    ...{ windowOpen: false, statusKind: 'active', statusName: 'Paid', assistantName: 'Agent' },
    ...{ leadName: null, leadPhone: '+77010000001' },
    ...dialog,
  },
});

const THANKS = {
  ...{ kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] },
} satisfies StoredStep;
const TEXT = { kind: 'send_text', text: 'Hello' } satisfies StoredStep;
const ASK = { kind: 'request_phone', text: 'Your phone?' } satisfies StoredStep;
const CALL = { kind: 'http', method: 'POST', url: 'https://a.example.com/' } satisfies StoredStep;

describe('wait', () => {
  it('lasts from the instant at which it should have begun, as long as ninety days', () => {
    const wait = (seconds: number, since: number) =>
      decide({ kind: 'wait', seconds }, moment({ dueSince: ago(since) }));
    expect(wait(HOUR, 10)).toEqual({ kind: 'wait', until: ago(10 - HOUR) });
    expect(wait(90 * DAY, 89 * DAY)).toEqual({ kind: 'wait', until: ago(-DAY) });
    expect(wait(HOUR, HOUR + 10)).toEqual({ kind: 'done', since: ago(10) });
  });
});

describe('wait_until', () => {
  const until = (dueSince: string, given: object, now = dueSince) =>
    decide(
      { kind: 'wait_until', time: '10:00', timezone: 'UTC', ...given },
      moment({ now: new Date(now), dueSince: new Date(dueSince) }),
    );

  // The clock jumps from 02:00 to 03:00 there, and back from 03:00 to 02:00.
  it.each([
    ['Europe/Berlin', '02:30', undefined, '2027-03-27T12:00:00Z', '2027-03-28T01:00:00.000Z'],
    ['Europe/Berlin', '02:30', undefined, '2027-10-30T12:00:00Z', '2027-10-31T00:30:00.000Z'],
    ['Asia/Almaty', '09:00', [2], '2028-02-28T12:00:00Z', '2028-02-29T04:00:00.000Z'],
    ['Asia/Almaty', '09:00', [3], '2028-02-28T12:00:00Z', '2028-03-01T04:00:00.000Z'],
  ])('%s %s on %j', (timezone, time, weekdays, from, expected) => {
    expect(until(from, { time, timezone, weekdays })).toEqual({ kind: 'wait', until: new Date(expected) });
  });

  it('passes when the time has come that followed its beginning, and not sooner than it must', () => {
    const [from, now] = ['2026-11-23T09:50:00Z', '2026-11-23T10:10:00Z'];
    expect(until(from, {}, now)).toEqual({ kind: 'done', since: new Date('2026-11-23T10:00:00Z') });
    const tomorrow = { kind: 'wait', until: new Date('2026-11-24T10:00:00Z') };
    expect(until(from, { at_least_seconds: HOUR }, now)).toEqual(tomorrow);
  });
});

describe('wait_for_reply', () => {
  const wait = (given: object, at: Given) =>
    decide({ kind: 'wait_for_reply', seconds: HOUR, ...given }, moment(at));
  const late = { dueSince: ago(HOUR + 10) };

  it('waits for a reply, and passes when one is there, also before it was reached', () => {
    expect(wait({}, { dueSince: ago(10) })).toEqual({ kind: 'wait', until: ago(10 - HOUR) });
    expect(wait({}, { dueSince: ago(10), replied: true })).toEqual({ kind: 'done' });
    expect(wait({ on_timeout: 'stop' }, { ...late, replied: true })).toEqual({ kind: 'done' });
  });

  it.each<[string, object, object]>([
    ['goes on, as by default', {}, { kind: 'done', since: ago(10) }],
    ['goes on', { on_timeout: 'continue' }, { kind: 'done', since: ago(10) }],
    ['stops', { on_timeout: 'stop' }, { kind: 'stop' }],
    ['goes to a label', { on_timeout: { go: 'end' } }, { kind: 'go', label: 'end', since: ago(10) }],
  ])('in time without a reply %s', (_, given, decision) => {
    expect(wait(given, late)).toEqual(decision);
  });
});

describe('condition', () => {
  it.each<[ConditionFact, Given, boolean | string, boolean | string]>([
    ['in_stage', { inStage: true }, true, false],
    ['in_stage', { inStage: false }, false, true],
    ['replied', { replied: false }, false, true],
    ['replied', { replied: true }, true, false],
    ['window_open', { dialog: { windowOpen: false } }, false, true],
    ['window_open', { dialog: { windowOpen: true } }, true, false],
    ['waiting', { dialog: { waiting: false } }, false, true],
    ['waiting', { dialog: { waiting: true } }, true, false],
    ['handler', { dialog: { handler: 'AI' } }, 'AI', 'OPERATOR'],
    ['handler', { dialog: { handler: 'OPERATOR' } }, 'OPERATOR', 'AI'],
    ['channel', { dialog: { channel: 'waba_coexistence' } }, 'waba_coexistence', 'waba'],
    ['kind', { dialog: { statusKind: 'active' } }, 'active', 'success'],
    ['kind', { dialog: { statusKind: 'success' } }, 'success', 'active'],
    ['last_send', { lastSend: 'accepted' }, 'accepted', 'delivered'],
    ['last_send', { lastSend: 'delivered' }, 'delivered', 'accepted'],
    ['last_send', { lastSend: 'read' }, 'read', 'delivered'],
    ['last_send', { lastSend: 'failed' }, 'failed', 'accepted'],
  ])('%s, where %j, is %j and not %j', (fact, given, is, isNot) => {
    const at = moment(given);
    const asked = (all: object[], otherwise: 'stop' | { go: string } = 'stop') =>
      decide({ kind: 'condition', all, else: otherwise } as StoredStep, at);
    expect(asked([{ fact, is }])).toEqual({ kind: 'done', since: NOW });
    expect(asked([{ fact, is: isNot }])).toEqual({ kind: 'stop' });
    const both = [
      { fact, is },
      { fact, is: isNot },
    ];
    expect(asked(both, { go: 'end' })).toEqual({ kind: 'go', label: 'end', since: NOW });
  });
});

describe.each<[string, StoredStep]>([
  ['send_template', THANKS],
  ['send_text', TEXT],
  ['request_phone', ASK],
])('%s', (_, step) => {
  const at = (given: Given, more: object = {}) => decide({ ...step, ...more }, moment(given));
  const hours = (from: string, to: string) => ({
    ...{ timezone: 'UTC', spans: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from, to }], closed: [] },
  });

  it('is skipped as too late after as long as it says, or six hours', () => {
    const late = { kind: 'skipped', error: { code: 'too_late' } };
    const sent = { kind: 'errand' };
    expect(at({ dueSince: ago(MINUTE + 1) }, { max_late_seconds: MINUTE })).toMatchObject(late);
    expect(at({ dueSince: ago(MINUTE) }, { max_late_seconds: MINUTE })).toMatchObject(sent);
    expect(at({ dueSince: ago(6 * HOUR + 1) })).toMatchObject(late);
    expect(at({ dueSince: ago(6 * HOUR) })).toMatchObject(sent);
  });

  it('waits for the end of a takeover, unless its run continues', () => {
    const soon = ago(-10);
    const taken = { takeover: true, takeoverUntil: soon };
    expect(at({ dialog: taken })).toEqual({ kind: 'wait', until: soon });
    expect(at({ dialog: { ...taken, takeoverUntil: null } })).toEqual({ kind: 'wait', until: null });
    expect(at({ dialog: taken, waitsForTakeover: false })).toMatchObject({ kind: 'errand' });
  });

  it('waits for the first quarter of an hour of its hours, and is not late because of them', () => {
    expect(at({ sendHours: hours('11:00', '13:00') })).toMatchObject({ kind: 'errand' });
    const closed = { sendHours: hours('20:00', '21:00') };
    const { until, dueSince } = at(closed) as { until: Date; dueSince: Date };
    expect(dueSince).toEqual(until);
    expect(+until).toBeGreaterThanOrEqual(+new Date('2026-11-23T20:00:00Z'));
    expect(+until).toBeLessThan(+new Date('2026-11-23T20:15:00Z'));
    const opened = { now: new Date('2026-11-23T20:30:00Z'), dueSince: ago(0) };
    expect(at({ ...closed, ...opened })).toMatchObject({ kind: 'errand' });
    const never = { ...hours('20:00', '21:00'), spans: [] };
    expect(at({ sendHours: never })).toMatchObject({ kind: 'skipped', error: { code: 'too_late' } });
  });
});

it.each<[string, StoredStep]>([
  ['send_template', { ...THANKS, max_late_seconds: 1 }],
  ['send_text', { ...TEXT, max_late_seconds: 1 }],
  ['request_phone', { ...ASK, max_late_seconds: 1 }],
  ['http', CALL],
  ['set_status', { kind: 'set_status', status_id: null }],
  ['set_ai', { kind: 'set_ai', ai_enabled: false }],
  ['hand_over', { kind: 'hand_over' }],
  ['return_to_ai', { kind: 'return_to_ai' }],
  ['assign', { kind: 'assign', user_id: null }],
  ['notify', { kind: 'notify', text: 'Look' }],
])('%s waits while a person may undo the move, and is not late because of that', (_, step) => {
  const [began, soon] = [ago(5), ago(-5)];
  expect(decide(step, moment({ dueSince: began, customerAfter: soon }))).toEqual({
    ...{ kind: 'wait', until: soon, dueSince: soon },
  });
  expect(decide(step, moment({ customerAfter: NOW })).kind).toMatch(/^(?:errand|act|done)$/);
});

it.each<[string, StoredStep, object]>([
  ['wait', { kind: 'wait', seconds: 3 }, { kind: 'done' }],
  ['wait_until', { kind: 'wait_until', time: '11:59', timezone: 'UTC' }, { kind: 'done' }],
  ['wait_for_reply', { kind: 'wait_for_reply', seconds: HOUR }, { kind: 'done' }],
  ['condition', { kind: 'condition', all: [{ fact: 'replied', is: true }], else: 'stop' }, { kind: 'done' }],
])('%s has no effect, and does not wait for that', (_, step, expected) => {
  expect(decide(step, moment({ dueSince: ago(65), customerAfter: ago(-5), replied: true }))).toMatchObject(
    expected,
  );
});

describe('variables', () => {
  const NAME = '{{lead.name}}';
  const EMPTIED = '{{lead.name|}}';
  const call = (body: unknown): StoredStep => ({
    ...{ kind: 'http', method: 'POST', url: 'https://a.example.com/', body },
  });

  it.each<[string, StoredStep]>([
    ['text', { ...TEXT, text: `Hello, ${NAME}` }],
    ['request', { ...ASK, text: NAME }],
    ['parameter', { ...THANKS, params: ['a', NAME] }],
    ['parameter with a name', { ...THANKS, params: [], named_params: { name: NAME } }],
    ['header', { ...THANKS, header: { type: 'text', text: NAME } }],
    ['note', { kind: 'notify', text: NAME }],
    ['call', call({ n: [NAME] })],
  ])('that are empty without a fallback fail the step: %s', (_, step) => {
    expect(decide(step, moment())).toMatchObject({
      ...{ kind: 'failed', error: { code: 'VARIABLE_EMPTY' } },
      error: { message: expect.stringContaining('lead.name') },
    });
    expect(decide(step, moment({ dialog: { leadName: 'Dana' } })).kind).not.toBe('failed');
  });

  it.each<[string, StoredStep]>([
    ['text', { ...TEXT, text: `${EMPTIED} ` }],
    ['request', { ...ASK, text: EMPTIED }],
    ['parameter', { ...THANKS, params: ['a', EMPTIED] }],
    ['parameter with a name', { ...THANKS, params: [], named_params: { name: EMPTIED } }],
    ['header', { ...THANKS, header: { type: 'text', text: EMPTIED } }],
    ['button', { ...THANKS, buttons: [{ type: 'url', index: 0, text: EMPTIED }] }],
  ])('that leave nothing of a %s fail the step', (_, step) => {
    expect(decide(step, moment())).toMatchObject({ kind: 'failed', error: { code: 'VARIABLE_EMPTY' } });
  });

  it('have the values of the dialog when they are due, and dates those of the hours', () => {
    const text = `${NAME}, {{lead.phone}}, {{status.name}}, {{assistant.name}}, {{date}} {{time}}`;
    const at = { dialog: { leadName: 'Dana' } };
    expect(decide({ kind: 'notify', text }, moment(at))).toMatchObject({
      asksFor: 'Dana, +77010000001, Paid, Agent, 23.11.2026 12:00',
    });
    const sendHours = { timezone: 'Asia/Almaty', spans: [], closed: [] };
    expect(decide({ kind: 'notify', text: '{{time}}' }, moment({ sendHours }))).toMatchObject({
      asksFor: '17:00',
    });
    const deep = { n: 1, deep: [{ a: null }], name: '{{lead.name|клиент}}' };
    expect(decide(call(deep), moment())).toMatchObject({
      order: { kind: 'call', body: { ...deep, name: 'клиент' } },
    });
  });
});

describe('assign', () => {
  it.each([
    ['may', undefined],
    ['unknown', 'USER_NOT_FOUND'],
    ['disabled', 'USER_UNAVAILABLE'],
    ['cannot_see', 'USER_UNAVAILABLE'],
  ])('of a person who %s fails by %s', async (verdict, code) => {
    const decision = decide({ kind: 'assign', user_id: 'person' }, moment());
    if (decision.kind !== 'act') throw new Error('it does nothing');
    const dialog = { assign: () => Promise.resolve(verdict) } as never;
    const { failed } = await decision.perform(dialog, {} as never);
    expect(failed?.code).toBe(code);
  });
});

it('the phone is asked for on no channel whose provider has no such button', () => {
  expect(decide(ASK, moment({ dialog: { channel: 'waba' } }))).toMatchObject({
    ...{ kind: 'failed', error: { code: 'CHANNEL_CANNOT_ASK' } },
  });
});

it('a step of a kind that does not exist fails alone', () => {
  const juggle = { kind: 'juggle' } as unknown as StoredStep;
  expect(decide(juggle, moment())).toMatchObject({ kind: 'failed', error: { code: 'INTERNAL_ERROR' } });
});
