import { untilAdmitted } from '../../support/database/admitted.calls';
import { RowLock } from '../../support/faults/row.lock';
import { AgentTalks, moveTo } from '../../support/scenes/agent.talks';
import { setReplyScene } from '../../support/scenes/reply.scene';

/** Far more than an account may have under way at once. */
const CALLS = 60;
/** Half of the sixteen slots that a process has for accounts' statements. */
const SLOTS_OF_ONE_ACCOUNT = 8;

const scene = setReplyScene();

it.each([
  // Of the calls that wait for one dialog, one waits in the database.
  ['one locked dialog', 1, 1],
  ['locked dialogs', CALLS, SLOTS_OF_ONE_ACCOUNT],
])(
  'an account whose calls all wait for %s still answers its customers and moves their leads',
  async (_what, dialogs, waiting) => {
    const talks = new AgentTalks(scene);
    const key = await scene.account.addKey({ limitLeads: CALLS });
    const api = scene.apiAt(0, key);
    const locked = await Promise.all(Array.from({ length: dialogs }, () => scene.account.addThread()));
    const lock = await RowLock.take(scene.database, ...locked);
    const calls = Array.from({ length: CALLS }, (_call, index) =>
      api.setStatus({ thread_id: locked[index % dialogs] ?? '', status_id: scene.stage(1) }),
    );
    try {
      await untilAdmitted(scene.database.pool, key, CALLS);
      await lock.waiters(waiting);
      const { thread, customer } = await talks.begin([moveTo(scene.stage(1)), { text: 'Всё готово.' }]);
      await scene.untilSaid(customer, 1, 5_000);
      expect(await scene.replies(thread)).toMatchObject([{ attempts: 1 }]);
      expect(await talks.stageOf(thread)).toBe(scene.stage(1));
    } finally {
      await lock.release();
      await Promise.all(calls);
    }
  },
);
