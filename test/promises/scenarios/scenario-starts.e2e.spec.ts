import type { StepDefinition } from '@app/contracts/scenario.words';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { metricsOf } from '../../support/clients/metrics.reader';
import { dumpOf } from '../../support/database/database.dump';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

const scene = setScenarioScene();
let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const WAIT: StepDefinition = { kind: 'wait', seconds: 3_600 };
const UNKNOWN_ID = '0197e6a0-0000-7000-8000-000000000000';

const start = (id: string, body: object): Promise<Answer> =>
  admin.admin('POST', `scenarios/${id}/start`, body);
const tryOut = (id: string, body: object = {}): Promise<Answer> =>
  admin.admin('POST', `scenarios/${id}/try`, body);
const refusalOf = ({ status, body }: Answer): unknown[] => [status, body.error?.code];
const set = (scenarioId: string, what: string): Promise<unknown> =>
  scene.database.pool.query(`UPDATE scenarios SET ${what} WHERE id = $1`, [scenarioId]);

/** Leads that stand in a stage, entered without scenarios. */
async function standing(stage: number, count: number): Promise<string[]> {
  const dialogs = await Promise.all(Array.from({ length: count }, () => scene.dialog()));
  for (const { threadId } of dialogs)
    await scene.api.setStatus({
      thread_id: threadId,
      status_id: scene.stage(stage),
      skip_scenarios: true,
    });
  return dialogs.map(({ threadId }) => threadId);
}

const empty = (stage: number): Promise<unknown> =>
  scene.database.pool.query(
    'UPDATE threads SET status_id = NULL, status_set_at = NULL, status_set_by = NULL WHERE status_id = $1',
    [scene.stage(stage)],
  );

/** Nothing of the tests before is under way. */
const untilAllAtRest = (): Promise<unknown> =>
  eventually(
    async () => {
      const { rowCount } = await scene.database.pool.query(
        `SELECT 1 FROM scenario_queues WHERE due_at <= clock_timestamp() OR lease_token IS NOT NULL
          UNION ALL SELECT 1 FROM messages WHERE status IN ('queued', 'sending')`,
      );
      return rowCount === 0;
    },
    10_000,
    'something is still under way',
  );

const untilDecided = (): Promise<unknown> =>
  eventually(
    async () =>
      (await scene.database.pool.query(`SELECT 1 FROM scenario_runs WHERE state = 'due'`)).rowCount === 0,
    5_000,
    'a run was not decided about',
  );

describe('a scenario that an admin starts', () => {
  it('begins for the named leads in its stage, with the hand as cause, and skips the others', async () => {
    const id = await scene.scenario(0, [THANKS, WAIT]);
    const [first = '', second = ''] = await standing(0, 2);
    const [elsewhere = ''] = await standing(1, 1);
    const body = { thread_ids: [first, second, first, elsewhere] };
    const expected = {
      skipped: [{ thread_id: elsewhere, reason: 'not_in_stage' }],
      skipped_counts: { not_in_stage: 1 },
      would_start: { runs: 2, messages: 2 },
    };
    expect((await start(id, { ...body, dry_run: true })).body.data).toEqual({ started: 0, ...expected });
    expect(await scene.runs(first)).toEqual([]);
    expect((await start(id, body)).body.data).toEqual({ started: 2, ...expected });
    for (const threadId of [first, second]) {
      const { cause, depth } = await scene.untilRun(threadId, 'waiting');
      expect([cause.type, depth]).toEqual(['hand', 1]);
    }
    expect(await scene.runs(elsewhere)).toEqual([]);
    await scene.move(first, null);
    expect((await scene.untilRun(first, 'cancelled')).reason).toBe('left_stage');
    await set(id, `state = 'off'`);
  });

  it('begins for a whole stage, for each lead once while it stays', async () => {
    await empty(1);
    const id = await scene.scenario(1, [WAIT]);
    const threads = await standing(1, 3);
    expect((await start(id, { whole_stage: true, dry_run: true })).body.data.would_start).toEqual({
      runs: 3,
      messages: 0,
    });
    expect((await start(id, { whole_stage: true })).body.data).toMatchObject({ started: 3, skipped: [] });
    for (const threadId of threads) await scene.untilRun(threadId, 'waiting');
    expect((await start(id, { whole_stage: true })).body.data).toEqual({
      ...{ started: 0, skipped: [], skipped_counts: { already_started: 3 } },
      would_start: { runs: 0, messages: 0 },
    });
    await set(id, `state = 'off'`);
  });

  it('begins once for each lead of a stage, also by three calls at once', async () => {
    await empty(1);
    const id = await scene.scenario(1, [WAIT]);
    const threads = await standing(1, 5);
    const lock = await RowLock.take(scene.database, ...threads);
    const starting = [1, 2, 3].map(() => start(id, { whole_stage: true }));
    await lock.waiters(starting.length);
    await lock.release();
    const answers = await Promise.all(starting);
    const started = answers.map(({ body }) => body.data.started as number);
    expect(started.reduce((sum, each) => sum + each, 0)).toBe(threads.length);
    for (const threadId of threads) await scene.untilRun(threadId, 'waiting');
    await set(id, `state = 'off'`);
  });

  it('says of whom it does not begin for, and that a dry run would not', async () => {
    await empty(2);
    const settings = { reentry: 'ignore', cooldown_seconds: 3_600, on_takeover: 'cancel' };
    const id = await scene.scenario(2, [WAIT, THANKS], settings);
    const leads = (await standing(2, 5)) as [string, string, string, string, string];
    const [running, over, silent, taken, free] = leads;
    await start(id, { thread_ids: [running, over] });
    for (const threadId of [running, over]) await scene.untilRun(threadId, 'waiting');
    const [run] = await scene.runs(over);
    expect((await admin.admin('POST', `scenario-runs/${run?.id}/cancel`, {})).status).toBe(200);
    await scene.kept.setFacts(silent, 'opted_out = true, ai_enabled = false');
    await scene.kept.setFacts(taken, `takeover_until = 'infinity'`);
    const reasons = { already_running: running, cooldown: over, opted_out: silent, takeover: taken };
    const expected = {
      skipped: Object.entries(reasons).map(([reason, thread_id]) => ({ thread_id, reason })),
      skipped_counts: Object.fromEntries(Object.keys(reasons).map((reason) => [reason, 1])),
      would_start: { runs: 1, messages: 1 },
    };
    const body = { thread_ids: leads };
    expect((await start(id, { ...body, dry_run: true })).body.data).toEqual({ started: 0, ...expected });
    expect((await start(id, body)).body.data).toEqual({ started: 1, ...expected });
    await scene.untilRun(free, 'waiting');
    await untilDecided();
    const counts = await Promise.all(leads.map(async (threadId) => (await scene.runs(threadId)).length));
    expect(counts).toEqual([1, 1, 0, 0, 1]);
    await set(id, `state = 'off'`);
  });

  it('says so where it seems to be a loop, which the card shows too', async () => {
    const id = await scene.scenario(2, [{ kind: 'wait', seconds: 1 }]);
    const [threadId = ''] = await standing(2, 1);
    const started = [];
    for (let n = 0; n < 6; n++) {
      const { body } = await start(id, { thread_ids: [threadId] });
      started.push([body.data.started, body.data.skipped_counts]);
    }
    expect(started).toEqual([...Array<unknown>(5).fill([1, {}]), [0, { loop: 1 }]]);
    await untilDecided();
    expect((await scene.runs(threadId)).at(-1)).toMatchObject({ state: 'failed', reason: 'loop' });
    await set(id, `state = 'off'`);
  });

  it('starts nothing where it is paused at the same time, and says that it is not on', async () => {
    const id = await scene.scenario(2, [WAIT]);
    const [threadId = ''] = await standing(2, 1);
    const pausing = await scene.database.pool.connect();
    try {
      await pausing.query('BEGIN');
      await pausing.query(`UPDATE scenarios SET state = 'paused' WHERE id = $1`, [id]);
      const answer = start(id, { thread_ids: [threadId] });
      await untilWaiting(scene.database.pool, 1);
      await pausing.query('COMMIT');
      const { status, body } = await answer;
      expect([status, body.error?.code, body.error?.message]).toEqual([
        ...[409, 'RUN_STATE'],
        expect.stringContaining('The scenario is paused'),
      ]);
    } finally {
      pausing.release(true);
    }
    expect(await scene.runs(threadId)).toEqual([]);
  });

  it('starts none where one dialog is not its agent’s, where it is not on, and for a wrong body', async () => {
    const id = await scene.scenario(2, [WAIT]);
    const [threadId = ''] = await standing(2, 1);
    const other = await AccountFixture.create(scene.database.pool);
    for (const strange of [await other.addThread(), `thread_${UNKNOWN_ID}`, 'x']) {
      const refused = await start(id, { thread_ids: [threadId, strange, threadId, strange] });
      expect([...refusalOf(refused), refused.body.error?.message]).toEqual([
        ...[404, 'THREAD_NOT_FOUND'],
        'thread_ids[1], thread_ids[3]: there is no such dialog of the scenario’s agent. Take ids such as thread_<uuid> from get-threads.',
      ]);
    }
    expect(refusalOf(await start(id, { thread_ids: [threadId], whole_stage: true }))).toEqual([
      ...[422, 'VALIDATION_ERROR'],
    ]);
    const body = { thread_ids: [threadId] };
    for (const state of ['off', 'paused']) {
      await set(id, `state = '${state}'`);
      expect(refusalOf(await start(id, body))).toEqual([409, 'RUN_STATE']);
    }
    await set(id, `state = 'on'`);
    await scene.database.pool.query('UPDATE accounts SET automation_paused = true');
    expect(refusalOf(await start(id, body))).toEqual([409, 'RUN_STATE']);
    await scene.database.pool.query('UPDATE accounts SET automation_paused = false');
    await set(id, 'archived_at = now()');
    for (const unknown of [id, UNKNOWN_ID, 'x'])
      expect(refusalOf(await start(unknown, body))).toEqual([404, 'SCENARIO_NOT_FOUND']);
    expect(await scene.runs(threadId)).toEqual([]);
  });
});

describe('a scenario that is tried out', () => {
  const AT = '2026-11-20T09:30:00.000Z';
  const after = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1_000).toISOString();
  const steps: StepDefinition[] = [
    { kind: 'send_text', text: 'Hello {{lead.name|you}}', label: 'hello' },
    { kind: 'wait_for_reply', seconds: 600, on_timeout: { go: 'silent' } },
    { kind: 'notify', text: 'The customer wrote at {{time}}' },
    { kind: 'http', method: 'POST', url: 'https://crm.example.com/x', body: { phone: '{{lead.phone}}' } },
    { kind: 'set_status', status_id: null, label: 'silent' },
    { kind: 'condition', all: [{ fact: 'in_stage', is: true }], else: 'stop' },
    THANKS,
  ];
  const outcomesOf = ({ body }: Answer): string[] =>
    (body.data.steps as { outcome: string }[]).map(({ outcome }) => outcome);

  it('says what each step does and when, with replies, and writes and sends nothing', async () => {
    const id = await scene.scenario(0, steps);
    const { threadId, phone } = await scene.dialog();
    await scene.kept.setFacts(threadId, `customer_name = 'Ann'`);
    await untilAllAtRest();
    const before = await dumpOf(scene.database.pool);
    const silent = await tryOut(id, { starts_at: AT });
    const answered = await tryOut(id, { thread_id: threadId, starts_at: AT, replies: [90, 5] });
    expect(await dumpOf(scene.database.pool)).toEqual(before);
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
    expect(silent.body.data).toMatchObject({ state: 'done', ends_at: after(600) });
    expect(outcomesOf(silent)).toEqual(['done', 'done', 'skipped', 'skipped', 'done', 'done', 'skipped']);
    expect(silent.body.data.steps[1]).toMatchObject({ waits_until: after(600), replied: false, next: 4 });
    expect(answered.body.data).toEqual({
      steps: [
        { index: 0, label: 'hello', kind: 'send_text', at: AT, text: 'Hello Ann', outcome: 'done' },
        {
          ...{ index: 1, label: null, kind: 'wait_for_reply', at: after(5), outcome: 'done' },
          ...{ waits_until: after(600), replied: true, next: 2 },
        },
        {
          ...{ index: 2, label: null, kind: 'notify', at: after(5), outcome: 'done' },
          text: 'The customer wrote at 09:30',
        },
        {
          ...{ index: 3, label: null, kind: 'http', at: after(5), outcome: 'done' },
          request: { method: 'POST', url: 'https://crm.example.com/x', headers: [], body: { phone } },
        },
        {
          index: 4,
          label: 'silent',
          kind: 'set_status',
          at: after(5),
          text: 'clears the stage',
          outcome: 'done',
        },
        { index: 5, label: null, kind: 'condition', at: after(5), outcome: 'done', met: false, next: null },
        { index: 6, label: null, kind: 'send_template', at: null, outcome: 'skipped' },
      ],
      state: 'done',
      ends_at: after(5),
    });
    await set(id, `state = 'off'`);
  });

  it('shows a template with its words and values', async () => {
    await scene.database.pool.query(
      `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
       VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', 'tried_out', 'tried_out', 'ru', 'utility', 'approved', $3, 2)`,
      [scene.account.id, scene.account.botId, '{{2}}: здравствуйте, {{1}}!'],
    );
    const step: StepDefinition = {
      kind: 'send_template',
      template_id: 'tried_out',
      params: ['{{lead.name|друг}}', 'Аптека'],
    };
    const id = await scene.scenario(0, [step], { state: 'off' });
    const [sent] = (await tryOut(id, { starts_at: AT })).body.data.steps;
    expect(sent).toMatchObject({ text: 'Аптека: здравствуйте, Айгерим!', params: ['Айгерим', 'Аптека'] });
  });

  it('sees the hours and the settings of its scenario, and what its dialog is', async () => {
    const evenings = {
      timezone: 'UTC',
      spans: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '20:00', to: '21:00' }],
      closed: [],
    };
    const later = await scene.scenario(0, [THANKS], { send_hours: evenings, state: 'off' });
    expect((await tryOut(later, { starts_at: AT })).body.data.ends_at).toMatch(/^2026-11-20T20:/);
    const ending = await scene.scenario(0, [WAIT, THANKS], { on_reply: 'cancel', state: 'off' });
    const replied = await tryOut(ending, { starts_at: AT, replies: [60] });
    expect(replied.body.data).toMatchObject({ state: 'cancelled', ends_at: after(60) });
    const held = await scene.scenario(0, [THANKS], { state: 'off' });
    const { threadId: thread_id } = await scene.dialog();
    const stateOf = async (): Promise<unknown> => (await tryOut(held, { thread_id })).body.data.state;
    expect(await stateOf()).toBe('done');
    await scene.kept.setFacts(thread_id, `takeover_until = 'infinity'`);
    expect(await stateOf()).toBe('waiting');
    await scene.kept.setFacts(thread_id, 'opted_out = true, ai_enabled = false');
    expect(await stateOf()).toBe('cancelled');
  });

  it('is refused for what does not exist, and for a wrong body', async () => {
    const id = await scene.scenario(0, [WAIT], { state: 'off' });
    for (const unknown of [UNKNOWN_ID, 'x'])
      expect(refusalOf(await tryOut(unknown))).toEqual([404, 'SCENARIO_NOT_FOUND']);
    for (const strange of ['x', `thread_${UNKNOWN_ID}`]) {
      const refused = await tryOut(id, { thread_id: strange });
      expect([...refusalOf(refused), refused.body.error?.message]).toEqual([
        ...[404, 'THREAD_NOT_FOUND'],
        'thread_id: there is no such dialog of the scenario’s agent. Take ids such as thread_<uuid> from get-threads.',
      ]);
    }
    expect(refusalOf(await tryOut(id, { replies: [-1] }))).toEqual([422, 'VALIDATION_ERROR']);
  });
});

describe('dialogs with runs', () => {
  it('are listed by their scenario and their state, which are of one run', async () => {
    const { account } = scene;
    const stage = account.stages.push(...(await account.addStages(account.assistantId, [{}]))) - 1;
    const waits = await scene.scenario(stage, [WAIT]);
    const ends = await scene.scenario(stage, [{ kind: 'notify', text: 'x' }]);
    const { threadId } = await scene.dialog();
    const { threadId: without } = await scene.dialog();
    await scene.move(threadId, stage);
    await eventually(
      async () => {
        const states = (await scene.runs(threadId)).map(({ state }) => state).toSorted();
        return states.join() === 'done,waiting';
      },
      5_000,
      'the runs did not get there',
    );
    const listed = async (filter: object): Promise<boolean> => {
      const { body } = await scene.api.getThreads({ limit: 200, ...filter });
      const ids = (body.data.threads as { thread_id: string }[]).map(({ thread_id }) => thread_id);
      expect(ids).not.toContain(without);
      return ids.includes(threadId);
    };
    expect(await listed({ scenario_id: waits })).toBe(true);
    expect(await listed({ run_state: 'done' })).toBe(true);
    expect(await listed({ scenario_id: waits, run_state: 'waiting' })).toBe(true);
    expect(await listed({ scenario_id: waits, run_state: 'done' })).toBe(false);
    expect(await listed({ scenario_id: ends, run_state: 'done' })).toBe(true);
    await set(waits, `state = 'paused'`);
    expect(await listed({ scenario_id: waits, run_state: 'waiting' })).toBe(false);
    expect(await listed({ scenario_id: waits, run_state: 'paused' })).toBe(true);
    expect(refusalOf(await scene.api.getThreads({ scenario_id: UNKNOWN_ID }))).toEqual([
      404,
      'SCENARIO_NOT_FOUND',
    ]);
    for (const body of [{ run_state: 'due' }, { run_state: null }, { scenario_id: 5 }])
      expect(refusalOf(await scene.api.getThreads(body))).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('are counted by metrics, with what their steps came to and how late they were', async () => {
    const text = await metricsOf(scene.server);
    const valueOf = (line: string): number =>
      Number(
        text
          .split('\n')
          .find((each) => each.startsWith(line))
          ?.split(' ')
          .at(-1),
      );
    expect(valueOf('leadline_scenario_runs{state="paused"}')).toBeGreaterThan(0);
    expect(valueOf('leadline_scenario_runs{state="waiting"}')).toBeGreaterThan(0);
    expect(valueOf('leadline_scenario_steps_total{kind="send_template",outcome="done"}')).toBeGreaterThan(0);
    for (const quantile of ['0.5', '0.99'])
      expect(valueOf(`leadline_scenario_lateness_seconds{quantile="${quantile}"}`)).toBeGreaterThanOrEqual(0);
    expect(valueOf('leadline_work_in_flight{work="scenarios"}')).toBeGreaterThanOrEqual(0);
  });
});
