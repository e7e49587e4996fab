import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ servers: 1 });

const untilHeld = (thread: string): Promise<unknown> =>
  eventually(
    async () => (await scene.replies(thread)).some(({ held }) => held),
    5_000,
    'the reply was not claimed',
  );

const leaseOf = async (thread: string): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ until: Date }>(
    'SELECT lease_until AS until FROM replies WHERE thread_id = $1',
    [thread],
  );
  return rows[0]!.until.getTime();
};

it('leases are renewed though another reply is locked, whose renewal nobody waits for', async () => {
  const customers = [newCustomer(), newCustomer()];
  for (const { phone } of customers) await scene.model.reply({ text: 'Ответ', hold: 'start', when: phone });
  const [locked, free] = (await Promise.all(
    customers.map((customer) => scene.write(customer, `Где заказ ${customer.phone}`)),
  )) as [string, string];
  await untilHeld(locked);
  await untilHeld(free);
  const client = await scene.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM replies WHERE thread_id = $1 FOR UPDATE', [locked]);
    const [before, held] = [await leaseOf(free), await leaseOf(locked)];
    await eventually(async () => (await leaseOf(free)) > before, 8_000, 'the lease was not renewed');
    expect(await leaseOf(locked)).toBe(held);
    const { rowCount } = await scene.database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    expect(rowCount).toBe(0);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
