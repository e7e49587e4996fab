import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { holdBack, letGo } from '../../support/faults/held.webhooks';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer } from '../../support/scenes/reply.scene';
import { setErasureScene } from '../../support/scenes/erasure.scene';
import { secondsAgo } from '../../support/stand-ins/cloud.webhooks';

const DEADLINE_MS = 20_000;
const DAYS = 30;
const DAY_SECONDS = 86_400;
/** More than one round erases. */
const UNUSED = 45;

const scene = setErasureScene({ environment: FREQUENT_RETENTION });

const count = async (condition: string): Promise<number> => {
  const sql = `SELECT count(*)::int AS n FROM threads WHERE account_id = $1 AND ${condition}`;
  return (await scene.database.pool.query<{ n: number }>(sql, [scene.account.id])).rows[0]?.n ?? 0;
};

/** Dialogs in which nothing has happened for longer than they are kept. */
async function addUnused(dialogs: number): Promise<void> {
  const added: string[] = [];
  for (let n = 0; n < dialogs; n += 1) added.push(uuidOf(await scene.account.addThread()));
  await scene.database.pool.query(
    `UPDATE threads SET created_at = clock_timestamp() - $2 * interval '1 day',
            last_activity_at = clock_timestamp() - $3 * interval '1 day' - interval '1 minute' WHERE id = ANY ($1)`,
    [added, DAYS + 10, DAYS],
  );
}

const keep = (days: number | null) =>
  scene.admin.admin('PATCH', `accounts/${scene.account.id}`, { retention_days: days });

const isErased = async (id: string): Promise<boolean> =>
  (await count(`erased_at IS NOT NULL AND id = '${id}'`)) === 1;

/** Messages from before the number was connected, as the provider hands them over. @returns their dialog. */
async function importHistory(daysAgo: number, customer = newCustomer()): Promise<string> {
  const at = secondsAgo(daysAgo * DAY_SECONDS);
  await scene.tell(scene.number.history(customer, [{ text: 'from before', at }]));
  return (await scene.dialog(`+${customer.phone}`)).id;
}

it('erases dialogs without activity by itself, each once over several processes, and no other', async () => {
  await addUnused(UNUSED);
  const used = uuidOf(await scene.account.addThread());
  await scene.addServer();
  expect(await count('erased_at IS NOT NULL')).toBe(0);
  for (const days of [0, 1.5, '30'])
    expect(
      (await scene.admin.admin('PATCH', `accounts/${scene.account.id}`, { retention_days: days })).status,
    ).toBe(422);
  const changed = await keep(DAYS);
  expect([changed.status, changed.body.data.retention_days]).toEqual([200, DAYS]);
  await eventually(
    async () => (await count('erased_at IS NOT NULL')) === UNUSED,
    DEADLINE_MS,
    'dialogs were left',
  );
  expect(await count(`phone IS NOT NULL AND id = '${used}'`)).toBe(1);
  const { rows } = await scene.database.pool.query<{ n: number; actors: number }>(
    `SELECT count(*)::int AS n, count(actor_id)::int AS actors FROM audit_entries WHERE action = 'thread.erase'`,
  );
  expect(rows).toEqual([{ n: UNUSED, actors: 0 }]);
});

it('erases a dialog that comes with a history of long ago, after all that was unused before it', async () => {
  const { rows } = await scene.database.pool.query<{ erased_before: Date | null }>(
    'SELECT erased_before FROM accounts WHERE id = $1',
    [scene.account.id],
  );
  expect(rows[0]?.erased_before).not.toBeNull();
  const old = await importHistory(DAYS * 3);
  const recent = await importHistory(DAYS - 1);
  await eventually(() => isErased(old), DEADLINE_MS, 'the old dialog was left');
  expect(await isErased(recent)).toBe(false);
});

it('leaves a dialog whose customer has written, though that is not taken in yet', async () => {
  await keep(null);
  const customer = newCustomer();
  const id = await importHistory(DAYS + 9, customer);
  await holdBack(scene.database.pool, [scene.number.message(customer, 'I am back')]);
  await keep(DAYS);
  const later = await importHistory(DAYS + 1);
  await eventually(() => isErased(later), DEADLINE_MS, 'a later dialog was left');
  expect(await isErased(id)).toBe(false);
  await letGo(scene.database.pool);
  const texts = (await scene.messages(id)).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['from before', 'I am back']));
});

it('leaves a dialog in which something happens while it is about to be erased', async () => {
  await keep(null);
  const id = await importHistory(DAYS + 9);
  const lock = await RowLock.take(scene.database, `thread_${id}`);
  await keep(DAYS);
  await lock.waiters(1);
  await lock.setFacts('last_activity_at = clock_timestamp()');
  await lock.release();
  const later = await importHistory(DAYS + 1);
  await eventually(() => isErased(later), DEADLINE_MS, 'a later dialog was left');
  expect(await isErased(id)).toBe(false);
  expect((await scene.messages(id)).map(({ text }) => text)).toContain('from before');
});

it('leaves a dialog in which something happens just before its turn', async () => {
  await keep(null);
  const customer = newCustomer();
  const held = [await importHistory(DAYS + 9), await importHistory(DAYS + 8)];
  const id = await importHistory(DAYS + 7, customer);
  const lock = await RowLock.take(scene.database, ...held.map((dialog) => `thread_${dialog}`));
  await keep(DAYS);
  await lock.waiters(1);
  await scene.tell(scene.number.message(customer, 'I am back'));
  await lock.release();
  const later = await importHistory(DAYS + 1);
  await eventually(() => isErased(later), DEADLINE_MS, 'a later dialog was left');
  expect(await isErased(id)).toBe(false);
  const texts = (await scene.messages(id)).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['from before', 'I am back']));
});
