import type { ConditionFact, StepDefinition } from '@app/contracts/scenario.words';
import { eventually } from '../../support/eventually';
import { uuidOf } from '../../support/database/thread.uuid';
import { RowLock } from '../../support/faults/row.lock';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { setScenarioScene, type BegunDialog } from '../../support/scenes/scenario.scene';
import { newPhone } from '../../support/scenes/send.scene';
import { refuse } from '../../support/stand-ins/scripted.provider';

const scene = setScenarioScene({
  stages: [{ kind: 'success' }, ...Array.from({ length: 90 }, () => ({}))],
  environment: SHORT_TIMES,
});

/** The first stage. */
const SUCCESS = 0;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
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
    /** A lead's dialog, and the customer's dialog on the channel by which the scenario writes. */
    const twoDialogs = async (settings: Record<string, unknown> = {}) => {
      const stage = scene.freeStage();
      await scene.scenario(stage, [{ ...THANKS, channel: 'waba_coexistence' }], settings);
      const phone = newPhone();
      const [threadId, there] = [
        await scene.account.addThread({ phone, channel: 'waba' }),
        await scene.account.addThread({ phone }),
      ];
      return { threadId, there, phone, begin: () => scene.move(threadId, stage) };
    };

    it('nothing is sent to a customer who opted out there', async () => {
      const used = await scene.account.quotaUsed();
      const { threadId, there, phone, begin } = await twoDialogs();
      await scene.kept.setFacts(there, 'opted_out = true, ai_enabled = false');
      await begin();
      expect((await scene.untilRun(threadId, 'failed')).progress).toMatchObject([
        { state: 'failed', error: { code: 'THREAD_OPTED_OUT' } },
      ]);
      expect(await messagesOf({ phone })).toEqual([]);
      expect(await scene.account.quotaUsed()).toBe(used);
    });

    it('a takeover there is waited for', async () => {
      const { threadId, there, phone, begin } = await twoDialogs();
      await scene.kept.setFacts(there, `takeover_until = 'infinity'`);
      await begin();
      await scene.untilRun(threadId, 'waiting');
      expect(await messagesOf({ phone })).toEqual([]);
      await scene.kept.setFacts(there, 'takeover_until = NULL');
      await scene.later(threadId, 60);
      await scene.untilRun(threadId, 'done');
      expect(await messagesOf({ phone })).toMatchObject([{ thread_id: uuidOf(there), status: 'sent' }]);
    });

    it('a takeover there holds up no run that continues in takeovers', async () => {
      const { threadId, there, begin } = await twoDialogs({ on_takeover: 'continue' });
      await scene.kept.setFacts(there, `takeover_until = 'infinity'`);
      await begin();
      await scene.untilRun(threadId, 'done');
    });

    it('one that gets another number meanwhile is no failure of the step', async () => {
      const { threadId, there, phone, begin } = await twoDialogs();
      const lock = await RowLock.take(scene.database, there);
      await begin();
      await lock.waiters(1);
      await lock.setFacts(`contact = contact || '0', phone = phone || '0'`);
      await lock.release();
      await scene.untilRun(threadId, 'done');
      const [message] = await messagesOf({ phone });
      expect(message).toMatchObject({ status: 'sent' });
      expect(message?.thread_id).not.toBe(uuidOf(there));
    });
  });

  it.each(['stop', 'continue'] as const)(
    'fails with QUOTA_EXCEEDED where the quota is full, and asks for a person: %s',
    async (then) => {
      await scene.account.setQuota(0);
      try {
        const dialog = await scene.begin([{ ...THANKS, on_failure: then }, hour]);
        const run = await scene.untilRun(dialog.threadId, then === 'stop' ? 'failed' : 'waiting');
        expect(run.reason).toBe(then === 'stop' ? 'step_failed' : null);
        expect(run.progress[0]).toMatchObject({ state: 'failed', error: { code: 'QUOTA_EXCEEDED' } });
        expect(await attentionOf(dialog)).toMatchObject({ reason: 'scenario' });
        expect(await messagesOf(dialog)).toEqual([]);
        expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
      } finally {
        await scene.account.setQuota(null);
      }
    },
  );

  it('that the provider refuses fails, and is not sent again', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, goesOn(THANKS));
    const dialog = await scene.dialog();
    scene.provider.on(dialog.phone, refuse(400, 132000));
    await scene.move(dialog.threadId, stage);
    expect(await statesOf(dialog)).toEqual(['failed', 'done']);
    expect(await messagesOf(dialog)).toMatchObject([{ status: 'failed' }]);
    expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
  });

  it('whose outcome is unknown is never sent again, and goes on by on_failure', async () => {
    const [stops, continues] = [scene.freeStage(), scene.freeStage()];
    await scene.scenario(stops, [THANKS, LOOK]);
    await scene.scenario(continues, goesOn(THANKS));
    for (const [stage, state, states] of [
      [stops, 'failed', ['unknown']],
      [continues, 'done', ['unknown', 'done']],
    ] as const) {
      const dialog = await scene.dialog();
      scene.provider.on(dialog.phone, (response) => void response.destroy());
      await scene.move(dialog.threadId, stage);
      expect(await statesOf(dialog, state)).toEqual(states);
      expect(await messagesOf(dialog)).toMatchObject([{ status: 'unknown' }]);
      expect(scene.provider.sendsTo(dialog.phone)).toHaveLength(1);
      expect(await attentionOf(dialog)).toMatchObject({ reason: 'scenario' });
    }
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
  it.each([
    // The clock jumps from 02:00 to 03:00 there, and back from 03:00 to 02:00.
    ['Europe/Berlin', '02:30', EVERY_DAY, '2027-03-27T12:00:00Z', '2027-03-28T01:00:00.000Z'],
    ['Europe/Berlin', '10:00', EVERY_DAY, '2027-03-27T12:00:00Z', '2027-03-28T08:00:00.000Z'],
    ['Europe/Berlin', '02:30', EVERY_DAY, '2027-10-30T12:00:00Z', '2027-10-31T00:30:00.000Z'],
    ['America/New_York', '02:30', EVERY_DAY, '2027-03-13T12:00:00Z', '2027-03-14T07:00:00.000Z'],
    ['America/New_York', '01:30', EVERY_DAY, '2027-11-06T12:00:00Z', '2027-11-07T05:30:00.000Z'],
    ['Asia/Almaty', '09:00', [2], '2028-02-28T12:00:00Z', '2028-02-29T04:00:00.000Z'],
    ['Asia/Almaty', '09:00', [3], '2028-02-28T12:00:00Z', '2028-03-01T04:00:00.000Z'],
  ])('%s %s on %j', async (timezone, time, weekdays, from, until) => {
    const step: StepDefinition = { kind: 'wait_until', time, timezone, weekdays };
    const dialog = await scene.begin([step]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.dueSince(dialog.threadId, from);
    await scene.untilAsked(dialog.threadId);
    const run = await scene.untilRun(dialog.threadId, 'waiting');
    expect(run.progress[0]?.until).toBe(until);
  });

  it('passes when the time has come, not sooner than it must', async () => {
    const inMinutes = (minutes: number): string =>
      new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    const step = { kind: 'wait_until', time: inMinutes(-10), timezone: 'UTC' } as const;
    const [soon, late] = await Promise.all([
      scene.begin([step]),
      scene.begin([{ ...step, at_least_seconds: HOUR }]),
    ]);
    for (const dialog of [soon, late]) {
      await scene.untilRun(dialog.threadId, 'waiting');
      await scene.later(dialog.threadId, 20 * 60);
    }
    expect(await statesOf(soon)).toEqual(['done']);
    await scene.untilAsked(late.threadId);
    const { progress } = await scene.untilRun(late.threadId, 'waiting');
    expect(Date.parse(progress[0]?.until ?? '')).toBeGreaterThan(Date.now() + 23 * HOUR * 1_000);
  });
});

describe('wait_for_reply', () => {
  const wait: StepDefinition = { kind: 'wait_for_reply', seconds: HOUR };

  it('passes when the customer replies', async () => {
    const dialog = await scene.begin([THANKS, wait, LOOK]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.write(dialog.phone);
    expect(await statesOf(dialog)).toEqual(['done', 'done', 'done']);
  });

  it('passes at once where the customer has replied already', async () => {
    const dialog = await scene.begin([hour, wait, LOOK]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.write(dialog.phone);
    await scene.later(dialog.threadId, HOUR);
    expect(await statesOf(dialog)).toEqual(['done', 'done', 'done']);
  });

  it.each([
    ['goes on, as by default', undefined, ['done', 'done', 'done'], null],
    ['goes on', 'continue', ['done', 'done', 'done'], null],
    ['stops', 'stop', ['done'], 'stopped'],
    ['goes to a label', { go: 'end' }, ['done', 'skipped', 'done'], null],
  ] as const)('in time without a reply %s', async (_, on_timeout, states, reason) => {
    const dialog = await scene.begin([{ ...wait, on_timeout }, LOOK, { ...LOOK, label: 'end' }]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.later(dialog.threadId, HOUR);
    expect(await statesOf(dialog)).toEqual(states);
    expect((await scene.untilRun(dialog.threadId, 'done')).reason).toBe(reason);
  });
});

describe('condition', () => {
  const nothing = (): Promise<void> => Promise.resolve();
  const operatorWrites = async ({ threadId }: BegunDialog): Promise<void> =>
    void (await scene.api.sendText(threadId, 'Я здесь'));
  const report =
    (state: string, errors?: object[]) =>
    async ({ phone }: BegunDialog): Promise<void> => {
      const [sent] = await messagesOf({ phone });
      await scene.tell((number) => number.status(`wamid.${sent?.id}`, state, { errors }), phone);
    };
  const leaves = ({ threadId }: BegunDialog): Promise<void> => scene.move(threadId, null);
  const writes = ({ phone }: BegunDialog): Promise<void> => scene.write(phone);
  const failed = report('failed', [{ code: 131026, title: 'Message undeliverable' }]);

  it.concurrent.each<
    [ConditionFact, boolean | string, boolean | string, string, (dialog: BegunDialog) => Promise<void>]
  >([
    ['in_stage', true, false, 'in its stage', nothing],
    ['in_stage', false, true, 'that left its stage', leaves],
    ['replied', false, true, 'that was not answered', nothing],
    ['replied', true, false, 'that was answered', writes],
    ['window_open', false, true, 'whose customer never wrote', nothing],
    ['window_open', true, false, 'whose customer wrote', writes],
    ['waiting', false, true, 'where nothing waits', nothing],
    ['waiting', true, false, 'where the customer has the last word', writes],
    ['handler', 'AI', 'OPERATOR', 'that the agent conducts', nothing],
    ['handler', 'OPERATOR', 'AI', 'where an operator wrote', operatorWrites],
    ['channel', 'waba_coexistence', 'waba', 'of a channel', nothing],
    ['kind', 'active', 'success', 'in a stage of a kind', nothing],
    ['kind', 'success', 'active', 'in another stage by now', ({ threadId }) => scene.move(threadId, SUCCESS)],
    ['last_send', 'accepted', 'delivered', 'whose message was accepted', nothing],
    ['last_send', 'delivered', 'accepted', 'whose message was delivered', report('delivered')],
    ['last_send', 'read', 'delivered', 'whose message was read', report('read')],
    ['last_send', 'failed', 'accepted', 'whose message failed', failed],
  ])('%s is %j, not %j, in a dialog %s', async (fact, is, isNot, _, act) => {
    const dialog = await scene.begin(
      [
        THANKS,
        hour,
        { kind: 'condition', all: [{ fact, is }], else: 'stop' },
        {
          kind: 'condition',
          all: [
            { fact, is },
            { fact, is: isNot },
          ],
          else: { go: 'end' },
        },
        LOOK,
        { kind: 'condition', label: 'end', all: [{ fact, is: isNot }], else: 'stop' },
        LOOK,
      ],
      { on_leave: 'continue' },
    );
    await scene.untilRun(dialog.threadId, 'waiting');
    await act(dialog);
    await scene.later(dialog.threadId, HOUR);
    expect(await statesOf(dialog)).toEqual(['done', 'done', 'done', 'done', 'skipped', 'done']);
    expect((await scene.untilRun(dialog.threadId, 'done')).reason).toBe('stopped');
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

  it('comes in the history after the beginning of its run', async () => {
    const [stage, next] = [scene.freeStage(), scene.freeStage()];
    await scene.scenario(stage, [{ kind: 'set_status', status_id: scene.stage(next) }]);
    const { threadId } = await scene.dialog();
    await scene.move(threadId, stage);
    await scene.untilRun(threadId, 'done');
    const { body } = await scene.api.getHistory({ thread_id: threadId });
    const entries = body.data.entries as { type: string; by?: string; to?: unknown }[];
    const told = entries.flatMap(({ type, by, to }) =>
      type === 'status' ? [by] : type === 'scenario' ? [to] : [],
    );
    expect(told.toReversed()).toEqual(['SYSTEM', 'started', 'SCENARIO', 'done']);
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

  it('to null clears the stage', async () => {
    const dialog = await scene.begin([{ kind: 'set_status', status_id: null }, LOOK]);
    expect(await statesOf(dialog)).toEqual(['done', 'done']);
    expect(await cardOf(dialog)).toMatchObject({ status: null });
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

  it.each([
    ['is disabled', 'USER_UNAVAILABLE', { disabled: true }],
    ['does not see the agent', 'USER_UNAVAILABLE', { assistantIds: [] }],
  ])('fails where the person %s when it is due', async (_, code, fields) => {
    const user = await scene.account.addUser(fields);
    const dialog = await scene.begin([{ kind: 'assign', user_id: user }, LOOK]);
    const run = await scene.untilRun(dialog.threadId, 'failed');
    expect(run.progress).toMatchObject([{ state: 'failed', error: { code } }]);
    expect(await historyOf(dialog, 'assignee')).toEqual([]);
  });

  it('fails where the person is gone when it is due, and goes on where it says so', async () => {
    const user = await scene.account.addUser();
    const dialog = await scene.begin([hour, ...goesOn({ kind: 'assign', user_id: user })]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await scene.database.pool.query('DELETE FROM users WHERE id = $1', [user]);
    await scene.later(dialog.threadId, HOUR);
    const run = await scene.untilRun(dialog.threadId, 'done');
    expect(run.progress).toMatchObject([
      { state: 'done' },
      { state: 'failed', error: { code: 'USER_NOT_FOUND' } },
      { state: 'done' },
    ]);
  });
});

describe('notify', () => {
  it('asks for a person with its text as note; handler as it was', async () => {
    const dialog = await scene.begin([{ kind: 'notify', text: 'Оплатил {{lead.phone}}' }]);
    await scene.untilRun(dialog.threadId, 'done');
    expect(await attentionOf(dialog)).toEqual({ reason: 'scenario', note: `Оплатил ${dialog.phone}` });
    expect(await cardOf(dialog)).toMatchObject({ message_handler: 'AI' });
  });
});

describe('variables', () => {
  const text: StepDefinition = { kind: 'send_text', text: 'Здравствуйте, {{lead.name}}!' };
  const nameOf = (threadId: string, name: string) =>
    scene.database.pool.query('UPDATE threads SET customer_name = $2 WHERE id = $1', [
      uuidOf(threadId),
      name,
    ]);

  it('are replaced when due', async () => {
    const dialog = await scene.begin([hour, text]);
    await scene.untilRun(dialog.threadId, 'waiting');
    await nameOf(dialog.threadId, 'Дана');
    await scene.later(dialog.threadId, HOUR);
    await scene.untilRun(dialog.threadId, 'done');
    expect(scene.provider.sendsTo(dialog.phone)[0]?.body.text).toMatchObject({ body: 'Здравствуйте, Дана!' });
  });

  it('that are empty take their fallback', async () => {
    const dialog = await scene.begin([{ kind: 'send_text', text: 'Здравствуйте, {{lead.name|клиент}}!' }]);
    await scene.untilRun(dialog.threadId, 'done');
    expect(scene.provider.sendsTo(dialog.phone)[0]?.body.text).toMatchObject({
      body: 'Здравствуйте, клиент!',
    });
  });

  it.each<[string, StepDefinition]>([
    ['text', { kind: 'send_text', text: '{{lead.name|}} ' }],
    ['parameter', { ...THANKS, params: ['a', '{{lead.name|}}'] }],
    ['parameter with a name', { ...THANKS, params: [], named_params: { name: '{{lead.name|}}' } }],
    ['header', { ...THANKS, header: { type: 'text', text: '{{lead.name|}}' } }],
  ])('that leave nothing of a %s fail the step, and nothing is sent', async (_, step) => {
    const dialog = await scene.begin([step]);
    const run = await scene.untilRun(dialog.threadId, 'failed');
    expect(run.progress).toMatchObject([{ state: 'failed', error: { code: 'VARIABLE_EMPTY' } }]);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
    expect(await messagesOf(dialog)).toEqual([]);
  });

  it.each<[string, StepDefinition]>([
    ['text', text],
    ['template', { ...THANKS, params: ['a', '{{lead.name}}'] }],
    ['note', { kind: 'notify', text: '{{lead.name}}' }],
  ])('that are empty without one fail the step, and nothing is sent: %s', async (_, step) => {
    const dialog = await scene.begin([step, hour]);
    const run = await scene.untilRun(dialog.threadId, 'failed');
    expect(run.progress).toMatchObject([
      { state: 'failed', error: { message: expect.stringContaining('lead.name') } },
    ]);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
    expect(await messagesOf(dialog)).toEqual([]);
  });
});
