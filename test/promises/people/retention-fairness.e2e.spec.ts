import { ApiClient } from '../../support/clients/api.client';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { addUnusedDialogs } from '../../support/database/unused.dialogs';
import { eventually } from '../../support/eventually';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { setLeadScene } from '../../support/scenes/lead.scene';

const DEADLINE_MS = 20_000;
const DAYS = 30;
/** So many would take a process many minutes. */
const VERY_MANY = 50_000;
/** More than one round looks at. */
const STUCK = 25;
/** In two rounds: the one that is under way, and one between two looks of the test. */
const ROUNDS = 2 * 20;

const scene = setLeadScene({ environment: FREQUENT_RETENTION });

let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool, { limitGeneral: 100_000 }));
});

const query = async <T extends object>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await scene.database.pool.query<T>(sql, values)).rows;

const addUnused = (account: AccountFixture, dialogs: number, name?: string): Promise<string[]> =>
  addUnusedDialogs(scene.database.pool, account, dialogs, name);

async function keep(account: AccountFixture, days: number | null = DAYS): Promise<void> {
  const { status } = await admin.admin('PATCH', `accounts/${account.id}`, { retention_days: days });
  expect(status).toBe(200);
}

const erased = async ({ id }: AccountFixture, condition = 'true'): Promise<number> =>
  (
    await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM threads WHERE account_id = $1 AND erased_at IS NOT NULL AND ${condition}`,
      id,
    )
  )[0]?.n ?? 0;

const untilErased = (account: AccountFixture, count: number): Promise<boolean> =>
  eventually(async () => (await erased(account)) >= count, DEADLINE_MS, `not ${count} were erased`);

describe('while an account has very many unused dialogs', () => {
  let busy: AccountFixture;

  beforeAll(async () => {
    busy = await AccountFixture.create(scene.database.pool);
    await addUnused(busy, VERY_MANY);
    await keep(busy);
    await untilErased(busy, 1);
  });

  afterAll(() => keep(busy, null));

  it('those of another are erased in the next round', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    await addUnused(other, 1);
    const before = await erased(busy);
    await keep(other);
    await untilErased(other, 1);
    const [at] = await query<{ erased_at: string }>(
      'SELECT erased_at::text FROM threads WHERE account_id = $1',
      other.id,
    );
    expect((await erased(busy, `erased_at < '${at?.erased_at}'`)) - before).toBeLessThanOrEqual(ROUNDS);
  });

  it('other things that are over are deleted', async () => {
    await query(
      `INSERT INTO webhook_marks (account_id, mark, created_at) VALUES ($1, 'old', clock_timestamp() - interval '15 days')`,
      scene.account.id,
    );
    await eventually(
      async () => (await query(`SELECT 1 FROM webhook_marks WHERE mark = 'old'`)).length === 0,
      DEADLINE_MS,
      'an old mark was left',
    );
    expect(await erased(busy)).toBeLessThan(VERY_MANY);
  });
});

describe('dialogs that cannot be erased', () => {
  it('hold up none of the same account, and are tried again in half an hour', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await addUnused(account, STUCK, 'stuck');
    await query(`UPDATE threads SET last_activity_at = last_activity_at - interval '1 day', created_at = created_at - interval '1 day'
                  WHERE account_id = '${account.id}'`);
    await addUnused(account, STUCK);
    await query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it is stuck'; END $$;
      CREATE TRIGGER stuck BEFORE UPDATE ON threads FOR EACH ROW WHEN (old.customer_name = 'stuck') EXECUTE FUNCTION refuse()`);
    await keep(account);
    await untilErased(account, STUCK);
    expect(await erased(account, `contact LIKE 'stuck%'`)).toBe(0);
    const retries = await query<{ minutes: number }>(
      `SELECT extract(epoch FROM due_at - clock_timestamp())::float8 / 60 AS minutes FROM erasure_retries WHERE account_id = $1`,
      account.id,
    );
    expect(retries).toHaveLength(STUCK);
    for (const { minutes } of retries) expect(minutes).toBeCloseTo(30, -1);
    await query('DROP TRIGGER stuck ON threads');
    await query(`UPDATE erasure_retries SET due_at = clock_timestamp() WHERE account_id = $1`, account.id);
    await untilErased(account, 2 * STUCK);
    await eventually(
      async () =>
        (await query('SELECT 1 FROM erasure_retries WHERE account_id = $1', account.id)).length === 0,
      DEADLINE_MS,
      'erased dialogs are tried again',
    );
  });

  it('hold up none of other accounts while each is waited for', async () => {
    const held = await AccountFixture.create(scene.database.pool);
    const other = await AccountFixture.create(scene.database.pool);
    await addUnused(held, STUCK);
    await addUnused(other, 1);
    const ids = await query<{ id: string }>('SELECT id FROM threads WHERE account_id = $1', held.id);
    const lock = await RowLock.take(scene.database, ...ids.map(({ id }) => `thread_${id}`));
    await keep(held);
    await lock.waiters(1);
    await keep(other);
    await untilErased(other, 1);
    await lock.release();
    await keep(held, null);
  });

  it('are left alone when something happens in them before they are tried again', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await addUnused(account, 1);
    const [dialog] = await query<{ id: string }>('SELECT id FROM threads WHERE account_id = $1', account.id);
    await query(
      `INSERT INTO erasure_retries (account_id, thread_id, due_at) VALUES ($1, $2, clock_timestamp() + interval '1 hour')`,
      ...[account.id, dialog?.id],
    );
    await addUnused(account, 1, 'q');
    await keep(account);
    await untilErased(account, 1);
    const moved = await new ApiClient(scene.server.url, account.key).call('leads/set-status', {
      thread_id: `thread_${dialog?.id}`,
      status_id: account.stages[0],
    });
    expect(moved.status).toBe(200);
    await query('UPDATE erasure_retries SET due_at = clock_timestamp() WHERE account_id = $1', account.id);
    // The second is erased in a later round than the first.
    for (const [place, name] of ['r', 's'].entries()) {
      await addUnused(account, 1, name);
      await query(
        'UPDATE threads SET created_at = clock_timestamp() WHERE account_id = $1 AND contact = $2',
        ...[account.id, `${name}1`],
      );
      await untilErased(account, place + 2);
    }
    expect(await erased(account, `id = '${dialog?.id}'`)).toBe(0);
  });
});
