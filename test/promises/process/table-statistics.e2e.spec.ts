import { eventually } from '../../support/eventually';
import { setScene } from '../../support/scenes/base.scene';

const LEADS = 2_000;

/** Autovacuum would do it too, within a minute or at once, as its minute falls. Here it is off. */
const SOON_MS = 20_000;

const scene = setScene();

/** Rows of a table as the planner knows them, and when it was last told of them. */
const known = async (): Promise<{ rows: number; at: Date | null }> => {
  const { rows } = await scene.database.pool.query<{ rows: number; at: Date | null }>(
    `SELECT greatest(c.reltuples, 0)::int AS rows, s.last_analyze AS at
       FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid WHERE c.oid = 'threads'::regclass`,
  );
  return rows[0]!;
};
const addLeads = (count: number): Promise<unknown> =>
  scene.database.pool.query(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact)
     SELECT $1, gen_random_uuid(), $2, $3, 'waba', gen_random_uuid() FROM generate_series(1, $4::int)`,
    [scene.account.id, scene.account.assistantId, scene.account.botId, count],
  );

it('the planner hears within seconds of a table that has more than doubled, and each time again', async () => {
  await scene.database.pool.query('ALTER TABLE threads SET (autovacuum_enabled = false)');
  let leads = 0;
  for (const more of [LEADS, 2 * LEADS]) {
    await addLeads(more);
    leads += more;
    const hears = async (): Promise<boolean> => {
      const { rows, at } = await known();
      return at !== null && rows >= leads;
    };
    await eventually(hears, SOON_MS, `the planner did not hear of ${leads} leads`);
  }
});
