import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { untilAdmitted } from '../../support/database/admitted.calls';
import { RowLock } from '../../support/faults/row.lock';
import { AgentTalks, moveTo } from '../../support/scenes/agent.talks';
import { eventually } from '../../support/eventually';

const scene = setReplyScene();

/** Far more than an account may have under way at once. */
const CALLS = 60;

/** Half of the sixteen slots that a process has for accounts' statements. */
const SLOTS_OF_ONE_ACCOUNT = 8;

it('an account whose calls all wait for locked dialogs still answers its customers and moves their leads', async () => {
  const talks = new AgentTalks(scene);
  const key = await scene.account.addKey({ limitLeads: CALLS });
  const api = scene.apiAt(0, key);
  const locked = await Promise.all(Array.from({ length: CALLS }, () => scene.account.addThread()));
  const lock = await RowLock.take(scene.database, ...locked);
  const calls = locked.map((thread_id) => api.setStatus({ thread_id, status_id: scene.stage(1) }));
  try {
    await untilAdmitted(scene.database.pool, key, CALLS);
    await lock.waiters(SLOTS_OF_ONE_ACCOUNT);
    const { thread, customer } = await talks.begin([moveTo(scene.stage(1)), { text: 'Всё готово.' }]);
    await scene.untilSaid(customer, 1, 5_000);
    expect(await scene.replies(thread)).toMatchObject([{ attempts: 1 }]);
    expect(await talks.stageOf(thread)).toBe(scene.stage(1));
  } finally {
    await lock.release();
    await Promise.all(calls);
  }
});

/** Far below the half minute after which a silent model is left. */
const AT_ONCE_MS = 5_000;

/** How many of these customers' replies are due by now, and not over: a model hangs in them, or they wait for a slot. */
async function dueOf(phones: readonly string[]): Promise<number> {
  const { rows } = await scene.database.pool.query<{ due: number }>(
    `SELECT count(*)::int AS due FROM replies r JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
      WHERE t.contact = ANY ($1) AND r.state = 'due' AND r.due_at <= clock_timestamp()`,
    [phones],
  );
  return rows[0]?.due ?? 0;
}

async function hang(conversations: number): Promise<void> {
  const customers = Array.from({ length: conversations }, newCustomer);
  const phones = customers.map(({ phone }) => `+${phone}`);
  await scene.model.reply({ act: 'hang', text: 'Никогда.', when: '#висит', times: null });
  await scene.tell(...customers.map((customer) => scene.number.message(customer, '#висит')));
  // Not until all of them hang: where an account has fewer slots, the other customer has to show it.
  const areDue = async (): Promise<boolean> => (await dueOf(phones)) === conversations;
  await eventually(areDue, 20_000, 'not all conversations are due');
}

it('a model that hangs in a hundred conversations of an account keeps no other customer of that account waiting', async () => {
  await hang(100);
  const other = newCustomer();
  await scene.write(other, 'Вопрос');
  await scene.untilSaid(other, 1, AT_ONCE_MS);
});
