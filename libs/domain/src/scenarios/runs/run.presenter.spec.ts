import type { ListedRun } from '@app/persistence/scenarios/runs/run-list.repository';
import { presentRun } from './run.presenter';

const AT = new Date('2026-11-23T12:00:00Z');
const STEP = { index: 0, started_at: '', finished_at: '', attempts: 1, message_id: 'm' };

const run = (given: object): ListedRun =>
  ({
    ...{ account_id: 'a', id: 'run', scenario_id: 's', scenario_name: 'scenario', thread_id: 't' },
    ...{ status_id: 'stage', revision: 1, state: 'waiting', reason: null, depth: 1, next_at: null },
    ...{ cause: { type: 'key', id: 'k', name: 'key', request_id: 'r', trace: 't' }, retried_by: null },
    ...{ started_at: AT, finished_at: null, automation_paused: false, scenario_state: 'on' },
    ...{
      steps: [
        { kind: 'send_text', text: 'a' },
        { kind: 'notify', text: 'b' },
      ],
      progress: [],
      messages: [],
    },
    ...given,
  }) as unknown as ListedRun;

it('a step shows its message that fails after it was accepted', () => {
  const message = {
    ...{ id: 'm', status: 'failed', error_code: 'PROVIDER_ERROR', error_message: 'Undeliverable' },
    provider_code: 131_026,
  };
  const { steps } = presentRun(run({ progress: [{ ...STEP, state: 'done' }], messages: [message] }));
  expect(steps[0]).toMatchObject({
    ...{ state: 'done', message: { id: 'm', status: 'failed' } },
    error: { code: 'PROVIDER_ERROR', message: 'Undeliverable', provider_code: 131_026 },
  });
});

it('a step that was unknown shows what is known of its message, also in a run that went on', () => {
  const progress = [{ ...STEP, state: 'unknown', error: { code: 'PROVIDER_ERROR', message: 'x' } }];
  const messages = [{ id: 'm', status: 'delivered' }];
  for (const state of [{}, { state: 'done', finished_at: AT }])
    expect(presentRun(run({ ...state, progress, messages })).steps[0]).toMatchObject({
      ...{ state: 'done', error: null },
    });
});

it('an open run is paused where its scenario or its account is, and steps that are not reached are pending or skipped', () => {
  const shown = (given: object) => {
    const { state, steps } = presentRun(run(given));
    return [state, steps.map((step) => step.state)];
  };
  const pending = ['pending', 'pending'];
  expect(shown({})).toEqual(['waiting', pending]);
  expect(shown({ scenario_state: 'paused' })).toEqual(['paused', pending]);
  expect(shown({ automation_paused: true })).toEqual(['paused', pending]);
  const over = { state: 'cancelled', finished_at: AT, scenario_state: 'paused' };
  expect(shown(over)).toEqual(['cancelled', ['skipped', 'skipped']]);
});
