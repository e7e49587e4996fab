import type { StepDefinition } from '@app/contracts/scenario.words';
import { eventually } from '../../support/eventually';
import { uuidOf } from '../../support/database/thread.uuid';
import { newPhone } from '../../support/scenes/send.scene';
import { setScenarioScene, type BegunDialog, type KeptRunRow } from '../../support/scenes/scenario.scene';
import { secondsAgo } from '../../support/stand-ins/cloud.webhooks';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';

const scene = setScenarioScene({ stages: Array.from({ length: 20 }, () => ({})) });

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

/** A dialog of a number that no other test pauses. */
async function dialogOfOwnNumber(): Promise<{ threadId: string; phone: string }> {
  const botId = await scene.account.addBot();
  await scene.account.connect('waba_coexistence', { botId });
  const phone = newPhone();
  return { threadId: await scene.account.addThread({ phone }, scene.account.assistantId, botId), phone };
}

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
  it('is written after the run’s last own send, by the customer’s own time, also in the whole second of the send', async () => {
    const dialog = await scene.begin([THANKS, reply, LOOK]);
    await untilWaitingAt(dialog.threadId, 2);
    await scene.write(dialog.phone, 'Раньше', secondsAgo(MINUTE));
    await scene.untilAsked(dialog.threadId);
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'waiting'))).toEqual(['done', 'waiting']);
    const { rows } = await scene.database.pool.query<{ second: number }>(
      'SELECT floor(extract(epoch FROM spoke_at))::int AS second FROM scenario_runs WHERE thread_id = $1',
      [uuidOf(dialog.threadId)],
    );
    await scene.write(dialog.phone, 'Сразу', rows[0]?.second);
    await scene.untilRun(dialog.threadId, 'done');
  });

  it('before any send is written after the run’s start, and counts once: what follows a send waits for another', async () => {
    const dialog = await scene.dialog();
    await scene.write(dialog.phone, 'До начала', secondsAgo(2));
    const stage = scene.freeStage();
    await scene.scenario(stage, [reply, THANKS, reply, LOOK]);
    await scene.move(dialog.threadId, stage);
    await untilWaitingAt(dialog.threadId, 1);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
    await scene.write(dialog.phone);
    await untilWaitingAt(dialog.threadId, 3);
    expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
  });

  it('is no reaction, edit, message taken back, START, or message of an unsupported kind', async () => {
    const dialog = await scene.begin([THANKS, reply, LOOK]);
    await untilWaitingAt(dialog.threadId, 2);
    // What is edited, taken back or reacted to is a message from before.
    const messageId = `wamid.${dialog.threadId}`;
    await scene.account.addMessage(dialog.threadId, {
      messageId,
      at: new Date(Date.now() - 3_600_000).toISOString(),
    });
    const edited = { type: 'text', text: { body: 'b' } };
    for (const [what, content] of Object.entries<string | object>({
      reaction: { type: 'reaction', reaction: { message_id: messageId, emoji: '👍' } },
      edit: { type: 'edit', edit: { original_message_id: messageId, message: edited } },
      takenBack: { type: 'revoke', revoke: { original_message_id: messageId } },
      start: 'START',
      unsupported: { type: 'interactive' },
    })) {
      await scene.write(dialog.phone, content);
      await scene.later(dialog.threadId, 0);
      await scene.untilAsked(dialog.threadId);
      const steps = stepsOf((await scene.runs(dialog.threadId))[0] as KeptRunRow);
      expect([what, ...steps]).toEqual([what, 'done', 'waiting']);
    }
    await scene.write(dialog.phone);
    await scene.untilRun(dialog.threadId, 'done');
  });

  it('between a message and the try of another that was refused counts', async () => {
    const dialog = await scene.begin([THANKS, hour, { ...THANKS, on_failure: 'continue' }, reply]);
    await untilWaitingAt(dialog.threadId, 2);
    await scene.write(dialog.phone);
    scene.provider.on(dialog.phone, refuse(400, 132000));
    await scene.later(dialog.threadId, HOUR);
    await scene.untilRun(dialog.threadId, 'done');
  });

  it('between a message and a try that is to be repeated ends a run that ends by it', async () => {
    const { threadId, phone } = await scene.begin([THANKS, hour, THANKS, LOOK], { on_reply: 'cancel' });
    const { id } = await untilWaitingAt(threadId, 2);
    await change('scenario_runs', `spoke_at = spoke_at - interval '10 s'`, id);
    scene.provider.on(phone, refuse(429, 131056, { 'Retry-After': '60' }));
    await scene.later(threadId, HOUR);
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
  it('that are closed keep what is due until the first 15 minutes of the opening, each at its own time', async () => {
    const stage = scene.freeStage();
    const scenarioId = await scene.scenario(stage, [LOOK, THANKS], { send_hours: CLOSED });
    const dialogs = await Promise.all(Array.from({ length: 3 }, () => scene.dialog()));
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
    expect(new Set(untils).size).toBe(dialogs.length);
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

  it('waits while its scenario is paused, and is skipped where it is too late afterwards; the run goes on', async () => {
    const dialog = await scene.begin([hour, LATE, LOOK]);
    await untilWaitingAt(dialog.threadId, 1);
    await change('scenarios', `state = 'paused'`, dialog.scenarioId);
    await scene.later(dialog.threadId, HOUR + 2 * MINUTE);
    await scene.untilAsked(dialog.threadId);
    expect(stepsOf(await scene.untilRun(dialog.threadId, 'waiting'))).toEqual(['waiting']);
    await change('scenarios', `state = 'on'`, dialog.scenarioId);
    await scene.later(dialog.threadId, 0);
    const { progress } = await scene.untilRun(dialog.threadId, 'done');
    expect(progress).toMatchObject([
      { state: 'done' },
      { state: 'skipped', error: { code: 'too_late' } },
      { state: 'done' },
    ]);
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

  it('shows in its step and raises attention on the card, once, in the name of its run, and asks for nobody where no run sent it', async () => {
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
    const other = await scene.dialog();
    const { body } = await scene.send({ phone: other.phone });
    await fails(body.data.id, other.phone);
    expect(await attentionOf(other)).toEqual([]);
  });
});
