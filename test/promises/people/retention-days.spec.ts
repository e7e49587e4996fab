import { eventually } from '../../support/eventually';
import { setErasureScene } from '../../support/scenes/erasure.scene';

const DEADLINE_MS = 20_000;
const DAYS = 30;
/** More than one round erases. */
const UNUSED = 45;

const scene = setErasureScene();

const count = async (condition: string): Promise<number> => {
  const sql = `SELECT count(*)::int AS n FROM threads WHERE account_id = $1 AND ${condition}`;
  return (await scene.database.pool.query<{ n: number }>(sql, [scene.account.id])).rows[0]?.n ?? 0;
};

it('erases dialogs without activity by itself, each once over several processes, and no other', async () => {
  const unused: string[] = [];
  for (let n = 0; n < UNUSED; n += 1)
    unused.push(await scene.account.addThread({ phone: `+7702555${1000 + n}` }));
  const used = await scene.account.addThread({ phone: '+77025559999' });
  await scene.database.pool.query(
    `UPDATE threads SET last_activity_at = clock_timestamp() - $2 * interval '1 day' - interval '1 minute'
      WHERE account_id = $1 AND phone <> '+77025559999'`,
    [scene.account.id, DAYS],
  );
  await scene.addServer();
  expect(await count('erased_at IS NOT NULL')).toBe(0);
  for (const days of [0, 1.5, '30'])
    expect(
      (await scene.admin.admin('PATCH', `accounts/${scene.account.id}`, { retention_days: days })).status,
    ).toBe(422);
  const changed = await scene.admin.admin('PATCH', `accounts/${scene.account.id}`, { retention_days: DAYS });
  expect([changed.status, changed.body.data.retention_days]).toEqual([200, DAYS]);
  // Each begins with what is due.
  await Promise.all([scene.addServer(), scene.addServer()]);
  await eventually(
    async () => (await count('erased_at IS NOT NULL')) === UNUSED,
    DEADLINE_MS,
    'dialogs were left',
  );
  expect(await count(`phone IS NOT NULL AND id = '${used.replace('thread_', '')}'`)).toBe(1);
  const { rows } = await scene.database.pool.query<{ n: number; actors: number }>(
    `SELECT count(*)::int AS n, count(actor_id)::int AS actors FROM audit_entries WHERE action = 'thread.erase'`,
  );
  expect(rows).toEqual([{ n: unused.length, actors: 0 }]);
});
