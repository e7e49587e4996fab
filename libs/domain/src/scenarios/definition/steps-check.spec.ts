import { violationsOfSteps } from './steps-check';

const WAIT = { kind: 'wait', seconds: 60 };
const OWN = 'b0000000-0000-4000-8000-000000000001';
const ARCHIVED = 'b0000000-0000-4000-8000-000000000002';
const FOREIGN = 'b0000000-0000-4000-8000-000000000003';
const STRANGE = 'b0000000-0000-4000-8000-000000000004';
const PERSON = 'b0000000-0000-4000-8000-000000000005';

/** What is wrong with some steps, by path. */
const faultsOf = (steps: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(
    violationsOfSteps(steps, {
      stageIds: new Set([OWN]),
      otherStages: new Map([
        [ARCHIVED, '"Paid", which is archived'],
        [FOREIGN, '"Paid", a stage of another funnel'],
      ]),
      userIds: new Set([PERSON]),
      violationOfUrl: (url) =>
        /^https:\/\/(?!10\.|\[)/.test(url) ? null : 'must be an address that may be called',
    }).map(({ path, message }) => [path, message]),
  );

it('steps without a fault have no violation', () => {
  const steps = [
    { kind: 'condition', all: [{ fact: 'replied', is: true }], else: { go: 'end' } },
    { kind: 'set_status', status_id: OWN },
    { kind: 'set_status', status_id: null },
    { kind: 'assign', user_id: PERSON },
    { kind: 'notify', label: 'end', text: 'Call {{lead.phone}}' },
  ];
  expect(faultsOf(steps)).toEqual({});
});

it('every violation comes with its path, several at once', () => {
  const faults = faultsOf([
    { kind: 'wait', seconds: 0, label: 'one' },
    { kind: 'wait', label: 'one', on_failure: 'again' },
    { kind: 'wait', seconds: 7_776_001, label: ' ' },
    { kind: 'wait', seconds: '5' },
    { kind: 'fly' },
    { label: 'x' },
    'wait',
    { kind: 'wait_until', time: '24:00', timezone: '+05:00', weekdays: [], at_least_seconds: -1 },
    { kind: 'wait_for_reply', seconds: 5, on_timeout: { go: 'one' } },
    { kind: 'condition', all: [], else: { go: 'nowhere' } },
    { kind: 'condition', all: [{ fact: 'replied', is: 'yes' }, { fact: 'kind', is: 'x' }, { fact: 'y' }] },
    {
      kind: 'condition',
      all: [{ fact: 'channel', is: 'WABA' }, 7, { fact: 'handler', is: 'ai' }],
      else: 'go',
    },
    { kind: 'set_status' },
    { kind: 'set_status', status_id: FOREIGN },
    { kind: 'set_status', status_id: STRANGE },
    { kind: 'set_ai', ai_enabled: true },
    { kind: 'send_text', text: ' ' },
    { kind: 'send_text', text: '{{lead.email}}', max_late_seconds: 0 },
    { kind: 'notify' },
    { kind: 'hand_over', note: '{{1}}' },
    { kind: 'assign' },
    { kind: 'assign', user_id: STRANGE },
    { kind: 'assign', user_id: 'x' },
  ]);
  expect(Object.keys(faults)).toEqual([
    ...['steps[0].seconds', 'steps[1].label', 'steps[1].on_failure', 'steps[1].seconds'],
    ...['steps[2].label', 'steps[2].seconds', 'steps[3].seconds'],
    ...['steps[4].kind', 'steps[5].kind', 'steps[6]'],
    ...['time', 'timezone', 'weekdays', 'at_least_seconds'].map((field) => `steps[7].${field}`),
    ...['steps[8].on_timeout.go', 'steps[9].all', 'steps[9].else.go'],
    ...['steps[10].all[0].is', 'steps[10].all[1].is', 'steps[10].all[2].fact', 'steps[10].else'],
    ...['steps[11].all[0].is', 'steps[11].all[1]', 'steps[11].all[2].is', 'steps[11].else'],
    ...['steps[12].status_id', 'steps[13].status_id', 'steps[14].status_id', 'steps[15].ai_enabled'],
    ...['steps[16].text', 'steps[17].text', 'steps[17].max_late_seconds', 'steps[18].text'],
    ...['steps[19].note', 'steps[20].user_id', 'steps[21].user_id', 'steps[22].user_id'],
  ]);
  expect(faults['steps[4].kind']).toContain('send_template, send_text');
  expect(faults).toMatchObject({
    'steps[1].seconds': 'is required, and must be a whole number from 1 to 7776000',
    'steps[6]': 'must be an object with a kind, such as { "kind": "wait", "seconds": 60 }',
    'steps[8].on_timeout.go': 'must be the label of a step further down, of which none has one',
    'steps[9].else.go': 'must be the label of a step further down, of which none has one',
    'steps[11].all[1]': 'must be an object such as { "fact": "replied", "is": true }',
    'steps[11].else': 'must be stop or { "go": "label" }',
    'steps[12].status_id': 'is required, and must be a stage of the scenario’s funnel, or null for none',
    'steps[13].status_id':
      'is "Paid", a stage of another funnel: it must be a stage of the scenario’s funnel, or null for none',
    'steps[14].status_id': 'must be a stage of the scenario’s funnel, or null for none',
  });
});

it('a template, its variables or a call cannot be just anything', () => {
  const template = (more: object) => ({ kind: 'send_template', template_id: 'x', ...more });
  const call = (more: object) => ({ kind: 'http', method: 'POST', url: 'https://a.example.com/', ...more });
  const faults = faultsOf([
    { kind: 'send_template', channel: 'WABA', params: 'x', template_language: '' },
    template({ params: ['{{x}}', '', '{{lead.name|}}'], named_params: { Name: 'x', name: '{{y}}' } }),
    template({ header: { type: 'image' }, buttons: [{ type: 'url', index: 10, text: '{{z}}' }] }),
    call({ method: 'HEAD', url: 'http://shop.example.com/' }),
    call({ url: 'https://10.0.0.1/' }),
    call({ url: 'https://[::1]/', method: 'GET', body: 1 }),
    call({ url: 'https://a.example.com/{{lead.phone}}' }),
    call({ headers: { Host: 'x', 'a b': 'x' } }),
    call({ headers: { 'Webhook-Id': 'x' }, body: { a: [{ b: '{{q}}' }] } }),
    call({ headers: [] }),
  ]);
  expect(Object.keys(faults)).toEqual([
    ...['template_id', 'template_language', 'channel', 'params'].map((field) => `steps[0].${field}`),
    ...['steps[1].params[0]', 'steps[1].params[1]', 'steps[1].named_params', 'steps[1].named_params.name'],
    ...['steps[2].header', 'steps[2].buttons[0].index', 'steps[2].buttons[0].text'],
    ...['steps[3].method', 'steps[3].url', 'steps[4].url', 'steps[5].url', 'steps[5].body', 'steps[6].url'],
    ...['steps[7].headers.Host', 'steps[7].headers', 'steps[8].headers.Webhook-Id', 'steps[8].body.a[0].b'],
    'steps[9].headers',
  ]);
});

it('words tell how to mend it', () => {
  const faults = faultsOf([
    { kind: 'set_status', status_id: ARCHIVED },
    { kind: 'condition', all: [], else: { go: 'x' } },
    { kind: 'send_template', template_id: 'x', params: 5, header: 5 },
    { kind: 'http', method: 'GET', url: 'https://a.example.com/', headers: { 'Webhook-Id': 'x' } },
    { ...WAIT, label: 'b' },
    { ...WAIT, label: 'c' },
    { ...WAIT, label: 'b' },
  ]);
  expect(faults).toEqual({
    'steps[0].status_id':
      'is "Paid", which is archived: it must be a stage of the scenario’s funnel, or null for none',
    'steps[1].all': 'must be an array of 1 to 20 facts such as { "fact": "replied", "is": true }',
    'steps[1].else.go': 'must be the label of a step further down: b or c',
    'steps[2].params': 'must be an array of non-empty strings',
    'steps[2].header': 'must be an object such as { "type": "text", "text": "…" }',
    'steps[3].headers.Webhook-Id': 'is set by the service itself: leave it out',
    'steps[6].label': 'is the label of steps[4] too: each must have its own',
  });
});

it('there are 1 to 50 steps', () => {
  expect([Object.keys(faultsOf([])), Object.keys(faultsOf(Array(51).fill(WAIT)))]).toEqual([
    ['steps'],
    ['steps'],
  ]);
  expect(faultsOf(Array(50).fill(WAIT))).toEqual({});
});
