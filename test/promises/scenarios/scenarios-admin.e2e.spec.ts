import { randomUUIDv7 } from 'node:crypto';
import { setScene } from '../../support/scenes/base.scene';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';

const WAIT = { kind: 'wait', seconds: 60 };

/** A step of each kind, with all of its fields. */
const STEPS = (stage: string): object[] => [
  {
    ...{ kind: 'send_template', label: 'thanks', template_id: 'order_ready', template_language: 'kk' },
    ...{
      channel: 'waba',
      params: ['{{lead.name|friend}}', '15:30'],
      header: { type: 'text', text: '{{date}}' },
    },
    ...{ buttons: [{ type: 'url', index: 0, text: 'x' }], max_late_seconds: 60, on_failure: 'continue' },
  },
  { kind: 'send_text', text: 'Hi, {{ lead.name }}', max_late_seconds: 7_776_000 },
  { kind: 'wait', seconds: 7_776_000 },
  { kind: 'wait_until', time: '10:00', timezone: 'Asia/Almaty', weekdays: [1, 7], at_least_seconds: 0 },
  { kind: 'wait_for_reply', seconds: 1, on_timeout: { go: 'end' } },
  {
    kind: 'condition',
    all: [
      ...['in_stage', 'replied', 'window_open', 'waiting'].map((fact) => ({ fact, is: true })),
      { fact: 'handler', is: 'AI' },
      { fact: 'channel', is: 'waba_coexistence' },
      { fact: 'kind', is: 'success' },
      { fact: 'last_send', is: 'delivered' },
    ],
    else: 'stop',
  },
  { kind: 'set_status', status_id: stage },
  { kind: 'set_ai', ai_enabled: false },
  { kind: 'hand_over', note: 'Look' },
  { kind: 'return_to_ai' },
  { kind: 'assign', user_id: null },
  {
    ...{ kind: 'http', method: 'POST', url: 'https://shop.example.com/paid' },
    ...{
      headers: { Authorization: 'Bearer secret', 'X-Shop': '7' },
      body: { phone: '{{lead.phone}}', n: [1, null] },
    },
  },
  { kind: 'notify', label: 'end', text: 'Call {{lead.phone}}' },
];

const HOURS = {
  timezone: 'Asia/Almaty',
  spans: [{ weekdays: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' }],
  closed: ['2026-12-31'],
};

const OTHERS = {
  name: 'Иначе',
  state: 'off',
  order: 7,
  on_leave: 'continue',
  on_reply: 'cancel',
  on_takeover: 'cancel',
  reentry: 'once',
  cooldown_seconds: 60,
  send_hours: HOURS,
};

// Without workers nothing changes that a call did not change.
const scene = setScene({ agentCouldAnswer: true });
let agent: string;
let stage: string;

const stageOf = async (assistant_id = agent): Promise<string> =>
  (await scene.admin.admin('POST', 'statuses', { assistant_id, name: 'Paid', kind: 'success' })).body.data
    .id as string;
const make = (body: object = {}): Promise<Answer> =>
  scene.admin.admin('POST', 'scenarios', { status_id: stage, name: 'Thanks', steps: [WAIT], ...body });
const made = async (body: object = {}): Promise<string> => {
  const { status, body: answer } = await make(body);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data.id as string;
};
const change = (id: string, body: object) => scene.admin.admin('PATCH', `scenarios/${id}`, body);
const remove = (id: string) => scene.admin.admin('DELETE', `scenarios/${id}`);
const read = async (id: string): Promise<Record<string, any>> =>
  (await scene.admin.admin('GET', `scenarios/${id}`)).body.data as Record<string, any>;
const listed = async (query = `status_id=${stage}`): Promise<string[]> =>
  (await readPages(scene.admin, `scenarios?limit=2&${query}`, 'scenarios')).map(({ id }) => id);

/** Paths and messages of what is wrong with some steps. */
const faultsOf = async (steps: unknown, more: object = {}): Promise<Record<string, string>> => {
  const { status, body } = await make({ steps, ...more });
  if (status !== 422) throw new Error(`not refused: ${JSON.stringify(body)}`);
  return Object.fromEntries((body.error.details ?? []).map(({ path, message }) => [path, message]));
};

const startsRuns = async (id = stage): Promise<boolean> => {
  const { rows } = await scene.database.pool.query<{ starts_runs: boolean }>(
    'SELECT starts_runs FROM statuses WHERE id = $1',
    [id],
  );
  return rows[0]?.starts_runs ?? false;
};

beforeEach(async () => {
  agent = await scene.account.addAssistant();
  stage = await stageOf();
});

describe('a step that sends a registered template', () => {
  const STEP = { kind: 'send_template', template_id: 'visit' };
  const needs = (count: number) =>
    scene.database.pool.query('UPDATE templates SET params_count = $2 WHERE account_id = $1', [
      ...[scene.account.id, count],
    ]);

  it('gives it all of its values: when it is saved, and when the scenario is switched on again', async () => {
    const bot = await scene.account.addBot(undefined, agent);
    await scene.account.connect('waba', { botId: bot });
    await scene.database.pool.query(
      `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
       VALUES ($1, gen_random_uuid(), $2, 'waba', 'visit', 'visit', 'ru', 'utility', 'approved', '{{1}} {{2}}', 2)`,
      [scene.account.id, bot],
    );
    const expected = { 'steps[0].params': 'must have 2 values, one for each variable of the template' };
    expect(await faultsOf([STEP])).toEqual(expected);
    expect(await faultsOf([{ ...STEP, params: ['a'] }])).toEqual(expected);
    const id = await made({ steps: [{ ...STEP, params: ['a', 'b'] }], state: 'on' });
    expect((await change(id, { steps: [STEP] })).body.error.details).toMatchObject([
      { path: 'steps[0].params' },
    ]);
    await needs(3);
    expect((await change(id, { name: 'Other', state: 'on' })).status).toBe(200);
    expect((await change(id, { state: 'off' })).status).toBe(200);
    const { status, body } = await change(id, { state: 'on' });
    expect([status, body.error.details]).toMatchObject([422, [{ path: 'steps[0].params' }]]);
    expect(await read(id)).toMatchObject({ state: 'off' });
    await needs(2);
    expect((await change(id, { state: 'on' })).status).toBe(200);
  });
});

describe('a scenario', () => {
  it('is made with 201 and its defaults, and read as it was made', async () => {
    const answer = await make({ more: 'left out' });
    expect([answer.status, answer.body.data]).toEqual([
      201,
      {
        ...{ id: expect.any(String), account_id: scene.account.id, assistant_id: agent, status_id: stage },
        ...{
          name: 'Thanks',
          state: 'on',
          order: 1,
          on_leave: 'cancel',
          on_reply: 'continue',
          on_takeover: 'wait',
        },
        ...{ reentry: 'restart', cooldown_seconds: 0, send_hours: null, revision: 1, steps: [WAIT] },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const { signing_secret: _, ...shown } = answer.body.data;
    expect(await read(shown.id as string)).toEqual(shown);
    expect((await make()).body.data.order).toBe(2);
  });

  it('is made with its secret, or not at all', async () => {
    const secrets = (what: string) => scene.database.pool.query(`ALTER TABLE scenario_secrets ${what}`);
    await secrets('ADD CONSTRAINT refused CHECK (false) NOT VALID');
    expect((await make()).status).toBe(500);
    expect(await listed()).toEqual([]);
    await secrets('DROP CONSTRAINT refused');
    expect((await make()).status).toBe(201);
  });

  it('has each kind of step with all its fields, and shows headers by their names alone', async () => {
    const id = await made({ steps: STEPS(await stageOf()).map((step) => ({ ...step, more: 'left out' })) });
    const { steps } = await read(id);
    const shown = STEPS(steps[6].status_id as string);
    expect(steps).toEqual(
      shown.map((step) =>
        'headers' in step ? { ...step, headers: { Authorization: null, 'X-Shop': null } } : step,
      ),
    );
    const { rows } = await scene.database.pool.query<{ text: string }>(
      'SELECT steps::text AS text FROM scenario_revisions WHERE scenario_id = $1',
      [id],
    );
    expect(rows[0]?.text).not.toContain('secret');
  });

  it('gets each setting by itself, and keeps what a change does not name', async () => {
    const id = await made();
    let expected = await read(id);
    for (const [field, value] of Object.entries(OTHERS)) {
      const revision = expected.revision + 1;
      expected = { ...expected, [field]: value, revision, updated_at: expect.any(String) };
      const { status, body } = await change(id, { [field]: value });
      expect([field, status, body.data]).toEqual([field, 200, expected]);
    }
    const { body } = await change(id, {
      send_hours: null,
      id: randomUUIDv7(),
      status_id: await stageOf(),
      revision: 9,
    });
    expected = { ...expected, send_hours: null, revision: expected.revision + 1 };
    expect(body.data).toEqual(expected);
    expect((await change(id, { running: 'keep' })).body.data).toEqual(expected);
    expect(await read(id)).toEqual(expected);
  });

  it('gets a revision with each change, and keeps the steps of those before', async () => {
    const id = await made();
    const { body } = await change(id, { steps: [{ kind: 'notify', text: 'a' }, WAIT] });
    expect(body.data).toMatchObject({ revision: 2, steps: [{ kind: 'notify', text: 'a' }, WAIT] });
    const { rows } = await scene.database.pool.query<{ steps: object[] }>(
      'SELECT steps FROM scenario_revisions WHERE scenario_id = $1 ORDER BY revision',
      [id],
    );
    expect(rows.map(({ steps }) => steps.length)).toEqual([1, 2]);
    expect((await change(id, { name: 'Another' })).body.data).toMatchObject({
      ...{ name: 'Another', revision: 3, steps: [{ kind: 'notify', text: 'a' }, WAIT] },
    });
  });

  it('keeps each of the changes that come at once, and each revision', async () => {
    const id = await made();
    const settings = Object.entries(OTHERS).map(([field, value]) => change(id, { [field]: value }));
    const steps = Array.from({ length: 5 }, (_, n) =>
      change(id, { steps: [{ kind: 'wait', seconds: n + 1 }] }),
    );
    const statuses = (await Promise.all([...settings, ...steps])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await read(id)).toMatchObject({ ...OTHERS, revision: 1 + settings.length + steps.length });
  });

  it('keeps the value of a header that a change gives as null, with the same address only', async () => {
    const call = (more: object) => ({ kind: 'http', method: 'POST', url: 'https://a.example.com/', ...more });
    const id = await made({ steps: [call({ headers: { A: '1', B: '2' } })] });
    const { body } = await change(id, { steps: [WAIT, call({ headers: { A: null, B: '3' } })] });
    expect(body.data.steps[1].headers).toEqual({ A: null, B: null });
    const elsewhere = call({ headers: { A: null }, url: 'https://b.example.com/' });
    await scene.expectRefused(() => change(id, { steps: [elsewhere] }), 'VALIDATION_ERROR', [
      'steps[0].headers.A',
    ]);
    const further = call({ headers: { C: null, A: null } });
    await scene.expectRefused(() => change(id, { steps: [further] }), 'VALIDATION_ERROR', [
      'steps[0].headers.C',
    ]);
    const first = { steps: [call({ headers: { A: null } })] };
    await scene.expectRefused(() => make(first), 'VALIDATION_ERROR', ['steps[0].headers.A']);
  });

  it('is deleted: 404, and in no list', async () => {
    const [id, other] = [await made(), await made()];
    const before = await read(id);
    const { status, body } = await remove(id);
    expect([status, body.data]).toEqual([200, before]);
    expect(await listed()).toEqual([other]);
    await scene.expectRefused(() => scene.admin.admin('GET', `scenarios/${id}`), 'SCENARIO_NOT_FOUND');
    await scene.expectRefused(() => change(id, { name: 'x' }), 'SCENARIO_NOT_FOUND');
    await scene.expectRefused(() => remove(id), 'SCENARIO_NOT_FOUND');
  });

  it('is not found by an id that is none, or of nothing', async () => {
    for (const id of ['nothing', randomUUIDv7()]) {
      await scene.expectRefused(() => scene.admin.admin('GET', `scenarios/${id}`), 'SCENARIO_NOT_FOUND');
      await scene.expectRefused(() => change(id, {}), 'SCENARIO_NOT_FOUND');
      await scene.expectRefused(() => remove(id), 'SCENARIO_NOT_FOUND');
      await scene.expectRefused(() => make({ status_id: id }), 'STATUS_NOT_FOUND');
    }
    await scene.database.pool.query('UPDATE statuses SET archived_at = now() WHERE id = $1', [stage]);
    await scene.expectRefused(() => make(), 'STATUS_NOT_FOUND');
  });
});

describe('the list', () => {
  it('goes agent by agent, by order and then by age, in pages', async () => {
    const ids = [];
    for (const order of [5, 3, 5, 1]) ids.push(await made({ order }));
    const sorted = [ids[3], ids[1], ids[0], ids[2]];
    expect(await listed()).toEqual(sorted);
    const before = agent;
    agent = await scene.account.addAssistant();
    stage = await stageOf();
    const [further] = [await made()];
    expect(await listed(`assistant_id=${before}`)).toEqual(sorted);
    const both = (await listed('')).filter((id) => [...sorted, further].includes(id));
    expect(both).toEqual([...sorted, further]);
    expect(await listed(`status_id=${randomUUIDv7()}`)).toEqual([]);
    expect(await listed('status_id=nothing')).toEqual([]);
    await scene.expectRefused(() => scene.admin.admin('GET', 'scenarios?cursor=x'), 'VALIDATION_ERROR', [
      'cursor',
    ]);
  });
});

describe('a stage', () => {
  it('has at most 20 scenarios, also when they are made at once', async () => {
    for (let n = 0; n < 15; n++) await made();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => make()))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([...Array<number>(5).fill(201), ...Array<number>(5).fill(422)]);
    await scene.expectRefused(() => make(), 'VALIDATION_ERROR', ['status_id']);
    const all = await listed();
    expect(all).toHaveLength(20);
    await remove(all[0] ?? '');
    expect((await make()).status).toBe(201);
    const { body } = await make();
    expect(body.error.details?.[0]?.message).toBe(
      'has 20 scenarios already: delete one of them, or name another stage',
    );
  });

  it('starts runs as long as one of its scenarios is on', async () => {
    const seen = [await startsRuns()];
    const [one, other] = [await made(), await made({ state: 'off' })];
    seen.push(await startsRuns());
    await change(one, { state: 'paused' });
    seen.push(await startsRuns());
    await change(other, { state: 'on' });
    seen.push(await startsRuns());
    await remove(other);
    seen.push(await startsRuns());
    expect(seen).toEqual([false, true, false, true, false]);
  });
});

describe('a definition is refused', () => {
  it('with the path and the words of each violation, by the stages and people that are there', async () => {
    const foreign = await stageOf(await scene.account.addAssistant());
    const strange = await AccountFixture.create(scene.database.pool);
    const archived = await stageOf();
    expect((await scene.admin.admin('DELETE', `statuses/${archived}`)).status).toBe(200);
    const faults = await faultsOf([
      { kind: 'set_status', status_id: foreign },
      { kind: 'set_status', status_id: strange.stages[0] },
      { kind: 'set_status', status_id: archived },
      { kind: 'assign', user_id: await strange.addUser() },
      { kind: 'http', method: 'POST', url: 'https://10.0.0.1/' },
      'wait',
    ]);
    const expected = 'must be a stage of the scenario’s funnel, or null for none';
    expect(faults).toEqual({
      'steps[0].status_id': `is "Paid", a stage of another funnel: it ${expected}`,
      'steps[1].status_id': expected,
      'steps[2].status_id': `is "Paid", which is archived: it ${expected}`,
      'steps[3].user_id': expect.any(String),
      'steps[4].url': expect.any(String),
      'steps[5]': 'must be an object with a kind, such as { "kind": "wait", "seconds": 60 }',
    });
    expect(await listed()).toEqual([]);
  });

  it('with no step, with 51, and without a list of steps', async () => {
    for (const steps of [[], Array<object>(51).fill(WAIT), 'wait', null, undefined]) {
      expect(Object.keys(await faultsOf(steps))).toEqual(['steps']);
    }
    expect((await make({ steps: Array<object>(50).fill(WAIT) })).status).toBe(201);
  });

  it('where settings are out of their bounds', async () => {
    const wrong = { name: ' ', state: 'going', order: -1, on_leave: 'x', on_reply: 'x', on_takeover: 'x' };
    const more = { reentry: 'x', cooldown_seconds: 1.5, send_hours: 'x' };
    const faults = await faultsOf([WAIT], { ...wrong, ...more });
    expect(faults.send_hours).toBe('must be an object, or null for no hours');
    expect(Object.keys(faults).sort()).toEqual(Object.keys({ ...wrong, ...more }).sort());
    // Runs are kept for 180 days, so nothing would say that a longer cooldown goes on.
    const days = (count: number) => ({ cooldown_seconds: count * 86_400 });
    expect(Object.keys(await faultsOf([WAIT], days(181)))).toEqual(['cooldown_seconds']);
    expect((await make(days(180))).status).toBe(201);
    const hours = {
      timezone: 'Nowhere',
      spans: [{ weekdays: [0], from: '25:00', to: '06:00' }],
      closed: ['x'],
    };
    const paths = ['timezone', 'spans[0].weekdays', 'spans[0].from', 'closed[0]'].map(
      (path) => `send_hours.${path}`,
    );
    expect(Object.keys(await faultsOf([WAIT], { send_hours: hours }))).toEqual(paths);
  });
});
