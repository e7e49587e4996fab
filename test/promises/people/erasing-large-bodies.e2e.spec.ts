import { limits } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer } from '../../support/scenes/reply.scene';
import { setErasureScene } from '../../support/scenes/erasure.scene';
import { secondsAgo } from '../../support/stand-ins/cloud.webhooks';

/** Addresses that the customer had before: each is looked for. */
const FORMER = ['77010000001', '77010000002', '77010000003'];
/** Each of 3 MiB. To search all of them at once takes twice as long as a statement may take. */
const MANY = 20;

const scene = setErasureScene({ environment: limits({ 'database.statementMs': 1_000 }) });

/**
 * In each byte may begin a phone, and nowhere does.
 * @param insert into a table, of `body`
 */
const fill = (insert: string) =>
  scene.query(
    `WITH large AS MATERIALIZED (
       SELECT n, convert_to(repeat('7', 3 * 1024 * 1024) || n, 'UTF8') AS body FROM generate_series(1, $1::int) n) ${insert}`,
    MANY,
  );

/** A customer who is there, and has had other addresses. */
async function customerWithAddresses() {
  const customer = newCustomer();
  const thread = `thread_${await scene.write(customer, 'STOP')}`;
  await scene.query('UPDATE threads SET former_addresses = $2 WHERE id = $1', thread.slice(7), FORMER);
  return { customer, thread };
}

it.each([
  [
    'came for whomever and is not taken in yet',
    `INSERT INTO webhook_deliveries (provider, body, due_at, received_at)
     SELECT 'cloud', body, 'infinity', now() - interval '1 hour' FROM large`,
  ],
  [
    'was taken in for whomever',
    `INSERT INTO webhook_deliveries (provider, body, state, received_at)
     SELECT 'cloud', body, 'done', now() - interval '1 hour' FROM large`,
  ],
  [
    'could not be taken in, whosever it is',
    `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at, created_at)
     SELECT gen_random_uuid(), 'cloud', n, '', 'unread', body, now(), now() - interval '1 hour' FROM large`,
  ],
])('a customer is erased, however much %s', async (_, insert) => {
  const { customer, thread } = await customerWithAddresses();
  const unread = { from: customer.phone, timestamp: String(secondsAgo(0)), type: 'text' };
  await scene.tell(scene.number.change('messages', { messages: [unread] }));
  await fill(insert);
  try {
    expect((await scene.erase(thread)).status).toBe(200);
    const kept = await scene.query<{ of: string }>(
      `SELECT 'webhook' AS of FROM webhook_deliveries WHERE position($1::bytea IN body) > 0
       UNION ALL SELECT 'reject' FROM webhook_rejects WHERE position($1::bytea IN item) > 0`,
      Buffer.from(customer.phone),
    );
    expect(kept).toEqual([]);
  } finally {
    await scene.query('TRUNCATE webhook_deliveries, webhook_rejects');
  }
});

it('what cannot be taken in while the dialog is held goes too', async () => {
  const { customer, thread } = await customerWithAddresses();
  const lock = await RowLock.take(scene.database, thread);
  const erased = scene.erase(thread);
  try {
    await lock.waiters(1);
    await scene.query(
      `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at)
       VALUES (gen_random_uuid(), 'cloud', 1, '', 'unread', $1, now())`,
      Buffer.from(JSON.stringify({ from: customer.phone })),
    );
  } finally {
    await lock.release();
  }
  expect((await erased).status).toBe(200);
  expect(await scene.rejects()).toEqual([]);
});
