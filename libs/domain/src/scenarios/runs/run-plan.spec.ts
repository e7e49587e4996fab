import type { StoredStep } from '@app/contracts/scenario.words';
import type { OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import { NO_ANSWER } from './run-progress';
import { RunPlan } from './run-plan';

const NOW = new Date('2026-11-23T12:00:00Z');
const BEFORE = '2026-11-23T11:00:00.000Z';
const STEPS: StoredStep[] = [
  { kind: 'send_text', text: 'a' },
  { kind: 'http', method: 'POST', url: 'https://a.example.com/' },
  { kind: 'notify', text: 'Look', label: 'end' },
];

const noted = (index: number, given: Partial<StepProgress> = {}): StepProgress => ({
  ...{ index, state: 'running', started_at: BEFORE, finished_at: null, attempts: 1 },
  ...given,
});
const plan = (at: number, progress: StepProgress[], more: Partial<OpenRun> = {}, steps = STEPS): RunPlan => {
  const run = {
    ...{ id: 'run', scenario_id: 'scenario', name: 'scenario', state: 'running', reason: null, depth: 1 },
    ...{ cause: { type: 'key', id: 'k', name: 'key' }, stopped_by: null, next_at: null, due_since: NOW },
    ...{ spoke_at: NOW, last_message_id: 'm', detached: false, handed_over: false, revision: 1 },
    ...{ at_step: at, progress, ...more },
  };
  return new RunPlan(run as unknown as OpenRun, steps, NOW);
};
const FAILED = { code: 'X', message: 'x' };

describe('a message that was tried', () => {
  const sending = () => plan(0, [noted(0, { message_id: 'm', replies_after: BEFORE })]);

  it.each<[string, (run: RunPlan) => void, boolean]>([
    ['was refused', (run) => run.close({ state: 'failed', error: FAILED }), true],
    ['is tried again', (run) => run.retry({ inMs: 1_000 }), true],
    ['is unknown', (run) => run.close({ state: 'unknown', error: FAILED }), false],
    ['was sent', (run) => run.close({ state: 'done' }), false],
  ])('and %s: replies count after the one before it: %s', (_, end, isTakenBack) => {
    const run = sending();
    end(run);
    expect(run.written()).toMatchObject({
      ...{ takes_back: isTakenBack, spoke_at: isTakenBack ? new Date(BEFORE) : NOW },
    });
  });
});

describe.each(['failed', 'unknown'] as const)('a step that is %s', (state) => {
  const ended = (on_failure?: 'continue') => {
    const [first, ...others] = STEPS as [StoredStep, ...StoredStep[]];
    const run = plan(0, [noted(0)], {}, [{ ...first, on_failure }, ...others]);
    run.close({ state, error: { ...FAILED, provider_code: 131_047 } });
    return { ...run.written(), asked: run.entries.filter(({ type }) => type === 'attention') };
  };

  it('ends its run, and asks for a person with its name, the words and the number of the provider', () => {
    const { asked, ...run } = ended();
    expect(run).toMatchObject({ state: 'failed', reason: 'step_failed', at_step: 0 });
    expect(asked).toMatchObject([{ body: { to: 'scenario', note: 'send_text: x', provider_code: 131_047 } }]);
  });

  it('lets its run go on where it says so, and asks for nobody', () => {
    const { asked, ...run } = ended('continue');
    expect([run.state, run.at_step, run.reason, asked]).toEqual(['running', 1, null, []]);
  });
});

it('a call that passes at a later try leaves no error behind, and one that is not written in time is no try', () => {
  const run = plan(1, [noted(1, { error: { code: NO_ANSWER, message: 'x' }, attempts: 2 })]);
  run.retry({ inMs: 1_000, isWithheld: true });
  expect(run.noted(1)).toMatchObject({ state: 'waiting', attempts: 1, withheld: 1 });
  run.close({ state: 'done' });
  expect(run.noted(1)).not.toHaveProperty('error');
});

describe('a run that is ended', () => {
  it.each<[string, Partial<StepProgress>, string]>([
    ['while it waits: that step is skipped', { state: 'waiting', attempts: 0 }, 'skipped'],
    ['before its call has begun: that step is skipped', { attempts: 0 }, 'skipped'],
    ['while its call is under way: nobody knows yet', {}, 'unknown'],
    [
      'between two tries, the last without an answer: it may have arrived',
      { state: 'waiting', error: { code: NO_ANSWER, message: 'x' } },
      'unknown',
    ],
    ['between two tries that were answered: it did not pass', { state: 'waiting', error: FAILED }, 'skipped'],
    ['while its message is on its way: the message tells', { message_id: 'm' }, 'running'],
  ])('%s', (_, given, state) => {
    const run = plan(1, [noted(1, given)]);
    run.cancel('left_stage');
    expect(run.written()).toMatchObject({ state: 'cancelled', reason: 'left_stage' });
    expect(run.noted(1)?.state).toBe(state);
  });

  it('is told by the answer that comes afterwards, unless a person said what became of the call', () => {
    const settled = (state: StepProgress['state']) => {
      const run = plan(1, [noted(1, { state, error: { code: NO_ANSWER, message: 'x' } })]);
      run.settleEnded(1, { state: 'done' });
      return run.written()?.progress;
    };
    expect(settled('unknown')).toMatchObject([{ state: 'done' }]);
    expect([settled('failed'), settled('done')]).toEqual([undefined, undefined]);
  });
});

it('a run that goes to a label skips what lies between, and one whose label is gone is done', () => {
  const [condition, ...others] = [
    { kind: 'condition', all: [], else: { go: 'end' } },
    ...STEPS,
  ] as StoredStep[];
  const steps = [condition as StoredStep, ...others];
  const run = plan(0, [noted(0, { attempts: 0 })], {}, steps);
  run.goTo('end');
  expect(run.written()).toMatchObject({
    ...{ state: 'running', at_step: 3 },
    progress: [{ state: 'done' }, { state: 'skipped' }, { state: 'skipped' }],
  });
  const gone = plan(0, [noted(0, { attempts: 0 })], {}, steps);
  gone.goTo('nowhere');
  expect(gone.written()).toMatchObject({ state: 'done', reason: null });
});
