import { setTimeout as sleep } from 'node:timers/promises';
import type { StepDefinition } from '@app/contracts/scenario.words';
import type { Answer } from '../../support/clients/api.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

/** From a permit's commit to its use: less than the half second for which its holder may use it. */
const LATEST_USE_MS = 350;
/** Whatever was permitted before has begun by then, or never does. */
const PERMITS_ARE_VOID_MS = 1_000;

const scene = setScenarioScene({
  stages: [{}, {}, {}, {}, {}, {}],
  // A permit is used late, so that some are outstanding whenever a call stops the runs.
  environment: {
    ...injected('send-permit', { mostMs: LATEST_USE_MS, busyShare: 0 }),
    ...injected('late-report'),
    ...SHORT_TIMES,
  },
});

const SEND: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const WAIT: StepDefinition = { kind: 'wait', seconds: 3_600 };

const admin = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await scene.admin.admin(method, path, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer;
};
const change = (id: string, body: object) => admin('PATCH', `scenarios/${id}`, body);
const pauseAll = (automation_paused: boolean) =>
  admin('PATCH', `accounts/${scene.account.id}`, { automation_paused });

/** A dialog that waits in a stage, whose scenario has just this. */
const waiting = async (stage: number): Promise<{ threadId: string; phone: string }> => {
  const dialog = await scene.dialog();
  await scene.move(dialog.threadId, stage);
  await scene.untilRun(dialog.threadId, 'waiting');
  return dialog;
};

/** Waits until the worker has looked at a dialog that is due. */
const untilLookedAt = (threadId: string): Promise<unknown> =>
  eventually(
    async () => {
      const { rows } = await scene.database.pool.query(
        `SELECT 1 FROM scenario_queues WHERE thread_id = $1 AND due_at > now() AND lease_token IS NULL`,
        [threadId.replace('thread_', '')],
      );
      return rows.length > 0;
    },
    8_000,
    'nobody looked at the dialog',
  );

const BY_KEY = { type: 'key', id: expect.any(String), name: 'key' };

/** What the history says last of a dialog's run. */
async function endOf(threadId: string): Promise<object> {
  const { entries } = (await scene.api.getHistory({ thread_id: threadId })).body.data;
  const { to, note, cause } =
    (entries as Record<string, unknown>[]).find(({ type }) => type === 'scenario') ?? {};
  return { to, note, cause };
}

const setQueue = (threadId: string, set: string) =>
  scene.database.pool.query(`UPDATE scenario_queues SET ${set} WHERE thread_id = $1`, [uuidOf(threadId)]);

/** As if a killed process served the dialog. */
const serveByNobody = (threadId: string) =>
  setQueue(
    threadId,
    `lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 minute'`,
  );

const serveAgain = (threadId: string) => setQueue(threadId, 'lease_until = NULL');

/** A lead that enters a stage once more, where nobody begins its run before {@link serveAgain}. */
async function moveUnserved(stage: number): Promise<string> {
  const { threadId } = await waiting(stage);
  await serveByNobody(threadId);
  await scene.move(threadId, null);
  await scene.move(threadId, stage);
  return threadId;
}

describe('a paused scenario', () => {
  it('holds its runs, begins none, and lets those go on once it is on again', async () => {
    const id = await scene.scenario(0, [WAIT, SEND]);
    const { threadId, phone } = await waiting(0);
    await change(id, { state: 'paused' });
    await scene.later(threadId, 3_600);
    await untilLookedAt(threadId);
    const late = await scene.dialog();
    await scene.move(late.threadId, 0);
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
    await change(id, { state: 'on' });
    await scene.untilRun(threadId, 'done');
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    expect(await scene.runs(late.threadId)).toEqual([]);
    await change(id, { state: 'off' });
  });

  it('lets its runs go on where it is switched off, and begins none', async () => {
    const id = await scene.scenario(1, [WAIT, SEND]);
    const { threadId } = await waiting(1);
    await change(id, { state: 'paused' });
    await scene.later(threadId, 3_600);
    await untilLookedAt(threadId);
    await change(id, { state: 'off' });
    await scene.untilRun(threadId, 'done');
    const late = await scene.dialog();
    await scene.move(late.threadId, 1);
    expect(await scene.runs(late.threadId)).toEqual([]);
  });
});

describe('the runs of a scenario', () => {
  it('are cancelled by cancel-runs, which says how many, and begin again for those who enter later', async () => {
    const id = await scene.scenario(2, [WAIT]);
    const dialogs = [await waiting(2), await waiting(2)];
    const { body } = await admin('POST', `scenarios/${id}/cancel-runs`);
    expect(body.data).toEqual({ cancelled: 2 });
    for (const { threadId } of dialogs) {
      expect((await scene.untilRun(threadId, 'cancelled')).reason).toBe('person');
      expect(await endOf(threadId)).toEqual({ to: 'cancelled', note: 'person', cause: BY_KEY });
    }
    await waiting(2);
    expect((await admin('POST', `scenarios/${id}/cancel-runs`)).body.data).toEqual({ cancelled: 1 });
    await admin('DELETE', `scenarios/${id}`);
  });

  it('keep the steps that they began with, unless a change cancels them', async () => {
    const id = await scene.scenario(3, [WAIT, { kind: 'notify', text: 'old' }]);
    const kept = await waiting(3);
    await change(id, { steps: [{ kind: 'wait', seconds: 7_200 }] });
    await scene.later(kept.threadId, 3_600);
    expect((await scene.untilRun(kept.threadId, 'done')).progress).toHaveLength(2);
    const cancelled = await waiting(3);
    await change(id, { steps: [WAIT, SEND], running: 'cancel' });
    expect((await scene.untilRun(cancelled.threadId, 'cancelled')).reason).toBe('person');
    expect(await endOf(cancelled.threadId)).toEqual({ to: 'cancelled', note: 'person', cause: BY_KEY });
    await admin('DELETE', `scenarios/${id}`);
  });

  it('that was archived after a move are cancelled, and seen: a move always leaves its run', async () => {
    const id = await scene.scenario(4, [WAIT]);
    const threadId = await moveUnserved(4);
    await admin('DELETE', `scenarios/${id}`);
    await serveAgain(threadId);
    await eventually(
      async () => (await scene.runs(threadId)).filter(({ state }) => state === 'cancelled').length === 2,
      8_000,
      'the run of the second move is missing',
    );
    expect((await scene.runs(threadId)).at(-1)?.reason).toBe('archived');
  });

  it('take the steps that it has when they begin, if it was changed after the move', async () => {
    const id = await scene.scenario(3, [WAIT]);
    const threadId = await moveUnserved(3);
    await change(id, { steps: [{ kind: 'notify', text: 'new' }] });
    await serveAgain(threadId);
    await eventually(
      async () => (await scene.runs(threadId)).at(-1)?.state === 'done',
      8_000,
      'the run did not take the new steps',
    );
    await admin('DELETE', `scenarios/${id}`);
  });

  it('are cancelled where it is deleted', async () => {
    const id = await scene.scenario(4, [WAIT, SEND]);
    const { threadId, phone } = await waiting(4);
    await admin('DELETE', `scenarios/${id}`);
    expect((await scene.untilRun(threadId, 'cancelled')).reason).toBe('archived');
    expect(await endOf(threadId)).toEqual({ to: 'cancelled', note: 'archived', cause: BY_KEY });
    const left = await scene.dialog();
    const other = await scene.scenario(4, [WAIT]);
    await scene.move(left.threadId, 4);
    await scene.untilRun(left.threadId, 'waiting');
    await scene.move(left.threadId, null);
    await scene.untilRun(left.threadId, 'cancelled');
    expect(await endOf(left.threadId)).toEqual({ to: 'cancelled', note: 'left_stage', cause: undefined });
    await admin('DELETE', `scenarios/${other}`);
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
  });
});

describe('a lead that leaves its stage', () => {
  it('is written to no more after the answer, though the use of the permit before is reported late', async () => {
    const id = await scene.scenario(5, [SEND, SEND, SEND, SEND]);
    const leave = async (): Promise<[string, number]> => {
      const { threadId, phone } = await scene.dialog();
      await scene.move(threadId, 5);
      const sends = () => scene.provider.sendsTo(phone).length;
      await eventually(() => Promise.resolve(sends() > 0), 8_000, 'nothing was sent');
      await sleep(Math.random() * 2 * LATEST_USE_MS);
      await scene.move(threadId, null);
      return [phone, performance.now()];
    };
    const left = await Promise.all(Array.from({ length: 12 }, leave));
    await sleep(PERMITS_ARE_VOID_MS);
    for (const [phone, answeredAt] of left)
      expect(scene.provider.sendsTo(phone).filter(({ begunAt }) => begunAt > answeredAt)).toEqual([]);
    await admin('DELETE', `scenarios/${id}`);
  });
});

describe('a paused account', () => {
  it('is shown as such, starts no run, and lets those under way go on once it is resumed', async () => {
    const id = await scene.scenario(4, [WAIT, SEND]);
    const { threadId, phone } = await waiting(4);
    expect((await pauseAll(true)).body.data.automation_paused).toBe(true);
    await scene.later(threadId, 3_600);
    await untilLookedAt(threadId);
    const late = await scene.dialog();
    await scene.move(late.threadId, 4);
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
    expect((await admin('GET', `accounts/${scene.account.id}`)).body.data.automation_paused).toBe(true);
    expect((await pauseAll(false)).body.data.automation_paused).toBe(false);
    await scene.untilRun(threadId, 'done');
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    expect(await scene.runs(late.threadId)).toEqual([]);
    await admin('DELETE', `scenarios/${id}`);
  });
});
