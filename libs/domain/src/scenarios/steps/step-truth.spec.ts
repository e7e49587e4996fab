import type { MessageStatus } from '@app/contracts/message.words';
import type { RunStepState } from '@app/contracts/scenario.words';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import { errorOf, trueStep, trueSteps } from './step-truth';

const NOTED = { code: 'PROVIDER_ERROR', message: 'noted' };
const step = (state: RunStepState): StepProgress => ({
  ...{ index: 0, state, started_at: '', finished_at: null, attempts: 1, message_id: 'm' },
  ...(state !== 'done' && { error: NOTED }),
});
const message = (status: MessageStatus) => ({
  ...{ id: 'm', status, error_code: null, error_message: null, provider_code: null },
});

describe('a step whose message has become known since', () => {
  it.each<[RunStepState, MessageStatus, boolean, RunStepState]>([
    // Evidence of the provider settles what nobody knew, and beats a person's word that nothing was sent.
    ...(['sent', 'delivered', 'read'] as const).flatMap((status) => [
      ['unknown', status, false, 'done'] as [RunStepState, MessageStatus, boolean, RunStepState],
      ['unknown', status, true, 'done'] as [RunStepState, MessageStatus, boolean, RunStepState],
      ['failed', status, false, 'done'] as [RunStepState, MessageStatus, boolean, RunStepState],
      ['running', status, false, 'done'] as [RunStepState, MessageStatus, boolean, RunStepState],
    ]),
    ['unknown', 'failed', false, 'failed'],
    ['unknown', 'failed', true, 'failed'],
    ['unknown', 'unknown', false, 'unknown'],
    ['failed', 'unknown', false, 'failed'],
    // What was on its way when its run ended.
    ['running', 'unknown', false, 'unknown'],
    ['running', 'failed', false, 'failed'],
    ['running', 'sending', false, 'running'],
    // The worker settles what an open run has under way.
    ['running', 'sent', true, 'running'],
    // A later failure is the message's, not the step's.
    ['done', 'failed', false, 'done'],
  ])('is %s with a message that is %s, its run open: %s: then it is %s', (noted, status, isOpen, state) => {
    const shown = trueStep(step(noted), message(status), isOpen);
    expect(shown.state).toBe(state);
    if (state === 'done') expect(shown).not.toHaveProperty('error');
    else if (state !== noted) expect(shown.error).toEqual(errorOf(message(status)));
  });

  it('is known by its own message, and stays as it is without one', () => {
    const steps = [step('unknown'), { ...step('unknown'), index: 1, message_id: 'other' }];
    expect(trueSteps(steps, [message('sent')], false).map(({ state }) => state)).toEqual(['done', 'unknown']);
  });
});

it('what a message failed by is its code, its number and its words', () => {
  const failed = {
    ...message('failed'),
    ...{ error_code: 'NUMBER_PAUSED', error_message: 'Not now', provider_code: 7 },
  } as unknown as Parameters<typeof errorOf>[0];
  expect(errorOf(failed)).toEqual({ code: 'NUMBER_PAUSED', message: 'Not now', provider_code: 7 });
  expect(errorOf(message('failed')).code).toBe('PROVIDER_ERROR');
});
