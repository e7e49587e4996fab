/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { StageSettingsAnswer, UserAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  fill,
  IDS,
  openPage,
  refused,
  screen,
  within,
  type Answers,
} from '../../../../testing/page-harness';

const stage = (given: Partial<StageSettingsAnswer> = {}): StageSettingsAnswer => ({
  ...{ id: 'stage-1', assistant_id: IDS.agent, name: 'New', kind: 'active', order: 0, description: null },
  ...{ ai_enabled: true, ai_transition_locked: false, on_enter: null },
  ...given,
});

const PAID = stage({ id: 'stage-2', name: 'Paid', kind: 'success', order: 1 });

const open = (search: string, answers: Answers = {}, as: Partial<UserAnswer> = {}) =>
  openPage(`/settings/stages?${search}`, {
    as,
    answers: { 'get /api/v1/admin/statuses': { statuses: [stage(), PAID], next_cursor: null }, ...answers },
  });

describe('stages in the settings', () => {
  it('are made of what was chosen, and not without a name', async () => {
    const { user } = open('id=new', { 'post /api/v1/admin/statuses': stage({ id: 'stage-3' }) });
    await user.click(await screen.findByRole('button', { name: 'Make the stage' }));
    await screen.findByText('Please fill this in.');
    fill(screen.getByLabelText(/^Name/), 'With the master');
    await user.selectOptions(screen.getByLabelText(/^Kind/), 'qualified');
    await user.selectOptions(screen.getByLabelText(/^When a lead enters/), 'operator');
    await user.click(screen.getByRole('button', { name: 'Make the stage' }));
    await screen.findByText(/^The stage is made/);
    expect(bodiesOf('post')).toEqual([
      expect.objectContaining({ name: 'With the master', kind: 'qualified', on_enter: 'operator' }),
    ]);
  });

  it('change by what changed alone', async () => {
    const { user } = open('id=stage-1', {
      'patch /api/v1/admin/statuses/{id}': stage({ description: 'It is being repaired.' }),
    });
    fill(await screen.findByLabelText(/^When a lead should be here/), 'It is being repaired.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved');
    expect(bodiesOf('patch')).toEqual([{ description: 'It is being repaired.' }]);
  });

  it('are archived once it is said where their leads go', async () => {
    const { user, calls, answer } = open('id=stage-1', {
      'delete /api/v1/admin/statuses/{id}': refused('STATUS_IN_USE', { status: 409 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Archive the stage' }));
    const question = within(await screen.findByRole('dialog'));
    await user.click(question.getByRole('button', { name: 'Archive the stage' }));
    await question.findByText(/Leads are in this stage/);
    answer({
      'delete /api/v1/admin/statuses/{id}': stage(),
      'get /api/v1/admin/statuses': { statuses: [PAID], next_cursor: null },
    });
    await user.selectOptions(question.getByLabelText('Leads that are here go'), 'stage-2');
    await user.click(question.getByRole('button', { name: 'Archive the stage' }));
    await screen.findByText('The stage is archived.');
    expect(calls.filter(({ route }) => route.startsWith('delete')).at(-1)?.query).toEqual({
      move_to: 'stage-2',
    });
  });

  it('are read by operators, and not changed', async () => {
    open('id=stage-2', {}, { role: 'operator' });
    await screen.findByRole('heading', { name: 'Paid' });
    expect(within(screen.getByRole('main')).queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Move up|New stage|Save|Archive/ })).toBeNull();
  });
});
