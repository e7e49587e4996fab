import { refusalOf, refusedAt } from '../../../../test/support/clients/refused.fields';
import type { DtoClass } from '../http/dto/dto-pipe';
import { RetryRunRequest, ResolveStepRequest } from './scenario-runs.controller';
import { RotateSecretRequest, ChangeScenarioRequest, CreateScenarioRequest } from './scenario.request';
import { StartScenarioRequest, TryScenarioRequest } from './scenario-try.request';

/** Paths and messages of what is wrong with a body. */
const faultsOf = (request: DtoClass, body: object): Record<string, string> =>
  Object.fromEntries(refusalOf(request, body)?.details.map(({ path, message }) => [path, message]) ?? []);

const STEPS = { steps: [{ kind: 'wait', seconds: 60 }] };
const SCENARIO = { status_id: 'stage', name: 'Thanks', ...STEPS };
const DAY_SECONDS = 86_400;

describe('a scenario', () => {
  const WRONG = {
    ...{ name: ' ', state: 'going', order: -1, on_leave: 'x', on_reply: 'x', on_takeover: 'x' },
    // Runs are kept for 180 days, so nothing would say that a longer cooldown goes on.
    ...{ reentry: 'x', cooldown_seconds: 181 * DAY_SECONDS, send_hours: 'x' },
  };

  it.each(Object.entries(WRONG))('is neither made nor changed with %s as %j', (field, value) => {
    expect(refusedAt(CreateScenarioRequest, { ...SCENARIO, [field]: value })).toEqual([field]);
    expect(refusedAt(ChangeScenarioRequest, { [field]: value })).toEqual([field]);
  });

  it.each(['wait', null, Array<object>(51).fill({})])(
    'is neither made nor changed with %j as steps',
    (steps) => {
      expect(refusedAt(CreateScenarioRequest, { ...SCENARIO, steps })).toEqual(['steps']);
      expect(refusedAt(ChangeScenarioRequest, { steps })).toEqual(['steps']);
    },
  );

  it('is made with each setting in its bounds, and changed with any of them alone', () => {
    const settings = { order: 0, cooldown_seconds: 180 * DAY_SECONDS, send_hours: null };
    expect(faultsOf(CreateScenarioRequest, { ...SCENARIO, ...settings })).toEqual({});
    expect(refusedAt(CreateScenarioRequest, { name: 'x' })).toEqual(['status_id', 'steps']);
    expect(faultsOf(ChangeScenarioRequest, {})).toEqual({});
    expect(refusedAt(ChangeScenarioRequest, { running: 'stop' })).toEqual(['running']);
    expect(faultsOf(CreateScenarioRequest, { ...SCENARIO, send_hours: 'x' })).toEqual({
      send_hours: 'must be an object, or null for no hours',
    });
  });
});

describe('a start by hand', () => {
  const THREAD = 'thread_b0000000-0000-4000-8000-000000000001';
  const CHOICE = { thread_ids: 'give exactly one of thread_ids and whole_stage' };
  const LIST = { thread_ids: 'must be an array of 1 to 500 dialogs such as thread_<uuid>' };
  const A_THREAD = 'must be a string such as thread_<uuid>';

  it.each<[object, Record<string, string>]>([
    [{}, CHOICE],
    [{ thread_ids: [THREAD], whole_stage: true }, CHOICE],
    [{ thread_ids: [] }, LIST],
    [{ thread_ids: 'x' }, LIST],
    [{ thread_ids: Array(501).fill(THREAD) }, LIST],
    [{ thread_ids: [THREAD, 5, ''] }, { 'thread_ids[1]': A_THREAD, 'thread_ids[2]': A_THREAD }],
    [{ whole_stage: false }, { whole_stage: 'must be true, or absent' }],
    [{ thread_ids: Array(500).fill(THREAD) }, {}],
    [{ whole_stage: true, dry_run: true }, {}],
  ])('for %j has these faults: %j', (body, faults) => {
    expect(faultsOf(StartScenarioRequest, body)).toEqual(faults);
  });

  it('has a dry run, or none', () => {
    expect(refusedAt(StartScenarioRequest, { thread_ids: [THREAD], dry_run: 'yes' })).toEqual(['dry_run']);
  });
});

describe('a try-out', () => {
  const SECONDS = 'must be whole seconds after the start, from 0 to 388800000';
  const LIST = 'must be an array of at most 50 times, in whole seconds after the start';

  it.each<[object, Record<string, string>]>([
    [{ replies: [5, '5'] }, { 'replies[1]': SECONDS }],
    [{ replies: [-1] }, { 'replies[0]': SECONDS }],
    [{ replies: [1.5] }, { 'replies[0]': SECONDS }],
    [{ replies: '5' }, { replies: LIST }],
    [{ replies: Array(51).fill(1) }, { replies: LIST }],
    [{ replies: Array(50).fill(388_800_000) }, {}],
    [{}, {}],
  ])('with %j has these faults: %j', (body, faults) => {
    expect(faultsOf(TryScenarioRequest, body)).toEqual(faults);
  });

  it.each([{ thread_id: 5 }, { starts_at: 'tomorrow' }])('is refused with %j', (body) => {
    expect(refusedAt(TryScenarioRequest, body)).toEqual(Object.keys(body));
  });
});

it.each<[DtoClass, object]>([
  ...[-1, 169, 1.5, '1'].map((overlap_hours): [DtoClass, object] => [RotateSecretRequest, { overlap_hours }]),
  ...['end', null].map((from): [DtoClass, object] => [RetryRunRequest, { from }]),
  [ResolveStepRequest, { sent: 'yes' }],
])('%p is refused with %j', (request, body) => {
  expect(refusedAt(request, body)).toEqual(Object.keys(body));
});
