import { untilWaiting } from '../../support/faults/waiting.sessions';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ servers: 1 });

const untilHeld = (thread: string): Promise<unknown> =>
  eventually(
    async () => (await scene.replies(thread)).some(({ held }) => held),
    5_000,
    'the reply was not claimed',
  );

it('leases are renewed in the order of the messages: whoever waits for an earlier reply holds no later one', async () => {
  const [earlier, later] = [newCustomer(), newCustomer()];
  for (const { phone } of [earlier, later])
    await scene.model.reply({ text: 'Ответ', hold: 'start', when: phone });
  // The message that comes first gets its reply last.
  await scene.database.pool.query(`
    CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.due_at = 'infinity'; RETURN NEW; END $$;
    CREATE TRIGGER later BEFORE INSERT ON replies FOR EACH ROW EXECUTE FUNCTION later()`);
  const first = await scene.write(earlier, `Первый ${earlier.phone}`);
  await scene.database.pool.query('DROP TRIGGER later ON replies');
  const second = await scene.write(later, `Второй ${later.phone}`);
  await untilHeld(second);
  await scene.database.pool.query('UPDATE replies SET due_at = clock_timestamp() WHERE thread_id = $1', [
    first,
  ]);
  await untilHeld(first);
  const client = await scene.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM replies WHERE thread_id = $1 FOR UPDATE', [first]);
    await untilWaiting(scene.database.pool, 1, { words: 'lease_until' });
    const free = await scene.database.pool.query(
      'SELECT 1 FROM replies WHERE thread_id = $1 FOR UPDATE SKIP LOCKED',
      [second],
    );
    expect(free.rowCount).toBe(1);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
