import { AccountFixture } from '../../support/database/fixture';
import { addUnusedDialogs } from '../../support/database/unused.dialogs';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { setLeadScene } from '../../support/scenes/lead.scene';

const DEADLINE_MS = 20_000;
/** Three slices. */
const LONG = 2_500;

const scene = setLeadScene({ environment: FREQUENT_RETENTION });

const query = async <T extends object>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await scene.database.pool.query<T>(sql, values)).rows;

/** An account with unused dialogs, whose turns come in this order. */
class Round {
  private constructor(
    private readonly account: AccountFixture,
    readonly threadIds: readonly string[],
  ) {}

  static async of(dialogs: number): Promise<Round> {
    const account = await AccountFixture.create(scene.database.pool);
    const threadIds = await addUnusedDialogs(scene.database.pool, account, dialogs, phone(''));
    // Else all have one name, by which entries about the others would be found.
    await query('UPDATE threads SET customer_name = NULL WHERE account_id = $1', account.id);
    return new Round(account, threadIds);
  }

  /** An entry about something else, by a call that names somebody. */
  async note(words: string, ago = '1 day'): Promise<void> {
    await query(
      `INSERT INTO audit_entries (account_id, id, at, action, subject_type, request_id)
       VALUES ($1, gen_random_uuid(), clock_timestamp() - $3::interval, 'key.update', 'key', $2)`,
      ...[this.account.id, `about ${words}`, ago],
    );
  }

  async isNamed(words: string): Promise<boolean> {
    const sql = `SELECT 1 FROM audit_entries WHERE account_id = $1 AND request_id = $2`;
    return (await query(sql, this.account.id, `about ${words}`)).length > 0;
  }

  async addOthers(entries: number): Promise<void> {
    await query(
      `INSERT INTO audit_entries (account_id, id, at, action, subject_type, request_id)
       SELECT $1, gen_random_uuid(), clock_timestamp() - interval '1 day', 'access.refused', 'operation', gen_random_uuid()::text
         FROM generate_series(1, $2::int)`,
      ...[this.account.id, entries],
    );
  }

  async begin(): Promise<void> {
    await query('UPDATE accounts SET retention_days = 30 WHERE id = $1', this.account.id);
  }

  /** What is done once the round waits for a dialog, which then goes on. */
  async atTurnOf(place: number, act: () => Promise<unknown>): Promise<void> {
    const lock = await RowLock.take(scene.database, this.threadIds[place] ?? '');
    try {
      await this.begin();
      await lock.waiters(1);
      await act();
    } finally {
      await lock.release();
    }
  }

  /** Another process begins anew where one was killed. */
  async endClaim(): Promise<void> {
    await query('UPDATE accounts SET erasing_until = clock_timestamp() WHERE id = $1', this.account.id);
  }

  async areErased(): Promise<boolean[]> {
    const sql = 'SELECT erased_at IS NOT NULL AS is_erased FROM threads WHERE account_id = $1 AND id = $2';
    const erased: boolean[] = [];
    for (const id of this.threadIds)
      erased.push(
        (await query<{ is_erased: boolean }>(sql, this.account.id, uuidOf(id)))[0]?.is_erased ?? false,
      );
    return erased;
  }

  async untilErased(count: number): Promise<void> {
    const look = async () => (await this.areErased()).filter(Boolean).length === count;
    await eventually(look, DEADLINE_MS, `not ${count} were erased`);
  }
}

/** Of the dialog at a place, from 0. */
const phone = (place: number | ''): string => `7701555${place === '' ? '' : place + 1}`;

it('an entry that comes after the audit was searched for a round does not name who is erased in it', async () => {
  const round = await Round.of(2);
  await round.atTurnOf(0, () => round.note(phone(1), '0'));
  await round.untilErased(2);
  expect(await round.isNamed(phone(1))).toBe(false);
});

it('a customer who gets another name after the audit was searched is not left in it by that name', async () => {
  const round = await Round.of(2);
  await round.note('Zarina');
  await round.atTurnOf(0, () =>
    query(`UPDATE threads SET customer_name = 'Zarina' WHERE id = $1`, uuidOf(round.threadIds[1] ?? '')),
  );
  await round.untilErased(2);
  expect(await round.isNamed('Zarina')).toBe(false);
});

it('a dialog that is used again before its turn keeps what the audit says of its customer', async () => {
  const round = await Round.of(2);
  for (const place of [0, 1]) await round.note(phone(place));
  await round.atTurnOf(0, () =>
    query(
      'UPDATE threads SET last_activity_at = clock_timestamp() WHERE id = $1',
      uuidOf(round.threadIds[1] ?? ''),
    ),
  );
  await round.untilErased(1);
  expect([await round.isNamed(phone(0)), await round.isNamed(phone(1))]).toEqual([false, true]);
});

it('a round that is killed leaves no erased dialog whose customer the audit still names, and is finished by another process', async () => {
  const round = await Round.of(4);
  for (const place of [0, 1, 2, 3]) await round.note(phone(place));
  await round.atTurnOf(2, async () => {
    await scene.server.kill('SIGKILL');
    expect(await round.areErased()).toEqual([true, true, false, false]);
    const named = [round.isNamed(phone(0)), round.isNamed(phone(1)), round.isNamed(phone(3))];
    expect(await Promise.all(named)).toEqual([false, false, true]);
  });
  await round.endClaim();
  await scene.addServer();
  await round.untilErased(4);
  expect(await Promise.all([0, 1, 2, 3].map((place) => round.isNamed(phone(place))))).toEqual(
    Array(4).fill(false),
  );
});

it('a round reads the audit once, however many dialogs it erases', async () => {
  const DIALOGS = 10;
  const round = await Round.of(DIALOGS);
  await round.addOthers(LONG);
  const server = await scene.addServer();
  const entriesRead = async () =>
    (
      await query<{ n: number }>(
        `SELECT idx_tup_read::int AS n FROM pg_stat_user_indexes WHERE indexrelname = 'audit_entries_newest'`,
      )
    )[0]?.n ?? 0;
  await round.begin();
  await round.untilErased(DIALOGS);
  await Promise.all([...scene.servers, server].map((one) => one.kill('SIGKILL')));
  // PostgreSQL counts what a connection read when it ends, at the latest.
  await eventually(
    async () =>
      (
        await query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'leadline'`,
        )
      ).length === 0,
    DEADLINE_MS,
    'connections are left',
  );
  const read = await entriesRead();
  expect(read).toBeGreaterThanOrEqual(LONG);
  // A round ends after five seconds, which is a few rounds at most.
  expect(read).toBeLessThan((LONG * DIALOGS) / 2);
});
