import type { RunStepState, StoredStep } from '@app/contracts/scenario.words';
import type { OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import type {
  RunControlChange,
  RunControlRepository,
  RunSubject,
} from '@app/persistence/scenarios/runs/run-control.repository';
import type { RunListRepository } from '@app/persistence/scenarios/runs/run-list.repository';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import { COMMAND_LINE } from '../../accounts/principal.rules';
import type { Audit } from '../../audit/audit.service';
import type { EventNotifier } from '../../events/event-notifier.service';
import type { RunPermits } from '../../leads/run-permits';
import type { WorkNotifier } from '../../work/work-notifier';
import type { RunLists } from './run-lists.service';
import { RunControl } from './run-control.service';

const NOW = new Date('2026-11-23T12:00:00Z');
const THANKS: StoredStep = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const LOOK: StoredStep = { kind: 'notify', text: 'Look' };

const noted = (index: number, state: RunStepState): StepProgress => ({
  ...{ index, state, started_at: NOW.toISOString(), finished_at: null, attempts: 1 },
  ...(index === 0 && { message_id: 'm' }),
});

const RUN = {
  ...{ id: 'run', scenario_id: 'scenario', name: 'scenario', state: 'failed', reason: 'step_failed' },
  ...{ revision: 1, at_step: 0, progress: [noted(0, 'failed')], depth: 1, by_run: null },
  ...{ cause: { type: 'key', id: 'k', name: 'key' }, stopped_by: null, next_at: null, due_since: NOW },
  ...{ spoke_at: NOW, last_message_id: 'm', customer_after: null, detached: false, handed_over: false },
  ...{ on_leave: 'cancel', on_reply: 'cancel', on_takeover: 'cancel', scenario_state: 'on' },
  ...{ reentry: 'restart', cooldown_seconds: 0, send_hours: null, archived: false, all_cancelled: false },
  ...{ in_stage: true, replied: false, started_at: NOW },
} as unknown as OpenRun;
const DIALOG = { at: NOW, opted_out: false, takeover: false, automation_paused: false };
const CLOSED = {
  ...{ timezone: 'UTC', spans: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '20:00', to: '21:00' }] },
  closed: [],
};

interface Given {
  run?: Partial<OpenRun>;
  dialog?: Partial<typeof DIALOG>;
  others?: Partial<OpenRun>[];
  steps?: StoredStep[];
  /** What the message of the first step is now. */
  message?: string;
}

/** What becomes of a run in a dialog. */
function controlled({ run, dialog, others = [], steps = [THANKS, LOOK], message = 'failed' }: Given) {
  const subject = {
    ...{ run: { ...RUN, ...run }, dialog: { ...DIALOG, ...dialog }, steps, others },
    messages: [{ id: 'm', status: message, error_code: null, error_message: null, provider_code: null }],
  } as unknown as RunSubject;
  let change: RunControlChange | undefined;
  const runs = {
    control: (_: object, decide: (given: RunSubject) => RunControlChange) =>
      Promise.resolve((change = decide(subject)) !== undefined),
  } as unknown as RunControlRepository;
  const found = {
    find: () => Promise.resolve({ account_id: 'account', thread_id: 'thread', id: 'run' }),
  } as unknown as RunListRepository;
  const audit = {
    act: (...[, , , work]: [unknown, unknown, unknown, (entryOf: unknown) => unknown]) => work(null),
  } as unknown as Audit;
  const control = new RunControl(
    runs,
    found,
    { get: () => Promise.resolve({}) } as unknown as RunLists,
    { notify: () => undefined } as unknown as EventNotifier,
    { notify: () => undefined } as unknown as WorkNotifier,
    { untilNone: () => Promise.resolve() } as unknown as RunPermits,
    audit,
  );
  const told = async (act: Promise<unknown>) => {
    await act;
    const { run: became, entries = [], retriedBy } = change ?? {};
    return { ...became, retriedBy, history: entries.map(({ body }) => [body.from, body.to, body.note]) };
  };
  return {
    cancel: () => told(control.cancel(COMMAND_LINE, 'run')),
    retry: (from: 'failed' | 'start' = 'failed') => told(control.retry(COMMAND_LINE, 'run', from)),
    resolve: (index: number, sent: boolean) => told(control.resolve(COMMAND_LINE, 'run', index, sent)),
  };
}

describe('a retry', () => {
  it('goes on at the step that failed, or after the last that is done', async () => {
    const failed = await controlled({}).retry();
    expect(failed).toMatchObject({ state: 'running', at_step: 0, reason: null, progress: [] });
    expect(failed.retriedBy).toMatchObject({ name: COMMAND_LINE.name });
    expect(failed.history).toEqual([[null, 'started', 'retried']]);
    const progress = [noted(0, 'done')];
    const cancelled = controlled({ run: { state: 'cancelled', reason: 'person', progress } });
    expect(await cancelled.retry()).toMatchObject({ state: 'running', at_step: 1, progress });
  });

  it('from the start makes all steps again, and only later replies count', async () => {
    const progress = [noted(0, 'done')];
    const run = { state: 'cancelled', reason: 'person', progress, at_step: 1 } as const;
    expect(await controlled({ run }).retry('start')).toMatchObject({
      ...{ at_step: 0, progress: [], speaks: true, last_message_id: null },
    });
  });

  it('goes on though its scenario is off, or its runs were cancelled before', async () => {
    for (const run of [{ scenario_state: 'off' }, { all_cancelled: true }] as const)
      expect(await controlled({ run }).retry()).toMatchObject({ state: 'running' });
  });

  it.each<[string, Given]>([
    ['left_stage', { run: { in_stage: false } }],
    ['opted_out', { dialog: { opted_out: true } }],
    ['archived', { run: { archived: true } }],
    ['takeover', { dialog: { takeover: true } }],
    ['replied', { run: { replied: true } }],
    ['paused: the scenario', { run: { scenario_state: 'paused' } }],
    ['paused: the automation of the account', { dialog: { automation_paused: true } }],
    ['loop', { run: { reason: 'loop', progress: [] } }],
    ['hours', { run: { send_hours: CLOSED } }],
    ['restarted', { others: [{ scenario_id: 'scenario', state: 'due' }] }],
    ['steps', { steps: [] }],
    ['sent', { message: 'delivered' }],
    [
      'Its last message is still on its way',
      { run: { progress: [noted(0, 'running')] }, message: 'sending' },
    ],
    ['A step is unknown', { run: { progress: [noted(0, 'unknown')] }, message: 'unknown' }],
    ['Only a failed or a cancelled run goes on: this one is done', { run: { state: 'done' } }],
    ['Only a failed or a cancelled run goes on: this one is waiting', { run: { state: 'waiting' } }],
    [
      'Only a failed or a cancelled run goes on: this one is paused',
      { run: { state: 'waiting', scenario_state: 'paused' } },
    ],
  ])('is refused because of %s', async (reason, given) => {
    const { retry } = controlled(given);
    for (const from of ['failed', 'start'] as const)
      await expect(retry(from)).rejects.toMatchObject({
        ...{ code: 'RUN_STATE', message: expect.stringMatching(new RegExp(`^${reason}`)) },
      });
  });

  it('is not refused for hours where it goes on at a step that sends nothing', async () => {
    const progress = [noted(0, 'done'), noted(1, 'failed')];
    const run = { send_hours: CLOSED, at_step: 1, progress };
    expect(await controlled({ run }).retry()).toMatchObject({ state: 'running', at_step: 1 });
  });
});

describe('an open run alone', () => {
  it('is cancelled', async () => {
    const progress = [noted(0, 'done')];
    const run = { state: 'waiting', reason: null, progress, at_step: 1 } as const;
    expect(await controlled({ run }).cancel()).toMatchObject({
      ...{ state: 'cancelled', reason: 'person', history: [[null, 'cancelled', 'person']] },
    });
    await expect(controlled({}).cancel()).rejects.toMatchObject({
      ...{ code: 'RUN_STATE', message: 'The run has ended: it is failed.' },
    });
  });
});

describe('a step that is unknown', () => {
  const unknown = { progress: [noted(0, 'unknown')] };

  it('resolved as sent, is done, and its run goes on, or ends where nothing is left', async () => {
    expect(await controlled({ run: unknown, message: 'unknown' }).resolve(0, true)).toMatchObject({
      ...{ state: 'running', reason: null, at_step: 1, progress: [{ state: 'done' }] },
      history: [[null, 'started', 'resolved']],
    });
    const last = controlled({ run: unknown, message: 'unknown', steps: [THANKS] });
    expect(await last.resolve(0, true)).toMatchObject({
      state: 'done',
      history: [[null, 'done', 'resolved']],
    });
  });

  it('resolved as not sent, has failed, and replies count after the message before it', async () => {
    const progress = [{ ...noted(0, 'unknown'), replies_after: null }];
    expect(await controlled({ run: { progress }, message: 'unknown' }).resolve(0, false)).toMatchObject({
      ...{ state: 'failed', reason: 'step_failed', takes_back: true },
      progress: [{ state: 'failed', error: { message: expect.stringContaining('person') } }],
      history: [['failed', 'failed', 'resolved']],
    });
  });

  it('of an open run is told, and the run goes on where it is', async () => {
    const run = { ...unknown, state: 'waiting', reason: null, at_step: 1 } as const;
    expect(await controlled({ run, message: 'unknown' }).resolve(0, true)).toMatchObject({
      ...{ state: 'waiting', at_step: 1, history: [[null, 'started', 'resolved']] },
    });
  });

  it('that has become known is taken over by a word that agrees, and by no other', async () => {
    const agrees = controlled({ run: unknown, message: 'delivered' });
    expect(await agrees.resolve(0, true)).toMatchObject({ state: 'running', progress: [{ state: 'done' }] });
    await expect(agrees.resolve(0, false)).rejects.toMatchObject({
      message: 'Step 0 is not unknown: it is done.',
    });
    const failed = controlled({ run: unknown, message: 'failed' });
    await expect(failed.resolve(0, true)).rejects.toMatchObject({
      ...{ code: 'RUN_STATE', message: 'Step 0 is not unknown: it is failed.' },
    });
    expect(await failed.resolve(0, false)).toMatchObject({ state: 'failed' });
  });

  it('is one that the run has', async () => {
    const { resolve } = controlled({ run: unknown, message: 'unknown' });
    for (const [index, message] of [
      [1, 'Step 1 is not unknown: it is not reached.'],
      [7, 'The run has no step 7: its steps are 0 to 1.'],
    ] as const)
      await expect(resolve(index, true)).rejects.toMatchObject({ code: 'RUN_STATE', message });
    const one = controlled({ run: unknown, message: 'unknown', steps: [THANKS] });
    await expect(one.resolve(1, true)).rejects.toMatchObject({
      ...{ message: 'The run has no step 1: it has one step, 0.' },
    });
  });
});
