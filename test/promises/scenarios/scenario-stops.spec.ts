import { setTimeout as sleep } from 'node:timers/promises';
import type { StepDefinition } from '@app/contracts/scenario.words';
import type { Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

const scene = setScenarioScene({
  servers: 2,
  stages: [{}, {}, {}, {}, {}, {}],
  environment: planted('short-times'),
});

const SEND: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const WAIT: StepDefinition = { kind: 'wait', seconds: 3_600 };

const admin = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await (await scene.admin()).admin(method, path, body);
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
      const { body: history } = await scene.api.getHistory({ thread_id: threadId });
      expect(JSON.stringify(history.data)).toContain('"to":"cancelled"');
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
    await admin('DELETE', `scenarios/${id}`);
  });

  it('are cancelled where it is deleted', async () => {
    const id = await scene.scenario(4, [WAIT, SEND]);
    const { threadId, phone } = await waiting(4);
    await admin('DELETE', `scenarios/${id}`);
    expect((await scene.untilRun(threadId, 'cancelled')).reason).toBe('archived');
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
  });

  it('begin nothing after the answer that pauses, cancels or deletes, or pauses the account', async () => {
    const stops: ((id: string) => Promise<unknown>)[] = [
      (id) => change(id, { state: 'paused' }),
      (id) => admin('POST', `scenarios/${id}/cancel-runs`),
      (id) => admin('DELETE', `scenarios/${id}`),
      () => pauseAll(true),
    ];
    let begun = 0;
    for (const stop of stops) {
      const id = await scene.scenario(5, [SEND, SEND, SEND, SEND, SEND, SEND]);
      const dialogs = await Promise.all(Array.from({ length: 25 }, () => scene.dialog()));
      const count = (): number =>
        dialogs.reduce((sum, { phone }) => sum + scene.provider.sendsTo(phone).length, 0);
      await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, 5)));
      await eventually(() => Promise.resolve(count() > 5), 8_000, 'nothing was sent');
      await stop(id);
      const before = count();
      await sleep(1_500);
      expect([before < 150, count()]).toEqual([true, before]);
      begun += before;
      await pauseAll(false);
      await (await scene.admin()).admin('DELETE', `scenarios/${id}`);
    }
    expect(begun).toBeGreaterThan(0);
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
