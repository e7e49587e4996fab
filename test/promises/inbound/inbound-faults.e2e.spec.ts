import { cloudBody, secondsAgo } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { RowLock } from '../../support/faults/row.lock';

const scene = setInboundScene();

/** Three for each slot of the process. */
const HISTORIES = 9;
/** Each of them is held up for two seconds, so one that waits for all waits for six. */
const BESIDE_MS = 3_000;

/** Tries at once what was to come again after some seconds. */
const tryAgain = (): Promise<unknown> =>
  scene.database.pool.query(
    `UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE state = 'due' AND due_at < 'infinity'`,
  );

async function count(text: string): Promise<number> {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE text LIKE $1',
    [text],
  );
  return rows[0]?.n ?? 0;
}

/** Whether a webhook that is due was given back once. */
const triedOnce = async (): Promise<boolean> => {
  const tried = `SELECT 1 FROM webhook_deliveries WHERE state = 'due' AND attempts > 0`;
  return (await scene.database.pool.query(tried)).rowCount === 1;
};

it('a dialog that is held up has its webhook tried again later, and nothing of it is lost or doubled', async () => {
  const [held, free] = [{ phone: somePhone() }, { phone: somePhone() }];
  await scene.tell(scene.number.message(held, 'раньше'));
  const { id } = await scene.dialog(`+${held.phone}`);
  const lock = await RowLock.take(scene.database, `thread_${id}`);
  await scene.post(cloudBody([scene.number.message(held, 'ждёт'), scene.number.message(free, 'не ждёт')]));
  await eventually(triedOnce, 15_000, 'the webhook was not given back');
  expect(await count('не ждёт')).toBe(1);
  await lock.release();
  await tryAgain();
  await scene.taken();
  expect([await count('ждёт'), await count('не ждёт')]).toEqual([1, 1]);
  expect(await scene.rejects()).toEqual([]);
});

it('a message whose dialog cannot be opened at any try has its webhook tried again later, and is not lost', async () => {
  const customer = { phone: somePhone() };
  const text = 'ещё не открыт';
  // As if another statement had just opened the same dialog, at every try.
  await scene.database.pool.query(`
    CREATE FUNCTION opened_by_another() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER opened_by_another BEFORE INSERT ON threads FOR EACH ROW
      WHEN (NEW.contact = '+${customer.phone}') EXECUTE FUNCTION opened_by_another()`);
  try {
    await scene.post(cloudBody([scene.number.message(customer, text)]));
    await eventually(triedOnce, 15_000, 'the webhook was not given back');
  } finally {
    await scene.database.pool.query('DROP FUNCTION opened_by_another CASCADE');
  }
  await scene.taken();
  expect(await count(text)).toBe(1);
  expect(await scene.rejects()).toEqual([]);
});

it('customers’ messages are processed while histories wait, however many', async () => {
  const held = { phone: somePhone() };
  await scene.tell(scene.number.message(held, 'первое'));
  const { id } = await scene.dialog(`+${held.phone}`);
  const lock = await RowLock.take(scene.database, `thread_${id}`);
  const before = secondsAgo(86_400);
  const long = Array.from({ length: 2 }, (_, index) => ({ text: 'x'.repeat(40_000), at: before + index }));
  await Promise.all(
    Array.from({ length: HISTORIES }, () => scene.post(cloudBody([scene.number.history(held, long)]))),
  );
  await scene.post(cloudBody([scene.number.message({ phone: somePhone() }, 'не ждёт историй')]));
  try {
    const came = async (): Promise<boolean> => (await count('не ждёт историй')) === 1;
    await eventually(came, BESIDE_MS, 'the message was not taken in');
  } finally {
    await lock.release();
  }
  // Most of them are still untried: what was tried comes again after some seconds.
  await tryAgain();
  await scene.taken();
});

it('a webhook that could not be applied for a week becomes a reject as a whole, and is not tried again', async () => {
  const held = { phone: somePhone() };
  await scene.tell(scene.number.message(held, 'первое'));
  const { id } = await scene.dialog(`+${held.phone}`);
  const lock = await RowLock.take(scene.database, `thread_${id}`);
  const text = 'неделю ждёт';
  try {
    await scene.database.pool.query(
      `INSERT INTO webhook_deliveries (provider, body, attempts, received_at)
       VALUES ('cloud', $1, 10, clock_timestamp() - interval '8 days')`,
      [Buffer.from(cloudBody([scene.number.message(held, text)]))],
    );
    await scene.taken();
  } finally {
    await lock.release();
  }
  expect(await count(text)).toBe(0);
  expect((await scene.rejects()).filter(({ path }) => path === '')).toHaveLength(1);
});
