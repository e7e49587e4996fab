import { AccountFixture } from '../../support/database/fixture';
import { addUnusedDialogs } from '../../support/database/unused.dialogs';
import { eventually } from '../../support/eventually';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { setLeadScene } from '../../support/scenes/lead.scene';

const DEADLINE_MS = 20_000;
/** A process waits two seconds for each that is locked. */
const DIALOGS = 3;

const scene = setLeadScene({ environment: FREQUENT_RETENTION });

const query = async <T extends object>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await scene.database.pool.query<T>(sql, values)).rows;

async function addAccount(dialogs: number): Promise<{ account: AccountFixture; threadIds: string[] }> {
  const account = await AccountFixture.create(scene.database.pool);
  return { account, threadIds: await addUnusedDialogs(scene.database.pool, account, dialogs) };
}

/** By the database: the servers may stand still. */
const keep = ({ id }: AccountFixture) => query('UPDATE accounts SET retention_days = 30 WHERE id = $1', id);

const claimOf = async ({ id }: AccountFixture) =>
  (
    await query<{ until: string; is_held: boolean; erased_before: string | null }>(
      `SELECT erasing_until::text AS until, erasing_until > clock_timestamp() AS is_held, erased_before::text
         FROM accounts WHERE id = $1`,
      id,
    )
  )[0];

const untilErased = ({ id }: AccountFixture, count: number) =>
  eventually(
    async () => {
      // What was locked for too long has been put off.
      await query('UPDATE erasure_retries SET due_at = clock_timestamp() WHERE account_id = $1', id);
      const erased = await query('SELECT 1 FROM threads WHERE account_id = $1 AND erased_at IS NOT NULL', id);
      return erased.length === count;
    },
    DEADLINE_MS,
    `${count} dialogs were not erased`,
  );

it('a process that stood still for longer than its claim of an account leaves the next one its claim, and what it does', async () => {
  const { account, threadIds } = await addAccount(DIALOGS);
  const { account: other } = await addAccount(1);
  const lock = await RowLock.take(scene.database, ...threadIds);
  try {
    await keep(account);
    await lock.waiters(1);
    await scene.server.kill('SIGSTOP');
    await query('UPDATE accounts SET erasing_until = clock_timestamp() WHERE id = $1', account.id);
    const next = await scene.addServer();
    const held = await eventually(
      async () => {
        const claim = await claimOf(account);
        return claim?.is_held === true && claim;
      },
      DEADLINE_MS,
      'no other process claimed the account',
    );
    await next.kill('SIGSTOP');
    await keep(other);
    await scene.server.kill('SIGCONT');
    // It serves the other account once it is over with the first one.
    await untilErased(other, 1);
    expect(await claimOf(account)).toEqual(held);
    await next.kill('SIGCONT');
  } finally {
    await lock.release();
  }
  await untilErased(account, DIALOGS);
});
