import type { StepDefinition } from '@app/contracts/scenario.words';
import { eventually } from '../../support/eventually';
import { uuidOf } from '../../support/database/thread.uuid';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { newPhone } from '../../support/scenes/send.scene';
import { setScenarioScene, type BegunDialog } from '../../support/scenes/scenario.scene';
import { secondsAgo } from '../../support/stand-ins/cloud.webhooks';
import { accept, answer, refuse, type Script } from '../../support/stand-ins/scripted.provider';

const scene = setScenarioScene({
  stages: Array.from({ length: 60 }, () => ({})),
  environment: SHORT_TIMES,
});

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const LOOK: StepDefinition = { kind: 'notify', text: 'Look' };
const hour: StepDefinition = { kind: 'wait', seconds: HOUR };
const reply: StepDefinition = { kind: 'wait_for_reply', seconds: HOUR };

const stepsOf = ({ progress }: { progress: { state: string }[] }): string[] =>
  progress.map(({ state }) => state);

const change = (table: string, set: string, id: string, ...values: unknown[]) =>
  scene.database.pool.query(`UPDATE ${table} SET ${set} WHERE id = $1`, [id, ...values]);

const saysNothingUsable: Script = (response) => answer(response, 200, '<html>fine</html>');

/** A dialog of a number that no other test pauses. */
async function dialogOfOwnNumber(): Promise<{ threadId: string; phone: string }> {
  const botId = await scene.account.addBot();
  await scene.account.connect('waba_coexistence', { botId });
  const phone = newPhone();
  return { threadId: await scene.account.addThread({ phone }, scene.account.assistantId, botId), phone };
}

/** Waits until the dialog's only run has reached so many steps. */
const untilReached = (threadId: string, steps: number) =>
  eventually(
    async () => (await scene.runs(threadId))[0]?.progress.length === steps,
    8_000,
    `the run did not reach ${steps} steps`,
  );

/** Waits until the dialog's only run has reached so many steps and waits at the last of them. */
const untilWaitingAt = (threadId: string, steps: number) =>
  eventually(
    async () => {
      const [run] = await scene.runs(threadId);
      return run?.progress.length === steps && run.state === 'waiting' && run;
    },
    8_000,
    `the run did not wait at step ${steps}`,
  );

describe('a reply', () => {
  it('is written after the run’s last own send, by the customer’s own time', async () => {
    const dialog = await scene.begin([THANKS, reply, LOOK]);
    await untilWaitingAt(dialog.threadId, 2);
    await scene.write(dialog.phone, 'Раньше', secondsAgo(MINUTE));
    await scene.untilAsked(dialog.threadId);
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'waiting'))).toEqual(['done', 'waiting']);
    await scene.write(dialog.phone);
    await scene.untilRun(dialog.threadId, 'done');
  });

  it('before any send is written after the run’s start', async () => {
    const dialog = await scene.dialog();
    await scene.write(dialog.phone, 'До начала', secondsAgo(2));
    const stage = scene.freeStage();
    await scene.scenario(stage, [reply, LOOK]);
    await scene.move(dialog.threadId, stage);
    await untilWaitingAt(dialog.threadId, 1);
    await scene.write(dialog.phone);
    await scene.untilRun(dialog.threadId, 'done');
  });

  it('in the whole second of the send is one', async () => {
    const dialog = await scene.begin([THANKS, reply, LOOK]);
    await untilWaitingAt(dialog.threadId, 2);
    const { rows } = await scene.database.pool.query<{ second: number }>(
      'SELECT floor(extract(epoch FROM spoke_at))::int AS second FROM scenario_runs WHERE thread_id = $1',
      [uuidOf(dialog.threadId)],
    );
    await scene.write(dialog.phone, 'Сразу', rows[0]?.second);
    await scene.untilRun(dialog.threadId, 'done');
  });

  it('counts once: what follows a further send waits for another', async () => {
    const dialog = await scene.begin([reply, THANKS, reply, LOOK]);
    await untilWaitingAt(dialog.threadId, 1);
    await scene.write(dialog.phone);
    await untilWaitingAt(dialog.threadId, 3);
    expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
  });

  it.each<[string, string | object]>([
    ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } }],
    [
      'an edit',
      {
        type: 'edit',
        edit: { original_message_id: 'wamid.X', message: { type: 'text', text: { body: 'b' } } },
      },
    ],
    ['a message taken back', { type: 'revoke', revoke: { original_message_id: 'wamid.X' } }],
    ['START', 'START'],
    ['an unsupported kind', { type: 'interactive' }],
  ])('is not %s', async (_, content) => {
    const dialog = await scene.begin([THANKS, reply, LOOK]);
    await untilWaitingAt(dialog.threadId, 2);
    // What is edited, taken back or reacted to is a message from before.
    const messageId = `wamid.${dialog.threadId}`;
    await scene.account.addMessage(dialog.threadId, {
      messageId,
      at: new Date(Date.now() - 3_600_000).toISOString(),
    });
    const about = JSON.parse(JSON.stringify(content).replaceAll('wamid.X', messageId)) as string | object;
    await scene.write(dialog.phone, about);
    await scene.later(dialog.threadId, 0);
    await scene.untilAsked(dialog.threadId);
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'waiting'))).toEqual(['done', 'waiting']);
  });

  it.each<[string, Script, string]>([
    ['that was refused counts', refuse(400, 132000), 'done'],
    ['of which nobody knows whether it was sent does not', saysNothingUsable, 'waiting'],
  ])('between a message and the try of another %s', async (_, script, state) => {
    const dialog = await scene.begin([THANKS, hour, { ...THANKS, on_failure: 'continue' }, reply]);
    await untilWaitingAt(dialog.threadId, 2);
    await scene.write(dialog.phone);
    scene.provider.on(dialog.phone, script);
    await scene.later(dialog.threadId, HOUR);
    await untilReached(dialog.threadId, 4);
    await scene.untilAsked(dialog.threadId);
    expect((await scene.runs(dialog.threadId))[0]).toMatchObject({ state });
  });

  it('between a message and a try that is to be repeated ends a run that ends by it', async () => {
    const { threadId, phone } = await scene.begin([THANKS, hour, THANKS, LOOK], { on_reply: 'cancel' });
    const { id } = await untilWaitingAt(threadId, 2);
    await change('scenario_runs', `spoke_at = spoke_at - interval '10 s'`, id);
    scene.provider.on(phone, refuse(429, 131056, { 'Retry-After': '60' }));
    await scene.later(threadId, HOUR);
    await untilReached(threadId, 3);
    await untilWaitingAt(threadId, 3);
    await scene.write(phone, 'Да', secondsAgo(5));
    expect(await scene.untilRun(threadId, 'cancelled')).toMatchObject({ reason: 'replied' });
  });

  it('wakes all runs that wait for one', async () => {
    const stage = scene.freeStage();
    for (const order of [1, 2, 3]) await scene.scenario(stage, [reply, LOOK], { order });
    const { threadId, phone } = await scene.dialog();
    await scene.move(threadId, stage);
    const statesAre = (state: string): Promise<boolean> =>
      eventually(
        async () => {
          const runs = await scene.runs(threadId);
          return runs.length === 3 && runs.every((run) => run.state === state);
        },
        8_000,
        `not all runs became ${state}`,
      );
    await statesAre('waiting');
    await scene.write(phone);
    await statesAre('done');
  });
});

/** Hours of every day in UTC, from and to so many hours from now. */
const hoursFromNow = (from: number, to: number) => {
  const at = (hours: number): string =>
    new Date(Date.now() + hours * HOUR * 1_000).toISOString().slice(11, 16);
  return { timezone: 'UTC', spans: [{ weekdays: EVERY_DAY, from: at(from), to: at(to) }], closed: [] };
};
const OPEN = hoursFromNow(-1, 5);
const CLOSED = hoursFromNow(5, 7);

/** The opening of {@link CLOSED}, in milliseconds since 1970. */
const opening = (): number => {
  const at = new Date(Date.now() + 5 * HOUR * 1_000);
  return +at - (+at % 60_000);
};

const untilOf = ({ progress }: { progress: { until?: string }[] }): number =>
  Date.parse(progress.at(-1)?.until ?? '');

describe('send_hours', () => {
  it('that are closed keep what is due until the first 15 minutes of the opening, spread over them', async () => {
    const stage = scene.freeStage();
    const scenarioId = await scene.scenario(stage, [LOOK, THANKS], { send_hours: CLOSED });
    const dialogs = await Promise.all(Array.from({ length: 12 }, () => scene.dialog()));
    for (const { threadId } of dialogs) await scene.move(threadId, stage);
    const untils: number[] = [];
    for (const { threadId, phone } of dialogs) {
      untils.push(untilOf(await untilWaitingAt(threadId, 2)));
      expect(scene.provider.sendsTo(phone)).toEqual([]);
    }
    // The minute may have passed since the hours were written.
    for (const until of untils) {
      expect(until).toBeGreaterThanOrEqual(opening() - 5 * MINUTE * 1_000);
      expect(until).toBeLessThan(opening() + 15 * MINUTE * 1_000);
    }
    expect(Math.max(...untils) - Math.min(...untils)).toBeGreaterThan(2 * MINUTE * 1_000);
    await change('scenarios', 'send_hours = $2', scenarioId, OPEN);
    for (const { threadId, phone } of dialogs) {
      await scene.later(threadId, 0);
      await scene.untilRun(threadId, 'done');
      expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    }
  });

  it('are looked at when a message is sent: a pause of its number carries it into the night', async () => {
    const { threadId, phone } = await dialogOfOwnNumber();
    scene.provider.on(phone, (response, received, n) =>
      (n === 1 ? refuse(429, 130429, { 'Retry-After': '2' }) : accept)(response, received, n),
    );
    const stage = scene.freeStage();
    const used = await scene.account.quotaUsed();
    const scenarioId = await scene.scenario(stage, [THANKS], { send_hours: OPEN });
    await scene.move(threadId, stage);
    await untilWaitingAt(threadId, 1);
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    await change('scenarios', 'send_hours = $2', scenarioId, CLOSED);
    await eventually(
      async () => untilOf(await untilWaitingAt(threadId, 1)) > Date.now() + 4 * HOUR * 1_000,
      8_000,
      'the message did not wait for the opening',
    );
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    await change('scenarios', 'send_hours = NULL', scenarioId);
    await scene.later(threadId, 0);
    await scene.untilRun(threadId, 'done');
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
    expect(await scene.account.quotaUsed()).toBe(used + 1);
  });
});

describe('a message that is due', () => {
  const LATE: StepDefinition = { ...THANKS, max_late_seconds: MINUTE };

  it.each<[string, StepDefinition, number]>([
    ['max_late_seconds', LATE, MINUTE],
    ['six hours, where it says nothing', THANKS, 6 * HOUR],
  ])('and later than %s is skipped as too late, and the run goes on', async (_, step, seconds) => {
    const [late, inTime] = await Promise.all([
      scene.begin([hour, step, LOOK]),
      scene.begin([hour, step, LOOK]),
    ]);
    await untilWaitingAt(late.threadId, 1);
    await untilWaitingAt(inTime.threadId, 1);
    await scene.later(late.threadId, HOUR + seconds + 1);
    await scene.later(inTime.threadId, HOUR + seconds - 20);
    const run = await scene.untilRun(late.threadId, 'done');
    expect(run.progress).toMatchObject([
      {},
      { state: 'skipped', error: { code: 'too_late' } },
      { state: 'done' },
    ]);
    expect(scene.provider.sendsTo(late.phone)).toEqual([]);
    expect(stepsOf(await scene.untilRun(inTime.threadId, 'done'))).toEqual(['done', 'done', 'done']);
    expect(scene.provider.sendsTo(inTime.phone)).toHaveLength(1);
  });

  it('waits while its scenario is paused, and that time counts', async () => {
    const dialog = await scene.begin([hour, LATE, LOOK]);
    await untilWaitingAt(dialog.threadId, 1);
    await change('scenarios', `state = 'paused'`, dialog.scenarioId);
    await scene.later(dialog.threadId, HOUR + 2 * MINUTE);
    await scene.untilAsked(dialog.threadId);
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'waiting'))).toEqual(['waiting']);
    await change('scenarios', `state = 'on'`, dialog.scenarioId);
    await scene.later(dialog.threadId, 0);
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'done'))).toEqual(['done', 'skipped', 'done']);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
  });
});

describe('a message that fails later than its acceptance', () => {
  const FAILURE = { code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' };
  const fails = (id: string | undefined, phone: string): Promise<void> =>
    scene.tell((number) => number.status(`wamid.${id}`, 'failed', { errors: [FAILURE] }), phone);
  const attentionOf = async ({ threadId }: Pick<BegunDialog, 'threadId'>) => {
    const { body } = await scene.api.getHistory({ thread_id: threadId });
    return (body.data.entries as { type: string }[]).filter(({ type }) => type === 'attention');
  };

  it('shows in its step and raises attention on the card, once, in the name of its run', async () => {
    const dialog = await scene.begin([THANKS, hour]);
    const run = await untilWaitingAt(dialog.threadId, 2);
    const id = run.progress[0]?.message_id;
    await fails(id, dialog.phone);
    await fails(id, dialog.phone);
    expect(await scene.statusOf(id ?? '')).toBe('failed');
    const [asked, ...more] = await attentionOf(dialog);
    expect(more).toEqual([]);
    expect(asked).toMatchObject({
      ...{ by: 'SCENARIO', to: 'scenario', note: expect.stringContaining('not delivered') },
      provider_code: FAILURE.code,
      actor: { type: 'scenario', id: dialog.scenarioId, name: 'scenario', run_id: run.id },
    });
    const { rows } = await scene.database.pool.query<{ attention: string; note: string; gaps: number }>(
      `SELECT attention, attention_note AS note,
              version - (SELECT count(*) FROM events e WHERE e.thread_id = t.id AND e.version > 1) - 1 AS gaps
         FROM threads t WHERE id = $1`,
      [uuidOf(dialog.threadId)],
    );
    expect(rows[0]).toEqual({ attention: 'scenario', note: (asked as { note?: string }).note, gaps: '0' });
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'waiting'))).toEqual(['done', 'waiting']);
  });

  it('asks for nobody where no run sent it', async () => {
    const dialog = await scene.dialog();
    const { body } = await scene.send({ phone: dialog.phone });
    await fails(body.data.id, dialog.phone);
    expect(await attentionOf(dialog)).toEqual([]);
  });
});

it('a throttled try of a process that is killed right after it is tried again by another', async () => {
  const { threadId, phone } = await dialogOfOwnNumber();
  let answers = (): void => undefined;
  const asked = new Promise<void>((isAsked) =>
    scene.provider.on(phone, async (response, received, n) => {
      if (n > 1) return accept(response, received, n);
      isAsked();
      await new Promise<void>((resolve) => (answers = resolve));
      return refuse(429, 130429, { 'Retry-After': '2' })(response, received, n);
    }),
  );
  const stage = scene.freeStage();
  await scene.scenario(stage, [THANKS, LOOK]);
  await scene.move(threadId, stage);
  await asked;
  // The process keeps the outcome of its request, and cannot close the step.
  const holder = await scene.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM scenario_queues WHERE thread_id = $1 FOR UPDATE', [uuidOf(threadId)]);
  answers();
  const [run] = await scene.runs(threadId);
  await scene.untilStatus(run?.progress[0]?.message_id ?? '', 'failed');
  for (const killed of scene.servers.splice(0)) await killed.kill('SIGKILL');
  await holder.query('COMMIT');
  holder.release();
  expect(stepsOf((await scene.runs(threadId))[0] as typeof run & object)).toEqual(['running']);
  await scene.addServer();
  const { progress } = await scene.untilRun(threadId, 'done', 15_000);
  expect(progress).toMatchObject([{ state: 'done', attempts: 2 }, { state: 'done' }]);
  expect(progress[0]).not.toHaveProperty('error');
  expect(scene.provider.sendsTo(phone)).toHaveLength(2);
});
