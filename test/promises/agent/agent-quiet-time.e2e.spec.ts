import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

/** So long that no reply comes within a test. */
const LONG_MS = 60_000;

const scene = setReplyScene();

/** When the reply of a dialog is due, in milliseconds after its customer's newest message arrived. */
async function dueAfterLast(thread: string): Promise<number> {
  const { rows } = await scene.database.pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM r.due_at - (SELECT max(created_at) FROM messages WHERE thread_id = $1 AND role = 'USER'))
              * 1000)::float8 AS ms
       FROM replies r WHERE r.thread_id = $1 ORDER BY r.id DESC LIMIT 1`,
    [thread],
  );
  return Math.round(rows[0]?.ms ?? -1);
}

it('a burst of messages is answered once, a quiet time after the last of them', async () => {
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = $1', [LONG_MS]);
  const customer = newCustomer();
  await scene.model.reply({ text: 'На все три.', when: customer.phone });
  await scene.write(customer, 'раз');
  await scene.write(customer, 'два');
  const thread = await scene.write(customer, `три ${customer.phone}`);
  expect(await dueAfterLast(thread)).toBeGreaterThanOrEqual(LONG_MS);
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
  await scene.database.pool.query('UPDATE replies SET due_at = clock_timestamp() WHERE thread_id = $1', [
    thread,
  ]);
  expect(await scene.untilSaid(customer, 1)).toEqual(['На все три.']);
  await scene.untilQuiet(thread);
  expect(scene.said(customer)).toHaveLength(1);
  expect((await scene.replies(thread)).filter(({ parts }) => parts > 0)).toHaveLength(1);
});

it('a customer who goes on writing is answered after five quiet times at the latest', async () => {
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = $1', [LONG_MS]);
  const customer = newCustomer();
  const thread = await scene.write(customer, 'начало');
  expect(await dueAfterLast(thread)).toBeGreaterThanOrEqual(LONG_MS);
  await scene.kept.setFacts(
    `thread_${thread}`,
    `burst_started_at = clock_timestamp() - interval '${4.5 * LONG_MS} ms'`,
  );
  await scene.write(customer, 'и ещё');
  expect(await dueAfterLast(thread)).toBeLessThanOrEqual(LONG_MS / 2);
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
});

it('a customer who writes again after an answer has the whole quiet time again', async () => {
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = $1', [LONG_MS]);
  const customer = newCustomer();
  const thread = await scene.account.addThread({ phone: `+${customer.phone}` });
  await scene.kept.setFacts(thread, `burst_started_at = clock_timestamp() - interval '${4.5 * LONG_MS} ms'`);
  expect(await dueAfterLast(await scene.write(customer, 'и ещё'))).toBeGreaterThanOrEqual(LONG_MS);
  await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
});
