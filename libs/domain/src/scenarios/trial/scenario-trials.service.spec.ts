import type { Channel } from '@app/contracts/message.words';
import type { StoredStep } from '@app/contracts/scenario.words';
import type {
  ScenarioTrialRepository,
  TrialFacts,
  TriedScenario,
} from '@app/persistence/scenarios/definition/scenario-trial.repository';
import type { NeededTemplate, TemplateRepository } from '@app/persistence/templates/template.repository';
import { COMMAND_LINE } from '../../accounts/principal.rules';
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

describe('a try-out', () => {
  const AT = new Date('2026-11-20T09:30:00.000Z');
  const after = (seconds: number): string => new Date(+AT + seconds * 1_000).toISOString();
  const THANKS: StoredStep = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
  const WAIT: StoredStep = { kind: 'wait', seconds: 3_600 };

  interface Given {
    settings?: Partial<TriedScenario>;
    /** Of a dialog; none: of an imagined customer. */
    facts?: Partial<TrialFacts>;
    replies?: number[];
  }

  /** What becomes of a run of these steps that begins then. */
  function play(steps: StoredStep[], { settings, facts, replies = [] }: Given = {}) {
    const known = {
      ...{ channel: 'waba', phone: '+77010000002', customer_name: null, opted_out: false, ai_enabled: true },
      ...{ takeover: false, takeover_until: null, waiting: false, window_until: null, status_id: null },
      ...{ assistant_name: 'Agent', auto_return_minutes: 5, ...facts },
    };
    const trials = {
      scenario: () =>
        Promise.resolve({ ...SCENARIO, id: 'scenario', on_takeover: 'wait', ...settings, steps }),
      stages: () => Promise.resolve([]),
      channels: () => Promise.resolve(['waba']),
      facts: () => Promise.resolve(known),
    } as unknown as ScenarioTrialRepository;
    const registry = { ofAgent: () => Promise.resolve([]) } as unknown as TemplateRepository;
    const threadId = facts ? 'thread_b0000000-0000-4000-8000-000000000001' : null;
    const request = { threadId, startsAt: AT, replies };
    return new ScenarioTrials(trials, registry).play(COMMAND_LINE, 'scenario', request);
  }

  it('says until when it waits, and where conditions and replies lead it', async () => {
    const isReplied = { all: [{ fact: 'replied', is: true }] } as const;
    const steps: StoredStep[] = [
      { kind: 'wait_until', time: '12:00', timezone: 'UTC' },
      { kind: 'condition', ...isReplied, else: { go: 'ask' } } as unknown as StoredStep,
      { kind: 'notify', text: 'x' },
      { kind: 'wait_for_reply', seconds: 60, label: 'ask', on_timeout: 'stop' },
      { kind: 'condition', ...isReplied, else: 'stop' } as unknown as StoredStep,
      WAIT,
    ];
    const decided = async (replies: number[]) =>
      (await play(steps, { replies })).steps.map(({ waits_until, met, replied, next }) => ({
        ...{ waits_until, met, replied, next },
      }));
    const noon = '2026-11-20T12:00:00.000Z';
    const none = {};
    expect(await decided([])).toEqual([
      { waits_until: noon },
      { met: false, next: 3 },
      none,
      { waits_until: '2026-11-20T12:01:00.000Z', replied: false, next: null },
      none,
      none,
    ]);
    expect(await decided([60])).toEqual([
      { waits_until: noon },
      { met: true, next: 2 },
      none,
      { replied: true, next: 4 },
      { met: true, next: 5 },
      { waits_until: '2026-11-20T13:00:00.000Z' },
    ]);
    const [last] = (await play([{ kind: 'wait_for_reply', seconds: 60 }])).steps;
    expect(last).toMatchObject({ waits_until: after(60), replied: false, next: null });
  });

  it('waits for its hours', async () => {
    const spans = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '20:00', to: '21:00' }];
    const send_hours = { timezone: 'UTC', spans, closed: [] };
    const [sent] = (await play([THANKS], { settings: { send_hours } })).steps;
    const at = sent?.at ?? '';
    expect([at >= '2026-11-20T20:00', at < '2026-11-20T20:15:01']).toEqual([true, true]);
    expect(sent?.params).toEqual(['a', 'b']);
  });

  it('ends by a reply, an opt-out or a failure, and goes on after a failure where the step says so', async () => {
    const ending = { settings: { on_reply: 'cancel' as const }, replies: [60] };
    expect(await play([WAIT, THANKS], ending)).toMatchObject({
      ...{ state: 'cancelled', ends_at: after(60) },
      steps: [{ outcome: 'skipped' }, { outcome: 'skipped', at: null }],
    });
    expect(await play([THANKS], { facts: { opted_out: true } })).toMatchObject({ state: 'cancelled' });
    const failing: StoredStep = { kind: 'send_text', text: '{{lead.name}}' };
    expect(await play([failing, THANKS], { facts: {} })).toMatchObject({
      ...{ state: 'failed', steps: [{ outcome: 'failed' }, { outcome: 'skipped' }] },
    });
    const goesOn: StoredStep = { ...failing, on_failure: 'continue' };
    expect(await play([goesOn, THANKS], { facts: {} })).toMatchObject({
      ...{ state: 'done', steps: [{ outcome: 'failed' }, { outcome: 'done' }] },
    });
  });

  it('waits for what does not come, or ends by it', async () => {
    const facts = { takeover: true };
    expect(await play([THANKS], { facts })).toMatchObject({
      ...{ state: 'waiting', ends_at: null },
      steps: [{ outcome: 'waiting', at: null, waits_until: null }],
    });
    const settings = { on_takeover: 'cancel' as const };
    expect(await play([THANKS], { facts, settings })).toMatchObject({ state: 'cancelled' });
  });
});
