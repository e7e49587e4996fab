import type { StepDefinition } from '@app/contracts/scenario.words';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { setScenarioScene } from '../../support/scenes/scenario.scene';
import { accept, answer, type Script } from '../../support/stand-ins/scripted.provider';

const scene = setScenarioScene();
let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  await scene.database.pool.query(`UPDATE api_keys SET name = 'admin' WHERE account_id IS NULL`);
});

const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const WAIT: StepDefinition = { kind: 'wait', seconds: 3_600, label: 'later' };
const ASK: StepDefinition = { kind: 'notify', text: 'Look' };

const ANY_TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
const UNKNOWN_ID = '0197e6a0-0000-7000-8000-000000000000';

const refuses: Script = (response) =>
  answer(response, 400, { error: { message: 'no', type: 'OAuthException', code: 132000 } });
const saysNothingUsable: Script = (response) => answer(response, 200, '<html>fine</html>');

const list = (query: Record<string, string>): Promise<Answer> =>
  admin.admin('GET', `scenario-runs?${new URLSearchParams(query).toString()}`);
const idsOf = ({ body }: Answer): string[] => (body.data.runs as { id: string }[]).map(({ id }) => id);
const stateOf = ({ body }: Answer): string => (body.data as { state: string }).state;
const stepStatesOf = ({ body }: Answer): string[] =>
  (body.data.steps as { state: string }[]).map(({ state }) => state);
const get = (id: string): Promise<Answer> => admin.admin('GET', `scenario-runs/${id}`);
const act = (id: string, what: string, body: object = {}): Promise<Answer> =>
  admin.admin('POST', `scenario-runs/${id}/${what}`, body);
const refusalOf = ({ status, body }: Answer): unknown[] => [status, body.error?.code];

const KEY = { type: 'key', id: expect.any(String), name: 'admin' };
/** What the history tells of a dialog's runs, the oldest first, as `to: note, whose act`. */
async function historyOf(threadId: string): Promise<string[]> {
  const { entries } = (await scene.api.getHistory({ thread_id: threadId })).body.data;
  const told = (entries as { type: string; to: string; note?: string; cause?: { name: string } }[]).filter(
    ({ type }) => type === 'scenario',
  );
  return told.map(({ to, note = '', cause }) => `${to}: ${note}, ${cause?.name ?? ''}`).toReversed();
}

/** A dialog that enters a stage, whose scenario's run gets into a state. */
async function runIn(stage: number, state: string, script: Script = accept) {
  const { threadId, phone } = await scene.dialog();
  scene.provider.on(phone, script);
  await scene.move(threadId, stage);
  const { id } = await scene.untilRun(threadId, state);
  return { id, threadId, phone };
}

/** The scenario of the stage with that index, instead of those that it had. */
async function only(stage: number, steps: StepDefinition[], settings = {}): Promise<string> {
  await scene.database.pool.query(
    'UPDATE scenarios SET archived_at = clock_timestamp() WHERE status_id = $1',
    [scene.stage(stage)],
  );
  return scene.scenario(stage, steps, settings);
}

const set = (scenarioId: string, what: string): Promise<unknown> =>
  scene.database.pool.query(`UPDATE scenarios SET ${what} WHERE id = $1`, [scenarioId]);

describe('a run that an admin reads', () => {
  it('has what the contract names, steps that are not reached too', async () => {
    const scenarioId = await only(0, [THANKS, WAIT, ASK]);
    const { id, threadId } = await runIn(0, 'waiting');
    const { body } = await get(id);
    const at = { started_at: ANY_TIME, finished_at: ANY_TIME };
    const none = { message: null, error: null };
    expect(body.data).toEqual({
      ...{ id, scenario_id: scenarioId, scenario_name: 'scenario', thread_id: threadId },
      ...{ status_id: scene.stage(0), revision: 1, state: 'waiting', reason: null },
      cause: { type: 'key', id: expect.any(String), name: expect.any(String) },
      ...{ depth: 1, started_at: ANY_TIME, finished_at: null, next_at: ANY_TIME, retried_by: null },
      steps: [
        {
          ...{ index: 0, label: null, kind: 'send_template', state: 'done', ...at, attempts: 1, error: null },
          message: { id: expect.any(String), status: 'sent' },
        },
        {
          ...{ index: 1, label: 'later', kind: 'wait', state: 'waiting', attempts: 0, ...none },
          ...{ started_at: ANY_TIME, finished_at: null },
        },
        {
          ...{ index: 2, label: null, kind: 'notify', state: 'pending', attempts: 0, ...none },
          ...{ started_at: null, finished_at: null },
        },
      ],
    });
    expect((await list({ thread_id: threadId })).body.data).toEqual({ runs: [body.data], next_cursor: null });
  });

  it('is paused where its scenario or its account is, hidden until it has begun, and listed when archived', async () => {
    const scenarioId = await only(0, [WAIT]);
    const { id, threadId } = await runIn(0, 'waiting');
    await set(scenarioId, `state = 'paused'`);
    expect(stateOf(await get(id))).toBe('paused');
    expect(idsOf(await list({ scenario_id: scenarioId, state: 'paused' }))).toEqual([id]);
    expect(idsOf(await list({ scenario_id: scenarioId, state: 'waiting' }))).toEqual([]);
    await set(scenarioId, `state = 'on'`);
    const pause = (to: boolean) =>
      scene.database.pool.query('UPDATE accounts SET automation_paused = $1', [to]);
    await pause(true);
    expect(stateOf(await get(id))).toBe('paused');
    await pause(false);
    await set(scenarioId, 'archived_at = clock_timestamp()');
    expect(idsOf(await list({ scenario_id: scenarioId }))).toEqual([id]);
    await scene.database.pool.query(`UPDATE scenario_runs SET state = 'due' WHERE id = $1`, [id]);
    expect(idsOf(await list({ thread_id: threadId }))).toEqual([]);
    expect(refusalOf(await get(id))).toEqual([404, 'RUN_NOT_FOUND']);
  });

  it('comes newest first, page by page, and by filters', async () => {
    const scenarioId = await only(0, [WAIT], { reentry: 'restart' });
    const { threadId } = await scene.dialog();
    for (let n = 0; n < 3; n++) {
      await scene.move(threadId, null);
      await scene.move(threadId, 0);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const all = await eventually(
      async () => {
        const ids = idsOf(await list({ thread_id: threadId }));
        return ids.length === 3 && ids;
      },
      5_000,
      'three runs did not begin',
    );
    expect(all).toEqual(all.toSorted().toReversed());
    const first = await list({ thread_id: threadId, limit: '2' });
    expect(idsOf(first)).toEqual(all.slice(0, 2));
    const second = await list({ thread_id: threadId, limit: '2', cursor: first.body.data.next_cursor });
    expect([idsOf(second), second.body.data.next_cursor]).toEqual([all.slice(2), null]);
    expect(idsOf(await list({ scenario_id: scenarioId, state: 'waiting' }))).toEqual(all.slice(0, 1));
    for (const [field, value] of [
      ['thread_id', `thread_${UNKNOWN_ID}`],
      ['scenario_id', 'x'],
    ] as const)
      expect(idsOf(await list({ [field]: value }))).toEqual([]);
    for (const [field, value] of [
      ['state', 'due'],
      ['state', ''],
      ['limit', '0'],
      ['cursor', 'x'],
    ] as const) {
      const refused = await list({ [field]: value });
      expect([...refusalOf(refused), refused.body.error.details?.[0]?.path]).toEqual([
        422,
        'VALIDATION_ERROR',
        field,
      ]);
    }
    for (const id of [UNKNOWN_ID, 'x']) expect(refusalOf(await get(id))).toEqual([404, 'RUN_NOT_FOUND']);
  });
});

describe('cancelling a run', () => {
  it('ends it with the reason person, in the history too, and once', async () => {
    await only(1, [WAIT, THANKS]);
    const { id, threadId, phone } = await runIn(1, 'waiting');
    const cancelled = await act(id, 'cancel');
    const { status, body } = cancelled;
    expect([status, body.data.state, body.data.reason]).toEqual([200, 'cancelled', 'person']);
    expect(stepStatesOf(cancelled)).toEqual(['skipped', 'skipped']);
    const { entries } = (await scene.api.getHistory({ thread_id: threadId })).body.data;
    expect(entries[0]).toMatchObject({ type: 'scenario', by: 'SCENARIO', to: 'cancelled', note: 'person' });
    expect(entries[0].actor).toMatchObject({ type: 'scenario', run_id: id });
    expect([entries[0].cause, entries[0].request_id]).toEqual([
      { ...KEY, type: 'key' },
      cancelled.headers.get('x-request-id'),
    ]);
    expect(refusalOf(await act(id, 'cancel'))).toEqual([409, 'RUN_STATE']);
    await scene.later(threadId, 3_600);
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
  });

  it('calls back no message that is on its way: it tells what became of its step', async () => {
    await only(1, [THANKS, THANKS]);
    const { threadId, phone } = await scene.dialog();
    let accepts = (): void => undefined;
    const asked = new Promise<void>((isAsked) =>
      scene.provider.on(phone, async (response, received, n) => {
        isAsked();
        await new Promise<void>((resolve) => (accepts = resolve));
        await accept(response, received, n);
      }),
    );
    await scene.move(threadId, 1);
    await asked;
    const [run] = await scene.runs(threadId);
    const { body } = await act(run?.id ?? '', 'cancel');
    expect(body.data.steps[0]).toMatchObject({ state: 'running', message: { status: 'sending' } });
    accepts();
    await scene.untilStatus(body.data.steps[0].message.id, 'sent');
    expect((await get(run?.id ?? '')).body.data).toMatchObject({
      ...{ state: 'cancelled', reason: 'person' },
      steps: [{ state: 'done', message: { status: 'sent' } }, { state: 'skipped' }],
    });
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });
});

describe('retrying a run', () => {
  it('goes on in the same run at the step that failed, by whom is told', async () => {
    await only(2, [ASK, THANKS, ASK]);
    const { id, threadId, phone } = await runIn(2, 'failed', refuses);
    scene.provider.on(phone, accept);
    const { status, body } = await act(id, 'retry');
    expect([status, body.data.id, body.data.reason]).toEqual([200, id, null]);
    expect(body.data.retried_by).toEqual(KEY);
    await scene.untilRun(threadId, 'done');
    expect(await historyOf(threadId)).toEqual([
      'started: , key',
      'failed: step_failed, ',
      'started: retried, admin',
      'done: , ',
    ]);
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
    expect(stepStatesOf(await get(id))).toEqual(['done', 'done', 'done']);
    expect(refusalOf(await act(id, 'retry'))).toEqual([409, 'RUN_STATE']);
  });

  it('makes all steps again from the start', async () => {
    await only(2, [THANKS, WAIT]);
    const { id, threadId, phone } = await runIn(2, 'waiting');
    await act(id, 'cancel');
    expect((await act(id, 'retry', { from: 'start' })).status).toBe(200);
    await scene.untilRun(threadId, 'waiting');
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
  });

  it('is refused while the automation of the account is paused, and accepted where the scenario is off', async () => {
    const scenarioId = await only(2, [THANKS]);
    const { id, threadId, phone } = await runIn(2, 'failed', refuses);
    const pause = (automation_paused: boolean) =>
      admin.admin('PATCH', `accounts/${scene.account.id}`, { automation_paused });
    await pause(true);
    const refused = await act(id, 'retry');
    await pause(false);
    expect([...refusalOf(refused), refused.body.error.message]).toEqual([
      ...[409, 'RUN_STATE'],
      'paused: the automation of the account is paused, so nothing would happen. Resume it, then retry.',
    ]);
    await set(scenarioId, `state = 'off'`);
    scene.provider.on(phone, accept);
    expect((await act(id, 'retry')).status).toBe(200);
    await scene.untilRun(threadId, 'done');
  });

  it('is refused by what has become of its dialog since, and for another body', async () => {
    await only(2, [WAIT]);
    const { id, threadId } = await runIn(2, 'waiting');
    const waiting = await act(id, 'retry');
    expect([...refusalOf(waiting), waiting.body.error.message]).toEqual([
      ...[409, 'RUN_STATE', expect.stringContaining('this one is waiting')],
    ]);
    await act(id, 'cancel');
    await scene.database.pool.query(
      `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause, due_since, started_at)
       SELECT account_id, gen_random_uuid(), scenario_id, thread_id, status_id, entered_at, 1, 'waiting', cause, due_since, started_at
         FROM scenario_runs WHERE id = $1`,
      [id],
    );
    const reasonOf = async (): Promise<unknown> => (await act(id, 'retry')).body.error.message.split(':')[0];
    expect(await reasonOf()).toBe('restarted');
    await scene.move(threadId, null);
    expect(await reasonOf()).toBe('left_stage');
    await scene.kept.setFacts(threadId, 'opted_out = true, ai_enabled = false');
    expect(await reasonOf()).toBe('opted_out');
    expect((await get(id)).body.data).toMatchObject({ state: 'cancelled', retried_by: null });
    expect(refusalOf(await act(id, 'retry', { from: 'end' }))).toEqual([422, 'VALIDATION_ERROR']);
  });
});

it('a run whose steps are gone fails, asks for a person, and holds up no other of its dialog', async () => {
  const [gone, other] = [await only(2, [THANKS]), await scene.scenario(2, [ASK, WAIT])];
  await scene.database.pool.query('DELETE FROM scenario_revisions WHERE scenario_id = $1', [gone]);
  const { threadId, phone } = await scene.dialog();
  await scene.move(threadId, 2);
  const runOf = async (scenarioId: string) =>
    (await scene.runs(threadId)).find((run) => run.scenario_id === scenarioId);
  await eventually(
    async () => (await runOf(other))?.state === 'waiting',
    8_000,
    'the other run did not begin',
  );
  const id = (await runOf(gone))?.id ?? '';
  const { body } = await get(id);
  expect(body.data).toMatchObject({ state: 'failed', reason: 'step_failed', steps: [] });
  expect(idsOf(await list({ thread_id: threadId }))).toContain(id);
  const { entries } = (await scene.api.getHistory({ thread_id: threadId })).body.data;
  expect(entries).toContainEqual(
    expect.objectContaining({ type: 'attention', note: expect.stringContaining('steps') }),
  );
  for (const from of ['failed', 'start'])
    expect(refusalOf(await act(id, 'retry', { from }))).toEqual([409, 'RUN_STATE']);
  expect(scene.provider.sendsTo(phone)).toEqual([]);
});

describe('a step that is unknown', () => {
  const steps: StepDefinition[] = [THANKS, ASK];

  it('keeps its run from a retry; resolved as sent, the run goes on and nothing is sent again', async () => {
    await only(2, steps);
    const { id, threadId, phone } = await runIn(2, 'failed', saysNothingUsable);
    expect((await get(id)).body.data).toMatchObject({
      reason: 'step_failed',
      steps: [{ state: 'unknown' }, {}],
    });
    const { entries } = (await scene.api.getHistory({ thread_id: threadId })).body.data;
    expect(entries).toContainEqual(
      expect.objectContaining({ type: 'attention', note: expect.stringContaining('send_template: ') }),
    );
    for (const from of ['failed', 'start'])
      expect(refusalOf(await act(id, 'retry', { from }))).toEqual([409, 'RUN_STATE']);
    for (const index of ['1', '7'])
      expect(refusalOf(await act(id, `steps/${index}/resolve`, { sent: true }))).toEqual([409, 'RUN_STATE']);
    for (const [index, body] of [
      ['x', { sent: true }],
      ['0', { sent: 'yes' }],
    ] as const)
      expect(refusalOf(await act(id, `steps/${index}/resolve`, body))).toEqual([422, 'VALIDATION_ERROR']);
    expect((await act(id, 'steps/0/resolve', { sent: true })).body.data.steps[0].state).toBe('done');
    await scene.untilRun(threadId, 'done');
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    expect(await historyOf(threadId)).toEqual([
      'started: , key',
      'failed: step_failed, ',
      'started: resolved, admin',
      'done: , ',
    ]);
    expect(refusalOf(await act(id, 'steps/0/resolve', { sent: true }))).toEqual([409, 'RUN_STATE']);
  });

  it('is told by its resolution, where its run goes on anyway, or has nothing more to do', async () => {
    await only(2, [{ ...THANKS, on_failure: 'continue' }, WAIT]);
    const open = await runIn(2, 'waiting', saysNothingUsable);
    expect((await act(open.id, 'steps/0/resolve', { sent: true })).status).toBe(200);
    expect((await historyOf(open.threadId)).slice(1)).toEqual(['started: resolved, admin']);
    await only(2, [THANKS]);
    const last = await runIn(2, 'failed', saysNothingUsable);
    expect(stateOf(await act(last.id, 'steps/0/resolve', { sent: true }))).toBe('done');
    expect((await historyOf(last.threadId)).slice(2)).toEqual(['done: resolved, admin']);
  });

  it('resolved as not sent, is failed, and the run may be retried', async () => {
    await only(2, steps);
    const { id, threadId, phone } = await runIn(2, 'failed', saysNothingUsable);
    const { body } = await act(id, 'steps/0/resolve', { sent: false });
    expect(body.data).toMatchObject({
      state: 'failed',
      reason: 'step_failed',
      steps: [{ state: 'failed' }, {}],
    });
    expect((await historyOf(threadId)).slice(2)).toEqual(['failed: resolved, admin']);
    scene.provider.on(phone, accept);
    expect((await act(id, 'retry')).status).toBe(200);
    await scene.untilRun(threadId, 'done');
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
  });
});

describe('evidence of the provider about a message that was unknown', () => {
  /** A run whose first step is unknown, and what the provider tells of its message. */
  async function unknownRun() {
    await only(2, [THANKS, ASK]);
    const run = await runIn(2, 'failed', saysNothingUsable);
    const messageId = (await get(run.id)).body.data.steps[0].message.id as string;
    const tell = (state: 'delivered' | 'failed'): Promise<void> =>
      scene.tell(
        (number) =>
          number.status(`wamid.${messageId}`, state, {
            biz_opaque_callback_data: messageId,
            ...(state === 'failed' && { errors: [{ code: 131026, title: 'Message undeliverable' }] }),
          }),
        run.phone,
      );
    return { ...run, tell };
  }
  const firstStep = async (id: string): Promise<unknown> => (await get(id)).body.data.steps[0];
  const reasonOf = (refused: Answer): unknown[] => [
    ...refusalOf(refused),
    refused.body.error.message.split(':')[0],
  ];

  it.each([
    ['delivered', 'done', null],
    ['failed', 'failed', { code: 'PROVIDER_ERROR', message: expect.stringContaining('cannot be delivered') }],
  ] as const)(
    '%s settles its step as %s, and the ended run goes on only when asked',
    async (told, state, error) => {
      const { id, threadId, phone, tell } = await unknownRun();
      expect(await firstStep(id)).toMatchObject({ state: 'unknown', message: { status: 'unknown' } });
      await tell(told);
      expect(await firstStep(id)).toMatchObject({ state, error, message: { status: told } });
      await scene.untilAsked(threadId);
      expect((await get(id)).body.data).toMatchObject({ state: 'failed', reason: 'step_failed' });
      const word = { sent: state === 'failed' };
      expect(refusalOf(await act(id, 'steps/0/resolve', word))).toEqual([409, 'RUN_STATE']);
      scene.provider.on(phone, accept);
      expect((await act(id, 'retry')).status).toBe(200);
      await scene.untilRun(threadId, 'done');
      expect(stepStatesOf(await get(id))).toEqual(['done', 'done']);
      expect(scene.provider.sendsTo(phone)).toHaveLength(state === 'done' ? 1 : 2);
    },
  );

  it('beats a person’s word that it was not sent: the step is done, and no retry sends it again', async () => {
    const { id, threadId, phone, tell } = await unknownRun();
    const unsent = (await act(id, 'steps/0/resolve', { sent: false })).body.data.steps[0];
    expect(unsent).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('person') } });
    await tell('delivered');
    expect(await firstStep(id)).toMatchObject({
      state: 'done',
      error: null,
      message: { status: 'delivered' },
    });
    scene.provider.on(phone, accept);
    for (const from of ['failed', 'start'])
      expect(reasonOf(await act(id, 'retry', { from }))).toEqual([409, 'RUN_STATE', 'sent']);
    expect(refusalOf(await act(id, 'steps/0/resolve', { sent: false }))).toEqual([409, 'RUN_STATE']);
    expect((await act(id, 'steps/0/resolve', { sent: true })).status).toBe(200);
    await scene.untilRun(threadId, 'done');
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });
});
