import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

/** Far below the half minute after which a silent model is left. */
const AT_ONCE_MS = 5_000;

const scene = setReplyScene();

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

describe.each([30, 100])('a model that hangs in %i conversations of an account', (conversations) => {
  it('keeps no other customer of that account waiting', async () => {
    await hang(conversations);
    const other = newCustomer();
    await scene.write(other, 'Вопрос');
    await scene.untilSaid(other, 1, AT_ONCE_MS);
  }, 60_000);
});
