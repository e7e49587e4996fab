import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';

const scene = setReplyScene();

/** Longer than the pause of a number whose messenger names no time. */
const REST_SECONDS = 3;
const LATER_MS = 600_000;

/** Until a statement has given up its lock. */
async function untilNobodyWaits(): Promise<void> {
  await eventually(
    async () => {
      const { rowCount } = await scene.database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 0;
    },
    5_000,
    'the gate did not give up',
  );
}

describe('a number that the messenger has asked to pause', () => {
  it('sends no part of any reply until then, and then each once', async () => {
    const [first, second] = [newCustomer(), newCustomer()];
    let refusedAt = 0;
    scene.provider.on(`+${first.phone}`, (response, received, n) => {
      if (n > 1) return accept(response, received, n);
      refusedAt = performance.now();
      return refuse(429, 130429, { 'Retry-After': String(REST_SECONDS) })(response, received, n);
    });
    await scene.write(first, 'Вопрос');
    await eventually(() => Promise.resolve(refusedAt > 0), 10_000, 'nothing was sent');
    await scene.write(second, 'Вопрос');
    await scene.untilSaid(second, 1, 15_000);
    await scene.untilSaid(first, 2, 15_000);
    const again = [scene.said(first)[1], scene.said(second)[0]].map(
      (sent) => (sent?.begunAt ?? 0) - refusedAt,
    );
    // The pause and the requests are timed by two clocks.
    expect(Math.min(...again)).toBeGreaterThan(REST_SECONDS * 1_000 - 100);
    expect([scene.said(first), scene.said(second)].map(({ length }) => length)).toEqual([2, 1]);
  });
});

describe('a reply', () => {
  it('that waited a day asks for an operator, since only templates may be sent by then', async () => {
    const { pool } = scene.database;
    await pool.query('UPDATE assistants SET reply_delay_ms = $1', [LATER_MS]);
    const customer = newCustomer();
    const thread = await scene.write(customer, `Вопрос ${customer.phone}`);
    await pool.query('UPDATE assistants SET reply_delay_ms = NULL');
    await scene.kept.setFacts(`thread_${thread}`, `waiting_at = clock_timestamp() - interval '25 hours'`);
    await pool.query('UPDATE replies SET due_at = clock_timestamp() WHERE thread_id = $1', [thread]);
    await scene.untilQuiet(thread);
    expect(await scene.told(thread)).toEqual(['attention too_old']);
    expect(scene.said(customer)).toEqual([]);
  });

  it('waits at the gate while the dialog is locked for longer than one statement may wait, and is not written again', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Вот ответ.', when: customer.phone, hold: 'end' });
    const thread = await scene.write(customer, `Вопрос ${customer.phone}`);
    const { n } = await scene.model.held(customer.phone);
    const lock = await RowLock.take(scene.database, `thread_${thread}`);
    await scene.model.release(n);
    await lock.waiters(1);
    await untilNobodyWaits();
    await lock.release();
    expect(await scene.untilSaid(customer, 1)).toEqual(['Вот ответ.']);
    expect(await scene.model.requests(customer.phone)).toHaveLength(1);
  });
});

describe('leases of replies', () => {
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

  it('are renewed though another reply is locked, whose renewal nobody waits for', async () => {
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
});
