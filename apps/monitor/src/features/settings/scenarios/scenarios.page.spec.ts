/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { ScenarioAnswer, StageSettingsAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  fill,
  IDS,
  openPage,
  screen,
  within,
  type Answers,
} from '../../../../testing/page-harness';

const AT = '2026-03-02T08:00:00.000Z';

const stage: StageSettingsAnswer = {
  ...{ id: 'stage-1', assistant_id: IDS.agent, name: 'New', kind: 'active', order: 0, description: null },
  ...{ ai_enabled: true, ai_transition_locked: false, on_enter: null },
};

const scenario = (steps: ScenarioAnswer['steps']): ScenarioAnswer => ({
  ...{ id: 'scenario-1', account_id: IDS.account, assistant_id: IDS.agent, status_id: 'stage-1' },
  ...{ name: 'Reminder', state: 'off', order: 0, revision: 1, cooldown_seconds: 0, send_hours: null },
  ...{ on_leave: 'cancel', on_reply: 'continue', on_takeover: 'wait', reentry: 'restart' },
  ...{ created_at: AT, updated_at: AT, steps },
});

const open = (search: string, answers: Answers = {}, scenarios: ScenarioAnswer[] = []) =>
  openPage(`/settings/scenarios?${search}`, {
    answers: {
      'get /api/v1/admin/statuses': { statuses: [stage], next_cursor: null },
      'get /api/v1/admin/scenarios': { scenarios, next_cursor: null },
      'get /api/v1/admin/templates': { templates: [], next_cursor: null },
      'get /api/v1/admin/scenario-runs': { runs: [], next_cursor: null },
      ...answers,
    },
  });

describe('scenarios in the settings', () => {
  it('are made step by step, switched off, and told in sentences', async () => {
    const made = scenario([
      { kind: 'wait', seconds: 600 },
      { kind: 'wait_for_reply', seconds: 86_400, on_timeout: 'stop' },
      { kind: 'notify', text: 'Call {{lead.phone|them}}' },
    ]);
    const { user, answer } = open('id=new');
    fill(await screen.findByRole('textbox', { name: 'Name' }), 'Reminder');
    const add = async (kind: string): Promise<void> => {
      await user.selectOptions(screen.getByLabelText('Kind of the new step'), kind);
      await user.click(screen.getByRole('button', { name: 'Add a step' }));
    };
    const step = (number: number) => screen.findByRole('group', { name: `Step ${number}` });
    await add('wait');
    fill(within(await step(1)).getByRole('textbox', { name: 'For how long' }), '10');
    await user.selectOptions(within(await step(1)).getByLabelText('For how long: unit'), 'minute');
    await add('wait_for_reply');
    await user.selectOptions(within(await step(2)).getByLabelText('Without a reply'), 'end the run');
    await add('notify');
    fill(within(await step(3)).getByLabelText(/^What it is about/), 'Call {{lead.phone|them}}');
    answer({
      'post /api/v1/admin/scenarios': { ...made, signing_secret: 'whsec_1' },
      'get /api/v1/admin/scenarios': { scenarios: [made], next_cursor: null },
    });
    await user.click(screen.getByRole('button', { name: 'Make the scenario' }));
    await screen.findByText('The scenario is made.');
    expect(bodiesOf('post')).toEqual([
      expect.objectContaining({ name: 'Reminder', status_id: 'stage-1', steps: made.steps }),
    ]);
    const steps = within(await screen.findByRole('region', { name: 'Steps' })).getAllByRole('listitem');
    expect(steps.map(({ textContent }) => textContent?.replaceAll(/[\u2066-\u2069]/g, ''))).toEqual([
      expect.stringContaining('Wait 10 minutes'),
      expect.stringContaining('Wait up to 1 day for a reply; without one, end'),
      expect.stringContaining('Ask for a person: “Call {{lead.phone|them}}”'),
    ]);
  });

  it('keep their steps, and where these lead, over a change that moves one by a button', async () => {
    const [reply, back, call]: ScenarioAnswer['steps'] = [
      { kind: 'wait_for_reply', seconds: 60, on_timeout: { go: 'silent' } },
      { kind: 'return_to_ai' },
      { kind: 'notify', label: 'silent', text: 'Call', on_failure: 'continue' },
    ];
    const kept = scenario([reply!, back!, call!]);
    const { user } = open('id=scenario-1&edit=yes', { 'patch /api/v1/admin/scenarios/{id}': kept }, [kept]);
    (await screen.findByRole('button', { name: 'Move down: Step 2' })).focus();
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved');
    expect(bodiesOf('patch')).toEqual([{ steps: [reply, call, back] }]);
  });
});
