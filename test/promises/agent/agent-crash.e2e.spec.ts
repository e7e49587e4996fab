import { moveTo } from '../../support/scenes/agent.talks';
import { cloudBody, wamid, type CloudNumber } from '../../support/stand-ins/cloud.webhooks';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { newCustomer } from '../../support/scenes/reply.scene';
import { setRaceScene } from '../../support/scenes/race.scene';
import { limits, LONG_WAITS, SHORT_TIMES } from '../../support/programs/test.limits';
import { endAll, type ServerProcess } from '../../support/programs/server.process';
import { RowLock } from '../../support/faults/row.lock';

/** From the start of those that take over: not what it may take, but when a test gives up. */
const SETTLED_WITHIN_MS = 60_000;
const LONG_PART = 'Это предложение достаточно длинное, чтобы стать сообщением само.';

const scene = setRaceScene({ ...SHORT_TIMES, ...LONG_WAITS, PROVIDER_TIMEOUT_MS: '2000' });

interface Dialog {
  phone: string;
  threadId: string;
}

async function begin(
  first: { text: string; hold?: 'middle' | 'end' },
  again?: { text: string },
): Promise<Dialog> {
  const customer = newCustomer();
  const when = customer.phone;
  await scene.model.reply({ ...first, when }, ...(again ? [{ ...again, when }] : []));
  return { ...customer, threadId: await scene.write(customer, `Мой номер ${customer.phone}`) };
}

/** By it the first worker has its database. That one's replies stay its own on a machine that is busy, until it is killed. */
let proxy: DatabaseProxy;

beforeAll(async () => {
  proxy = await DatabaseProxy.start(scene.database.url);
  await scene.addWorker(limits({ 'work.leaseMs': 5_000 }), proxy.url);
});

afterAll(async () => {
  await endAll(scene.workers);
  await proxy?.stop();
});

describe('a send permit whose answer is lost on the way from the database', () => {
  it('is not used: nothing is said, not later either, and an operator is asked for', async () => {
    const dialog = await begin({ text: 'Дозволено.', hold: 'end' }, { text: 'Ещё раз.' });
    const { n } = await scene.model.held(dialog.phone);
    const states = async (): Promise<string[]> =>
      (await scene.messages(dialog.threadId)).filter(({ role }) => role === 'AI').map(({ status }) => status);
    proxy.loseAnswers('reply-grant-send-permit');
    await scene.model.release(n);
    await eventually(async () => (await states()).length > 0, 5_000, 'the gate was not asked');
    proxy.cut();
    await scene.untilQuiet(dialog.threadId, SETTLED_WITHIN_MS);
    expect(await scene.told(dialog.threadId)).toEqual(['attention unknown']);
    await eventually(
      async () => !(await states()).includes('sending'),
      SETTLED_WITHIN_MS,
      'the part is still on its way',
    );
    expect(await states()).toEqual(['unknown']);
    expect(scene.textsTo(dialog)).toEqual([]);
    expect(await scene.model.requests(dialog.phone)).toHaveLength(1);
  });
});

const OFF: Record<string, (dialog: Dialog, id: string) => Promise<unknown>> = {
  'a stage that starts a scenario and hands to the agent': ({ threadId }) =>
    scene.api.setStatus({ thread_id: `thread_${threadId}`, status_id: scene.stage(0) }),
  'a stage that answers, with the waiting message': ({ threadId }) =>
    scene.api.setStatus({
      thread_id: `thread_${threadId}`,
      status_id: scene.stage(2),
      answer_pending_message: true,
    }),
  'an operator’s message': ({ threadId }) => scene.api.sendText(`thread_${threadId}`, 'Это человек.'),
  'an old webhook once more': async (customer, id) =>
    scene.tell(scene.number.message(customer, `Мой номер ${customer.phone}`, { id })),
  'a further message': async (customer) => scene.tell(scene.number.message(customer, 'Вы тут?')),
};

describe('all processes are killed, one of them in the middle of replies', () => {
  const causes = Object.entries(OFF);
  const dialogs = new Map<string, Dialog>();
  let slowNumber: CloudNumber;
  let slow: AccountFixture;
  const slowCustomer = newCustomer();
  let written: Dialog[];
  let silenced: Dialog;
  let spoken: Dialog;
  let permitted: Dialog;
  let takenOverAt: number;

  const idOf = async (account: AccountFixture, phone: string): Promise<string> => {
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM threads WHERE account_id = $1 AND contact = $2',
      [account.id, `+${phone}`],
    );
    return rows[0]?.id ?? '';
  };

  async function silenceBy([name, cause]: (typeof causes)[number]): Promise<void> {
    const customer = newCustomer();
    const id = wamid();
    await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'middle', when: customer.phone });
    await scene.tell(scene.number.message(customer, `Мой номер ${customer.phone}`, { id }));
    await scene.model.held(customer.phone);
    const dialog = { ...customer, threadId: await idOf(scene.account, customer.phone) };
    dialogs.set(name, dialog);
    expect((await scene.api.setAi(`thread_${dialog.threadId}`, false)).status).toBe(200);
    await cause(dialog, id);
    await scene.untilQuiet(dialog.threadId);
  }

  /** Off before the time at which the reply is due. */
  async function silenceBeforeItIsDue(): Promise<void> {
    slow = await AccountFixture.create(scene.database.pool);
    slowNumber = await scene.addNumber(slow);
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = 1000 WHERE account_id = $1', [
      slow.id,
    ]);
    await scene.post(cloudBody([slowNumber.message(slowCustomer, `Мой номер ${slowCustomer.phone}`)]));
    await scene.taken();
    const slowId = await idOf(slow, slowCustomer.phone);
    expect(await scene.replies(slowId)).toMatchObject([{ state: 'due' }]);
    await scene.apiAt(0, slow.key).setAi(`thread_${slowId}`, false);
    await scene.untilQuiet(slowId);
  }

  /** Replies at each place where a kill can find them. */
  async function untilReplying(): Promise<RowLock> {
    written = await Promise.all(
      (['middle', 'end'] as const).map((hold) =>
        begin({ text: 'Первый ответ.', hold }, { text: 'Второй ответ.' }),
      ),
    );
    silenced = await begin({ text: 'Не для чужих ушей.', hold: 'middle' }, { text: 'И это тоже.' });
    permitted = await begin({ text: 'Дозволено.', hold: 'end' }, { text: 'Ещё раз.' });
    for (const { phone } of [...written, silenced, permitted]) await scene.model.held(phone);
    const lock = await RowLock.take(scene.database, `thread_${permitted.threadId}`);
    await scene.model.release((await scene.model.held(permitted.phone)).n);
    await lock.waiters(1);
    spoken = await begin({ text: [LONG_PART, LONG_PART, 'Конец.'].join('\n\n') }, { text: 'Сначала.' });
    await scene.untilSaid(spoken, 1);
    return lock;
  }

  beforeAll(async () => {
    await scene.account.addScenario(scene.stage(0));
    await scene.database.pool.query(`UPDATE statuses SET on_enter = 'ai' WHERE id = $1`, [scene.stage(0)]);
    await Promise.all([...causes.map(silenceBy), silenceBeforeItIsDue()]);
    const lock = await untilReplying();
    await endAll(scene.workers.splice(0));
    // The gate's statement is over only now: it granted a permit that no process is left to use, or none.
    await lock.release();
    const { body } = await scene.api.setAi(`thread_${silenced.threadId}`, false);
    expect(body.data.ai_enabled).toBe(false);
    await scene.server.kill('SIGKILL');
    scene.servers.length = 0;
    await Promise.all([scene.addServer({ ROLE: 'api' }), scene.addWorker(), scene.addWorker()]);
    takenOverAt = performance.now();
    // What is said last to a customer whose agent is on.
    await scene.untilSaid(await begin({ text: 'Я здесь.' }), 1, SETTLED_WITHIN_MS);
  });

  const settled = ({ threadId }: Dialog): Promise<void> =>
    scene.untilQuiet(threadId, Math.max(1, SETTLED_WITHIN_MS - (performance.now() - takenOverAt)));

  it('are followed by ones that write what was begun once more and say it once, soon', async () => {
    for (const dialog of written) {
      await settled(dialog);
      expect(scene.textsTo(dialog)).toEqual(['Второй ответ.']);
      expect(await scene.model.requests(dialog.phone)).toHaveLength(2);
      expect(await scene.replies(dialog.threadId)).toMatchObject([
        { state: 'answered', parts: 1, attempts: 2 },
      ]);
    }
  });

  it('do not speak by others where the agent was switched off meanwhile, and the history says so', async () => {
    await settled(silenced);
    expect(scene.textsTo(silenced)).toEqual([]);
    expect(await scene.told(silenced.threadId)).toEqual(['reply_discarded off']);
    expect(await scene.model.requests(silenced.phone)).toHaveLength(1);
  });

  it('leave what was said unrepeated, and everything after it unsaid', async () => {
    await settled(spoken);
    expect(scene.textsTo(spoken)).toEqual([LONG_PART]);
    expect(await scene.model.requests(spoken.phone)).toHaveLength(1);
  });

  it('leave a part that one had a send permit for, and did not send, to no other process', async () => {
    await settled(permitted);
    expect(scene.textsTo(permitted)).toEqual([]);
    const states = async (): Promise<string[]> =>
      (await scene.messages(permitted.threadId))
        .filter(({ role }) => role === 'AI')
        .map(({ status }) => status);
    await eventually(
      async () => (await states()).every((status) => status !== 'sending'),
      Math.max(1, SETTLED_WITHIN_MS - (performance.now() - takenOverAt)),
      'the part is still on its way',
    );
    expect(await states()).toEqual(['unknown']);
  });

  it.each(Object.keys(OFF))(
    'leave an agent off that was switched off, and silent, after %s',
    async (name) => {
      const dialog = dialogs.get(name);
      if (!dialog) throw new Error('no dialog');
      await scene.untilQuiet(dialog.threadId);
      expect(scene.textsTo(dialog).filter((text) => text !== 'Это человек.')).toEqual([]);
      const { body } = await scene.api.getLead(`thread_${dialog.threadId}`);
      expect(body.data.message_handler).toBe('OPERATOR');
      expect(await scene.dialog(`+${dialog.phone}`)).toMatchObject({ ai_enabled: false });
      expect(await scene.told(dialog.threadId)).toEqual(['reply_discarded off']);
    },
  );

  it('leave it off where a scenario was started meanwhile', async () => {
    const dialog = dialogs.get('a stage that starts a scenario and hands to the agent');
    expect(await scene.kept.runs(`thread_${dialog?.threadId}`)).toMatchObject([
      { status_id: scene.stage(0) },
    ]);
    expect(await scene.kept.thread(`thread_${dialog?.threadId}`)).toMatchObject({ ai_enabled: false });
  });

  it('leave it silent when a reply is due that was not begun', async () => {
    expect(scene.textsTo(slowCustomer)).toEqual([]);
    expect(await scene.dialog(`+${slowCustomer.phone}`)).toMatchObject({ ai_enabled: false });
  });
});

describe('a customer who unsubscribes while the model writes', () => {
  it('gets nothing of it, and set-ai true is 422 THREAD_OPTED_OUT', async () => {
    const dialog = await begin({ text: 'Не для чужих ушей.', hold: 'middle' });
    await scene.model.held(dialog.phone);
    await scene.tell(scene.number.message(dialog, 'STOP'));
    await scene.untilQuiet(dialog.threadId);
    expect(scene.textsTo(dialog)).not.toContain('Не для чужих ушей.');
    const { status, body } = await scene.api.setAi(`thread_${dialog.threadId}`, true);
    expect([status, body.error.code]).toEqual([422, 'THREAD_OPTED_OUT']);
  });

  it('and comes back and has the agent on again, all on other processes while that one is frozen, gets nothing of it', async () => {
    const [frozen, other] = scene.workers as [ServerProcess, ServerProcess];
    await other.kill('SIGSTOP');
    const dialog = await begin({ text: 'Не для чужих ушей.', hold: 'end' });
    const { n } = await scene.model.held(dialog.phone);
    await frozen.kill('SIGSTOP');
    await other.kill('SIGCONT');
    await scene.model.reply({ text: 'С возвращением.', when: 'START' });
    await scene.tell(scene.number.message(dialog, 'STOP'), scene.number.message(dialog, 'START'));
    const { body } = await scene.api.setAi(`thread_${dialog.threadId}`, true);
    expect(body.data).toMatchObject({ changed: true, answered_pending_message: true });
    await scene.model.release(n);
    await frozen.kill('SIGCONT');
    expect(await scene.untilSaid(dialog, 1, SETTLED_WITHIN_MS)).toEqual(['С возвращением.']);
    await scene.untilQuiet(dialog.threadId);
    expect(scene.said(dialog)).toHaveLength(1);
  });
});

describe('a process that is stopped in the middle of replies', () => {
  const parts = [`Раз. ${LONG_PART}`, `Два. ${LONG_PART}`, 'Конец.'];
  let written: Dialog;
  let spoken: Dialog;
  let moved: Dialog;
  let request: number;
  let exitCode: number | null;

  beforeAll(async () => {
    const [leaving, other] = scene.workers as [ServerProcess, ServerProcess];
    // Frozen, it takes nothing before the other stops.
    await other.kill('SIGSTOP');
    written = await begin({ text: 'Первый ответ.', hold: 'middle' }, { text: 'Второй ответ.' });
    request = (await scene.model.held(written.phone)).n;
    const customer = newCustomer();
    const when = customer.phone;
    await scene.model.reply(
      { ...moveTo(scene.stage(2)), when },
      { text: 'Первый ответ.', hold: 'middle', when },
      { ...moveTo(scene.stage(0)), when },
      { text: 'Второй ответ.', when },
    );
    moved = { ...customer, threadId: await scene.write(customer, `Мой номер ${when}`) };
    await scene.model.held(when);
    spoken = await begin({ text: parts.join('\n\n') });
    await scene.untilSaid(spoken, 1);
    await other.kill('SIGCONT');
    exitCode = await scene.stopWorker(leaving);
  });

  it('ends without an error', () => {
    expect(exitCode).toBe(0);
  });

  it('leaves what is being written to another one at once', async () => {
    expect((await scene.model.ended(request)).end).toBe('client closed');
    expect(await scene.untilSaid(written, 1, 5_000)).toEqual(['Второй ответ.']);
    await scene.untilQuiet(written.threadId, 5_000);
    expect(await scene.told(written.threadId)).toEqual([]);
  });

  it('says all of what it has begun to say', async () => {
    await scene.untilQuiet(spoken.threadId, 5_000);
    expect(scene.textsTo(spoken)).toEqual(parts);
    expect(await scene.told(spoken.threadId)).toEqual([]);
  });

  it('leaves a reply whose agent moved the lead to one that moves it no second time', async () => {
    expect(await scene.untilSaid(moved, 1)).toEqual(['Второй ответ.']);
    const { body } = await scene.api.getLead(`thread_${moved.threadId}`);
    expect(body.data.status.id).toBe(scene.stage(2));
  });
});
