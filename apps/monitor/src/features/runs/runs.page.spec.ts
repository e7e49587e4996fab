/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { RunAnswer, UserAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  IDS,
  openPage,
  screen,
  waitFor,
  within,
  type Answers,
} from '../../../testing/page-harness';

const AT = '2026-03-02T08:00:00.000Z';

const run = (given: Partial<RunAnswer> = {}): RunAnswer => ({
  ...{
    id: 'run-1',
    scenario_id: 'scenario-1',
    scenario_name: 'Remind',
    thread_id: 'thread_1',
    status_id: 'stage-1',
  },
  ...{ cause: { id: IDS.person, name: 'Айгерим', type: 'user' }, depth: 0, revision: 1, retried_by: null },
  ...{ state: 'waiting', reason: null, started_at: AT, finished_at: null, next_at: AT },
  steps: [
    {
      ...{ index: 0, kind: 'wait', label: null, state: 'waiting', attempts: 0, error: null, message: null },
      ...{ started_at: AT, finished_at: null },
    },
  ],
  ...given,
});

const open = (search: string, runs: RunAnswer[], as: Partial<UserAnswer> = {}, answers: Answers = {}) =>
  openPage(`/runs${search}`, {
    as,
    answers: {
      'get /api/v1/admin/scenario-runs': { runs, next_cursor: null },
      'post /api/v1/leads/get-lead': {
        ...{ thread_id: 'thread_1', assistant_id: IDS.agent, channel: 'waba', phone: '+77015551006' },
        ...{ message_handler: 'AI', status: null, status_set_at: null, status_set_by: null },
      },
      ...answers,
    },
  });

describe('runs of scenarios', () => {
  it('show whose they are and their steps, and an operator nothing that stops them', async () => {
    const { user } = open('', [run()], { role: 'operator' });
    await user.click(await screen.findByRole('button', { name: /Remind/ }));
    within(await screen.findByRole('list', { name: 'Steps' })).getByText('Wait');
    expect((await screen.findByText(/^Customer:/)).textContent?.replace(/[^+\d]/g, '')).toBe('+77015551006');
    expect(screen.queryByRole('button', { name: 'Stop this run' })).toBeNull();
  });

  it.each([
    [131047, 'More than 24 hours have passed since the customer wrote: send a template.'],
    [null, null],
  ])(
    'tell by which rule the messenger refused a step, its words behind it: %d',
    async (provider_code, rule) => {
      const words = 'Re-engagement message';
      const failed = run({
        ...{ state: 'failed', reason: 'step_failed', finished_at: AT, next_at: null },
        steps: [
          {
            ...{ index: 0, kind: 'send_text', label: null, state: 'failed', attempts: 1, message: null },
            ...{ started_at: AT, finished_at: AT },
            error: { code: 'PROVIDER_ERROR', message: words, provider_code },
          },
        ],
      });
      const { user } = open('', [failed]);
      await user.click(await screen.findByRole('button', { name: /Remind/ }));
      const steps = await screen.findByRole('list', { name: 'Steps' });
      expect(steps.querySelector('details')?.textContent ?? null).toBe(
        rule && `In the words of the messenger${words}`,
      );
      expect(steps.textContent).toContain(rule ?? `The messenger refused it. ${words}`);
    },
  );

  it('have their filter in the address, and say that nothing passes it', async () => {
    const { user, calls } = open('?state=failed', []);
    await screen.findByText('No run passes this filter.');
    expect(calls.find(({ path }) => path.endsWith('scenario-runs'))?.query).toMatchObject({
      state: 'failed',
    });
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    await waitFor(() => expect(location.search).toBe(''));
  });

  it('ask before one begins once more, for its customer gets everything again', async () => {
    const { user } = open(
      '',
      [run({ state: 'cancelled', reason: 'person', finished_at: AT, next_at: null })],
      {},
      {
        'post /api/v1/admin/scenario-runs/{id}/retry': run(),
      },
    );
    await user.click(await screen.findByRole('button', { name: /Remind/ }));
    await user.click(await screen.findByRole('button', { name: 'Once more from the first step' }));
    const question = await screen.findByRole('dialog', { name: 'Once more from the first step' });
    within(question).getByText(/What was sent already is sent again\./);
    expect(bodiesOf('post').filter((body) => (body as { from?: string }).from)).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Once more from the first step' }));
    await screen.findByText('The run goes on.');
    expect(bodiesOf('post')).toContainEqual({ from: 'start' });
  });
});
