import type { ConditionFact, StepDefinition } from '@app/contracts/scenario.words';
import { eventually } from '../../support/eventually';
import { uuidOf } from '../../support/database/thread.uuid';
import { RowLock } from '../../support/faults/row.lock';
import { setScenarioScene, type BegunDialog } from '../../support/scenes/scenario.scene';
import { newPhone } from '../../support/scenes/send.scene';
import { refuse } from '../../support/stand-ins/scripted.provider';

const scene = setScenarioScene({
  stages: [{ kind: 'success' }, ...Array.from({ length: 40 }, () => ({}))],
});

/** The first stage. */
const SUCCESS = 0;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const LOOK: StepDefinition = { kind: 'notify', text: 'Look' };
const hour: StepDefinition = { kind: 'wait', seconds: HOUR };

/** The states of the steps that the dialog's only run has reached, once it has a state. */
async function statesOf({ threadId }: { threadId: string }, state = 'done'): Promise<string[]> {
  return (await scene.untilRun(threadId, state)).progress.map((step) => step.state);
}

const cardOf = async ({ threadId }: { threadId: string }) =>
  (await scene.api.getLead(threadId)).body.data as Record<string, any>;

interface KeptMessage {
  id: string;
  thread_id: string;
  role: string;
  channel: string;
  text: string;
  status: string;
  run_id: string;
}

/** Without those of tries whose permit was over before they were made, as on a busy machine. */
async function messagesOf({ phone }: { phone: string }): Promise<KeptMessage[]> {
  const { rows } = await scene.database.pool.query<KeptMessage>(
    `SELECT id, thread_id, role, channel, text, status, run_id FROM messages WHERE recipient = $1 AND NOT inbound AND status <> 'dropped' ORDER BY created_at`,
    [phone],
  );
  return rows;
}

/** The entries of a type in the dialog's history, the newest first. */
async function historyOf({ threadId }: { threadId: string }, type: string): Promise<object[]> {
  const { body } = await scene.api.getHistory({ thread_id: threadId });
  return (body.data.entries as { type: string }[]).filter((entry) => entry.type === type);
}

async function attentionOf({ threadId }: { threadId: string }): Promise<object> {
  const { rows } = await scene.database.pool.query<object>(
    'SELECT attention AS reason, attention_note AS note FROM threads WHERE id = $1',
    [uuidOf(threadId)],
  );
  return rows[0] ?? {};
}

/** A run that goes on by the word of its last step. */
const goesOn = (step: StepDefinition): StepDefinition[] => [{ ...step, on_failure: 'continue' }, LOOK];

describe('send_template', () => {
  it('sends as send-template does: role SYSTEM, the quota counted, its message named in the step', async () => {
    const used = await scene.account.quotaUsed();
    const dialog = await scene.begin([{ ...THANKS, params: ['{{lead.phone}}', '{{status.name}}'] }]);
    const run = await scene.untilRun(dialog.threadId, 'done');
    const [message, ...more] = await messagesOf(dialog);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ role: 'SYSTEM', status: 'sent', run_id: run.id });
    expect(run.progress).toMatchObject([{ state: 'done', attempts: 1, message_id: message?.id }]);
    expect(scene.provider.sendsTo(dialog.phone)[0]?.body.template).toMatchObject({
      name: 'order_ready',
      components: [{ parameters: [{ text: dialog.phone }, { text: `Stage ${dialog.stage + 1}` }] }],
    });
    expect(await scene.account.quotaUsed()).toBe(used + 1);
  });

  it('goes by another channel of the bot where it names one, and fails where the dialog’s is not connected', async () => {
    const [stage, failing] = [scene.freeStage(), scene.freeStage()];
    await scene.scenario(stage, [{ ...THANKS, channel: 'waba_coexistence' }]);
    await scene.scenario(failing, [THANKS]);
    const phone = newPhone();
    const threadId = await scene.account.addThread({ phone, channel: 'waba' });
    await scene.move(threadId, stage);
    await scene.untilRun(threadId, 'done');
    const [message] = await messagesOf({ phone });
    expect(message).toMatchObject({ channel: 'waba_coexistence', status: 'sent' });
    expect(message?.thread_id).not.toBe(uuidOf(threadId));
    const other = await scene.account.addThread({ phone: newPhone(), channel: 'waba' });
    await scene.move(other, failing);
    expect((await scene.untilRun(other, 'failed')).progress).toMatchObject([
      { state: 'failed', error: { code: 'CHANNEL_NOT_CONNECTED' } },
    ]);
  });

  describe('by another channel looks at the customer’s dialog there:', () => {
    const STEP: StepDefinition = { ...THANKS, channel: 'waba_coexistence' };

    /** A lead's dialog, and the customer's dialog on the channel by which the scenario writes. */
    const twoDialogs = async () => {
      const phone = newPhone();
      const threadId = await scene.account.addThread({ phone, channel: 'waba' });
      return { threadId, there: await scene.account.addThread({ phone }), phone };
    };

    it('nothing is sent to a customer who opted out there, and a takeover there is waited for unless the run continues in takeovers', async () => {
      const [stage, continuing] = [scene.freeStage(), scene.freeStage()];
      await scene.scenario(stage, [STEP]);
      await scene.scenario(continuing, [STEP], { on_takeover: 'continue' });
      const used = await scene.account.quotaUsed();
      const silent = await twoDialogs();
      await scene.kept.setFacts(silent.there, 'opted_out = true, ai_enabled = false');
      await scene.move(silent.threadId, stage);
      expect((await scene.untilRun(silent.threadId, 'failed')).progress).toMatchObject([
        { state: 'failed', error: { code: 'THREAD_OPTED_OUT' } },
      ]);
      expect(await messagesOf(silent)).toEqual([]);
      expect(await scene.account.quotaUsed()).toBe(used);
      const taken = await twoDialogs();
      await scene.kept.setFacts(taken.there, `takeover_until = 'infinity'`);
      await scene.move(taken.threadId, stage);
      await scene.untilRun(taken.threadId, 'waiting');
      expect(await messagesOf(taken)).toEqual([]);
      await scene.kept.setFacts(taken.there, 'takeover_until = NULL');
      await scene.later(taken.threadId, 60);
      await scene.untilRun(taken.threadId, 'done');
      expect(await messagesOf(taken)).toMatchObject([{ thread_id: uuidOf(taken.there), status: 'sent' }]);
      const goesOnAnyway = await twoDialogs();
      await scene.kept.setFacts(goesOnAnyway.there, `takeover_until = 'infinity'`);
      await scene.move(goesOnAnyway.threadId, continuing);
      await scene.untilRun(goesOnAnyway.threadId, 'done');
    });

    it('one that gets another number meanwhile is no failure of the step', async () => {
      const stage = scene.freeStage();
      await scene.scenario(stage, [STEP]);
      const { threadId, there, phone } = await twoDialogs();
      const lock = await RowLock.take(scene.database, there);
      await scene.move(threadId, stage);
      await lock.waiters(1);
      await lock.setFacts(`contact = contact || '0', phone = phone || '0'`);
      await lock.release();
      await scene.untilRun(threadId, 'done');
      const [message] = await messagesOf({ phone });
      expect(message).toMatchObject({ status: 'sent' });
      expect(message?.thread_id).not.toBe(uuidOf(there));
    });
  });

  it('fails with QUOTA_EXCEEDED where the quota is full, and asks for a person though its run goes on', async () => {
    await scene.account.setQuota(0);
    try {
      const dialog = await scene.begin([{ ...THANKS, on_failure: 'continue' }, hour]);
      const run = await scene.untilRun(dialog.threadId, 'waiting');
      expect(run.reason).toBeNull();
      expect(run.progress[0]).toMatchObject({ state: 'failed', error: { code: 'QUOTA_EXCEEDED' } });
      expect(await attentionOf(dialog)).toMatchObject({ reason: 'scenario' });
      expect(await messagesOf(dialog)).toEqual([]);
      expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
    } finally {
      await scene.account.setQuota(null);
    }
  });

  it('whose outcome is unknown is never sent again, and goes on by on_failure', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, goesOn(THANKS));
    const dialog = await scene.dialog();
    scene.provider.on(dialog.phone, (response) => void response.destroy());
    await scene.move(dialog.threadId, stage);
    expect(await statesOf(dialog)).toEqual(['unknown', 'done']);
    expect(await messagesOf(dialog)).toMatchObject([{ status: 'unknown' }]);
    expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
  });
});

describe('send_text', () => {
  it('writes free text, role SYSTEM, starts no takeover, and takes none of the quota', async () => {
    const used = await scene.account.quotaUsed();
    await scene.account.setQuota(used);
    try {
      const dialog = await scene.begin([{ kind: 'send_text', text: 'Номер {{lead.phone}}' }]);
      const { id } = await scene.untilRun(dialog.threadId, 'done');
      expect(await messagesOf(dialog)).toMatchObject([
        { role: 'SYSTEM', status: 'sent', run_id: id, text: `Номер ${dialog.phone}` },
      ]);
      expect(scene.provider.sendsTo(dialog.phone)[0]?.body.text).toMatchObject({
        body: `Номер ${dialog.phone}`,
      });
      expect(await cardOf(dialog)).toMatchObject({ message_handler: 'AI' });
      expect(await scene.account.quotaUsed()).toBe(used);
    } finally {
      await scene.account.setQuota(null);
    }
  });

  it('outside the 24-hour window fails by the provider’s refusal, and asks for a person', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, [{ kind: 'send_text', text: 'Как дела?' }, LOOK]);
    const dialog = await scene.dialog();
    scene.provider.on(dialog.phone, refuse(400, 131047));
    await scene.move(dialog.threadId, stage);
    const run = await scene.untilRun(dialog.threadId, 'failed');
    expect(run.reason).toBe('step_failed');
    const [message] = (await scene.api.getMessages({ thread_id: dialog.threadId })).body.data.messages;
    expect(message.error.provider_code).toBe(131047);
    expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
    expect(run.progress).toMatchObject([{ state: 'failed', error: message.error }]);
    const note = expect.stringContaining('send_text') as string;
    expect(await attentionOf(dialog)).toEqual({ reason: 'scenario', note });
    expect((await historyOf(dialog, 'attention'))[0]).toMatchObject({ note, provider_code: 131047 });
    const { body } = await scene.api.getThreads({ thread_ids: [dialog.threadId] });
    expect(body.data.threads[0].attention).toMatchObject({ note, provider_code: 131047 });
  });
});

describe('request_phone', () => {
  it('asks for the phone by the messenger’s own button, and does not take the dialog over', async () => {
    const dialog = await scene.begin([{ kind: 'request_phone', text: 'Ваш номер, {{lead.name|клиент}}?' }]);
    const { id } = await scene.untilRun(dialog.threadId, 'done');
    const text = 'Ваш номер, клиент?';
    expect(await messagesOf(dialog)).toMatchObject([{ role: 'SYSTEM', status: 'sent', run_id: id, text }]);
    expect(scene.provider.sendsTo(dialog.phone)[0]?.body.interactive).toMatchObject({
      ...{ type: 'request_contact_info', body: { text } },
    });
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'AI' });
  });
});

describe('wait', () => {
  it('waits for as long as 90 days', async () => {
    const dialog = await scene.begin([{ kind: 'wait', seconds: 90 * DAY }, THANKS]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.later(dialog.threadId, 90 * DAY - HOUR);
    await scene.untilAsked(dialog.threadId);
    expect(await statesOf(dialog, 'waiting')).toEqual(['waiting']);
    await scene.later(dialog.threadId, HOUR);
    expect(await statesOf(dialog)).toEqual(['done', 'done']);
    expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
  });
});

describe('wait_until', () => {
  it('passes when the time has come that followed the step’s beginning', async () => {
    const at = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
    const time = at(-10).toISOString().slice(11, 16);
    const dialog = await scene.begin([{ kind: 'wait_until', time, timezone: 'UTC' }]);
    const { progress } = await scene.untilRun(dialog.threadId, 'waiting');
    expect(Date.parse(progress[0]?.until ?? '')).toBeGreaterThan(+at(23 * 60));
    await scene.dueSince(dialog.threadId, at(-20).toISOString());
    expect(await statesOf(dialog)).toEqual(['done']);
  });
});

describe('wait_for_reply', () => {
  const wait: StepDefinition = { kind: 'wait_for_reply', seconds: HOUR };

  it('passes at once where the customer has replied already', async () => {
    const dialog = await scene.begin([hour, wait, LOOK]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.write(dialog.phone);
    await scene.later(dialog.threadId, HOUR);
    expect(await statesOf(dialog)).toEqual(['done', 'done', 'done']);
  });

  it('in time without a reply goes to its label, and what lies between is skipped', async () => {
    const dialog = await scene.begin([
      { ...wait, on_timeout: { go: 'end' } },
      LOOK,
      { ...LOOK, label: 'end' },
    ]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.later(dialog.threadId, HOUR);
    expect(await statesOf(dialog)).toEqual(['done', 'skipped', 'done']);
    expect((await scene.untilRun(dialog.threadId, 'done')).reason).toBeNull();
  });
});

describe('condition', () => {
  const FAILURE = { code: 131026, title: 'Message undeliverable' };
  const report = async ({ phone }: BegunDialog, state: string): Promise<void> => {
    const [sent] = await messagesOf({ phone });
    const errors = state === 'failed' ? [FAILURE] : undefined;
    await scene.tell((number) => number.status(`wamid.${sent?.id}`, state, { errors }), phone);
  };

  it('passes by each fact of a dialog as it is by then, and stops its run by one that is not', async () => {
    const facts: Record<string, Partial<Record<ConditionFact, boolean | string>>> = {
      quiet: {
        ...{ in_stage: true, replied: false, window_open: false, waiting: false, handler: 'AI' },
        ...{ channel: 'waba_coexistence', kind: 'active', last_send: 'accepted' },
      },
      writes: {
        ...{ in_stage: false, replied: true, window_open: true, waiting: true, handler: 'AI' },
        ...{ kind: 'success', last_send: 'delivered' },
      },
      isTaken: { in_stage: true, replied: false, handler: 'OPERATOR', last_send: 'read' },
      fails: { last_send: 'failed' },
    };
    const dialogs = Object.fromEntries(
      await Promise.all(
        Object.entries(facts).map(async ([name, of]) => {
          const steps = Object.entries(of).map(([fact, is]) => ({
            ...{ kind: 'condition', all: [{ fact, is }], else: 'stop' },
          }));
          const untrue = { kind: 'condition', all: [{ fact: 'channel', is: 'waba' }], else: 'stop' };
          const all = [THANKS, hour, ...steps, untrue, LOOK] as StepDefinition[];
          const dialog = await scene.begin(all, { on_leave: 'continue' });
          await scene.untilRun(dialog.threadId, 'waiting');
          return [name, dialog] as const;
        }),
      ),
    ) as Record<string, BegunDialog>;
    const { writes, isTaken, fails } = dialogs as Record<'writes' | 'isTaken' | 'fails', BegunDialog>;
    await report(writes, 'delivered');
    await scene.write(writes.phone);
    await scene.move(writes.threadId, SUCCESS);
    await report(isTaken, 'read');
    await scene.api.sendText(isTaken.threadId, 'Я здесь');
    await report(fails, 'failed');
    for (const { threadId } of Object.values(dialogs)) await scene.later(threadId, HOUR);
    for (const [name, of] of Object.entries(facts)) {
      const { threadId } = dialogs[name] as BegunDialog;
      const { progress, reason } = await scene.untilRun(threadId, 'done');
      // The first that does not hold is the last that is reached.
      const met = progress.slice(2).map(({ index }) => Object.keys(of)[index - 2] ?? 'the untrue one');
      expect([name, ...met]).toEqual([name, ...Object.keys(of), 'the untrue one']);
      expect(reason).toBe('stopped');
    }
  });
});

describe('set_status', () => {
  it('moves the lead by SCENARIO; the run goes on, and other runs of the left stage do not', async () => {
    const [stage, next] = [scene.freeStage(), scene.freeStage()];
    const moving = await scene.scenario(stage, [
      { kind: 'set_status', status_id: scene.stage(next) },
      { kind: 'condition', all: [{ fact: 'in_stage', is: false }], else: 'stop' },
      hour,
      THANKS,
    ]);
    const left = await scene.scenario(stage, [hour, THANKS], { order: 2 });
    const started = await scene.scenario(next, [hour]);
    const { threadId, phone } = await scene.dialog();
    await scene.move(threadId, stage);
    const runs = await eventually(
      async () => {
        const seen = await scene.runs(threadId);
        return (
          seen.length === 3 && seen.every(({ state }) => state === 'waiting' || state === 'cancelled') && seen
        );
      },
      8_000,
      'three runs were not seen',
    );
    const of = (id: string) => runs.find((run) => run.scenario_id === id);
    expect(of(moving)).toMatchObject({ state: 'waiting', progress: [{}, {}, { state: 'waiting' }] });
    expect(of(left)).toMatchObject({ state: 'cancelled', reason: 'left_stage' });
    expect(of(started)).toMatchObject({
      state: 'waiting',
      depth: 2,
      cause: { type: 'scenario', id: moving, name: 'scenario' },
    });
    const { body } = await scene.api.getLead(threadId);
    expect(body.data).toMatchObject({ status: { id: scene.stage(next) }, status_set_by: 'SCENARIO' });
    expect(await historyOf({ threadId }, 'status')).toMatchObject([
      {
        by: 'SCENARIO',
        actor: { type: 'scenario', id: moving, name: 'scenario', run_id: of(moving)?.id },
        from: { id: scene.stage(stage) },
        to: { id: scene.stage(next) },
      },
      { by: 'SYSTEM', to: { id: scene.stage(stage) } },
    ]);
    await scene.later(threadId, HOUR);
    await eventually(async () => scene.provider.sendsTo(phone).length === 1, 8_000, 'the run did not go on');
  });

  it('to the lead’s own stage changes nothing and starts nothing', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, [
      { kind: 'set_status', status_id: scene.stage(stage) },
      { kind: 'condition', all: [{ fact: 'in_stage', is: true }], else: 'stop' },
    ]);
    const dialog = await scene.dialog();
    await scene.move(dialog.threadId, stage);
    expect(await statesOf(dialog)).toEqual(['done', 'done']);
    expect((await scene.runs(dialog.threadId)).map(({ reason }) => reason)).toEqual([null]);
  });

  it('to null clears the stage, and comes in the history after the beginning of its run', async () => {
    const dialog = await scene.begin([{ kind: 'set_status', status_id: null }, LOOK]);
    expect(await statesOf(dialog)).toEqual(['done', 'done']);
    expect(await cardOf(dialog)).toMatchObject({ status: null });
    const { body } = await scene.api.getHistory({ thread_id: dialog.threadId });
    const entries = body.data.entries as { type: string; by?: string; to?: unknown }[];
    const told = entries.flatMap(({ type, by, to }) =>
      type === 'status' ? [by] : type === 'scenario' ? [to] : [],
    );
    expect(told.toReversed()).toEqual(['SYSTEM', 'started', 'SCENARIO', 'done']);
  });

  it('to an archived stage fails', async () => {
    const [stage, archived] = [scene.freeStage(), scene.freeStage()];
    await scene.scenario(stage, goesOn({ kind: 'set_status', status_id: scene.stage(archived) }));
    const { status } = await scene.admin.admin('DELETE', `statuses/${scene.stage(archived)}`);
    expect(status).toBe(200);
    const dialog = await scene.dialog();
    await scene.move(dialog.threadId, stage);
    const { progress } = await scene.untilRun(dialog.threadId, 'done');
    expect(progress).toMatchObject([
      { state: 'failed', error: { code: 'STATUS_NOT_FOUND' } },
      { state: 'done' },
    ]);
    expect(await cardOf(dialog)).toMatchObject({ status: { id: scene.stage(stage) } });
  });
});

describe('set_ai', () => {
  it('switches the agent off for good', async () => {
    const dialog = await scene.begin([{ kind: 'set_ai', ai_enabled: false }]);
    await scene.untilRun(dialog.threadId, 'done');
    expect((await scene.kept.thread(dialog.threadId)).ai_enabled).toBe(false);
    expect(await historyOf(dialog, 'ai')).toMatchObject([
      { by: 'SCENARIO', actor: { type: 'scenario', id: dialog.scenarioId }, from: true, to: false },
    ]);
  });
});

describe('hand_over', () => {
  it('begins a takeover and asks for a person with its note', async () => {
    const dialog = await scene.begin([{ kind: 'hand_over', note: 'Позвоните' }], { on_takeover: 'cancel' });
    const run = await scene.untilRun(dialog.threadId, 'done');
    expect(run.reason).toBeNull();
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'OPERATOR' });
    expect((await scene.kept.thread(dialog.threadId)).ai_enabled).toBe(true);
    expect(await attentionOf(dialog)).toEqual({ reason: 'scenario', note: 'Позвоните' });
  });

  it('of a dialog that is off leaves it off, and so does return_to_ai', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, [{ kind: 'hand_over' }, { kind: 'return_to_ai' }]);
    const dialog = await scene.dialog();
    await scene.api.setAi(dialog.threadId, false);
    await scene.move(dialog.threadId, stage);
    expect(await statesOf(dialog)).toEqual(['done', 'done']);
    expect(await scene.kept.thread(dialog.threadId)).toMatchObject({ ai_enabled: false, takeover: false });
    expect(await attentionOf(dialog)).toEqual({ reason: 'scenario', note: null });
  });
});

describe('return_to_ai', () => {
  it('ends a takeover', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, [{ kind: 'return_to_ai' }]);
    const dialog = await scene.dialog();
    await scene.api.sendText(dialog.threadId, 'Я здесь');
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'OPERATOR' });
    await scene.move(dialog.threadId, stage);
    await scene.untilRun(dialog.threadId, 'done');
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'AI' });
    expect(await historyOf(dialog, 'handler')).toMatchObject([
      { by: 'SCENARIO', from: 'OPERATOR', to: 'AI' },
      { by: 'OPERATOR', from: 'AI', to: 'OPERATOR' },
    ]);
  });
});

describe('assign', () => {
  it('assigns the dialog to a person, and null to nobody; who conducts it stays the same', async () => {
    const { account } = scene;
    const user = await account.addUser({ name: 'Aigerim', assistantIds: [account.assistantId] });
    const dialog = await scene.begin([
      { kind: 'assign', user_id: user },
      { kind: 'assign', user_id: user },
      { kind: 'assign', user_id: null },
    ]);
    expect(await statesOf(dialog)).toEqual(['done', 'done', 'done']);
    const person = { id: user, name: 'Aigerim' };
    const { id: runId } = await scene.untilRun(dialog.threadId, 'done');
    expect(await historyOf(dialog, 'assignee')).toMatchObject([
      { by: 'SCENARIO', from: person, to: null, request_id: null },
      { by: 'SCENARIO', actor: { type: 'scenario', run_id: runId }, from: null, to: person },
    ]);
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'AI' });
  });

  it('fails where the person is disabled, does not see the agent, or is gone when it is due, and goes on where it says so', async () => {
    const { account } = scene;
    const people = [
      await account.addUser({ disabled: true }),
      await account.addUser({ assistantIds: [] }),
      await account.addUser(),
    ];
    const steps = people.map((user_id): StepDefinition => ({
      kind: 'assign',
      user_id,
      on_failure: 'continue',
    }));
    const dialog = await scene.begin([hour, ...steps, LOOK]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.database.pool.query('DELETE FROM users WHERE id = $1', [people[2]]);
    await scene.later(dialog.threadId, HOUR);
    const run = await scene.untilRun(dialog.threadId, 'done');
    const codes = ['USER_UNAVAILABLE', 'USER_UNAVAILABLE', 'USER_NOT_FOUND'];
    expect(run.progress).toMatchObject([
      { state: 'done' },
      ...codes.map((code) => ({ state: 'failed', error: { code } })),
      { state: 'done' },
    ]);
    expect(await historyOf(dialog, 'assignee')).toEqual([]);
  });
});

describe('variables', () => {
  it('are replaced when due, in a text and in a note by which notify asks for a person; who conducts it stays the same', async () => {
    const dialog = await scene.begin([
      hour,
      { kind: 'send_text', text: 'Здравствуйте, {{lead.name}}!' },
      { kind: 'notify', text: 'Оплатил {{lead.phone}}, {{lead.name}}' },
    ]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.kept.setFacts(dialog.threadId, `customer_name = 'Дана'`);
    await scene.later(dialog.threadId, HOUR);
    await scene.untilRun(dialog.threadId, 'done');
    expect(scene.provider.sendsTo(dialog.phone)[0]?.body.text).toMatchObject({ body: 'Здравствуйте, Дана!' });
    const note = `Оплатил ${dialog.phone}, Дана`;
    expect(await attentionOf(dialog)).toEqual({ reason: 'scenario', note });
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'AI' });
  });

  it('that are empty without a fallback fail the step, and nothing is sent', async () => {
    const dialog = await scene.begin([{ ...THANKS, params: ['a', '{{lead.name}}'] }, hour]);
    const run = await scene.untilRun(dialog.threadId, 'failed');
    expect(run.progress).toMatchObject([
      { state: 'failed', error: { message: expect.stringContaining('lead.name') } },
    ]);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
    expect(await messagesOf(dialog)).toEqual([]);
  });
});
