import type { Channel } from '@app/contracts/message.words';
import type {
  ScenarioTrialRepository,
  TriedScenario,
} from '@app/persistence/scenarios/scenario-trial.repository';
import type { NeededTemplate, TemplateRepository } from '@app/persistence/templates/template.repository';
import { COMMAND_LINE } from '../accounts/principal.rules';
import { ScenarioTrials } from './scenario-trials.service';

const SCENARIO = {
  ...{ account_id: 'account', assistant_id: 'agent', status_id: null, assistant_name: 'Agent' },
  ...{ on_reply: 'continue', on_takeover: 'continue', send_hours: null, auto_return_minutes: 5 },
  asked_at: new Date(),
  steps: [{ kind: 'send_template', template_id: 'order_update', params: ['{{lead.name}}'] }],
} as unknown as TriedScenario;

const template = (channel: Channel, body: string): NeededTemplate =>
  ({
    ...{ template_id: 'order_update', name: 'order_update', language: 'ru', channel, body, provider_id: '1' },
    ...{ header: null, buttons: [], parameter_format: 'positional', params_count: 1, param_names: [] },
  }) satisfies NeededTemplate;

/** What an imagined customer of an agent with such numbers reads. */
async function textFor(channels: Channel[], ...templates: NeededTemplate[]): Promise<string | undefined> {
  const trials = {
    scenario: () => Promise.resolve(SCENARIO),
    stages: () => Promise.resolve([]),
    channels: () => Promise.resolve(channels),
  } as unknown as ScenarioTrialRepository;
  const registry = { ofAgent: () => Promise.resolve(templates) } as unknown as TemplateRepository;
  const request = { threadId: null, startsAt: null, replies: [] };
  const { steps } = await new ScenarioTrials(trials, registry).play(COMMAND_LINE, 'scenario', request);
  return steps[0]?.text;
}

describe('an imagined customer', () => {
  const CLOUD = template('waba_coexistence', 'Cloud: {{1}}');
  const GUPSHUP = template('waba', 'Gupshup: {{1}}');

  it.each<[string, Channel[], NeededTemplate[], string]>([
    ['its only number', ['waba'], [GUPSHUP], 'Gupshup: Айгерим'],
    ['the number that has the template', ['waba_coexistence', 'waba'], [GUPSHUP], 'Gupshup: Айгерим'],
    [
      'the first number, where both have it',
      ['waba', 'waba_coexistence'],
      [CLOUD, GUPSHUP],
      'Gupshup: Айгерим',
    ],
    ['no number at all', [], [], 'order_update: Айгерим'],
  ])('reads what the agent sends by %s', async (_, channels, templates, text) => {
    expect(await textFor(channels, ...templates)).toBe(text);
  });
});
