import { RowLock } from '../../support/faults/row.lock';
import { AgentTalks, moveTo } from '../../support/scenes/agent.talks';
import { setReplyScene } from '../../support/scenes/reply.scene';

/** Far more than an account may have under way at once. */
const CALLS = 60;

const scene = setReplyScene();

it('an account whose calls all wait for a locked dialog still answers its customers and moves their leads', async () => {
  const talks = new AgentTalks(scene);
  const locked = await scene.account.addThread();
  const lock = await RowLock.take(scene.database, locked);
  const calls = Array.from({ length: CALLS }, () =>
    scene.api.setStatus({ thread_id: locked, status_id: scene.stage(1) }),
  );
  try {
    await lock.waiters(2);
    const { thread, customer } = await talks.begin([moveTo(scene.stage(1)), { text: 'Всё готово.' }]);
    await scene.untilSaid(customer, 1, 5_000);
    expect(await scene.replies(thread)).toMatchObject([{ attempts: 1 }]);
    expect(await talks.stageOf(thread)).toBe(scene.stage(1));
  } finally {
    await lock.release();
    await Promise.all(calls);
  }
});
