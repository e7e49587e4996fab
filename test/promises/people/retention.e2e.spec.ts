import { ApiClient } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { addUnusedDialogs } from '../../support/database/unused.dialogs';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { holdBack, letGo } from '../../support/faults/held.webhooks';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { triesOf } from '../../support/long.mode';
import { endAll } from '../../support/programs/server.process';
import { newCustomer } from '../../support/scenes/reply.scene';
import { setErasureScene } from '../../support/scenes/erasure.scene';
import { secondsAgo } from '../../support/stand-ins/cloud.webhooks';

const DEADLINE_MS = 20_000;
const DAYS = 30;
const DAY_SECONDS = 86_400;
/** More than one round erases. */
const UNUSED = 45;
/** A process would take minutes for so many. */
const VERY_MANY = triesOf(2_000, 50_000);
/** More than one round looks at. */
const STUCK = 25;
/** In two rounds: the one that is under way, and one between two looks of the test. */
const ROUNDS = 2 * 20;
/** Entries of an audit: three slices. */
const LONG = 2_500;

const scene = setErasureScene({ environment: FREQUENT_RETENTION });

const query = <Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  scene.query<Row>(sql, ...values);

async function keep({ id }: AccountFixture, days: number | null = DAYS): Promise<void> {
  const { status } = await scene.admin.admin('PATCH', `accounts/${id}`, { retention_days: days });
  expect(status).toBe(200);
}

const addUnused = (account: AccountFixture, dialogs: number, name?: string): Promise<string[]> =>
  addUnusedDialogs(scene.database.pool, account, dialogs, name);

const erased = async ({ id }: AccountFixture, condition = 'true'): Promise<number> =>
  (
    await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM threads WHERE account_id = $1 AND erased_at IS NOT NULL AND ${condition}`,
      id,
    )
  )[0]?.n ?? 0;

const untilErased = (account: AccountFixture, count: number): Promise<boolean> =>
  eventually(async () => (await erased(account)) >= count, DEADLINE_MS, `not ${count} were erased`);

/** Of the dialog at a place, from 0. */
const phone = (place: number | ''): string => `7701555${place === '' ? '' : place + 1}`;

/** An account with unused dialogs, whose turns come in this order, and entries of its audit. */
async function roundOf(dialogs: number) {
  const account = await AccountFixture.create(scene.database.pool);
  const { id } = account;
  const threadIds = await addUnused(account, dialogs, phone(''));
  // Else all have one name, by which entries about the others would be found.
  await query('UPDATE threads SET customer_name = NULL WHERE account_id = $1', id);
  return {
    account,
    threadIds,
    /** An entry about something else, by a call that names somebody. */
    note: (words: string, ago = '1 day') =>
      query(
        `INSERT INTO audit_entries (account_id, id, at, action, subject_type, request_id)
         VALUES ($1, gen_random_uuid(), clock_timestamp() - $3::interval, 'key.update', 'key', $2)`,
        ...[id, `about ${words}`, ago],
      ),
    isNamed: async (words: string): Promise<boolean> => {
      const sql = `SELECT 1 FROM audit_entries WHERE account_id = $1 AND request_id = $2`;
      return (await query(sql, id, `about ${words}`)).length > 0;
    },
    /** What is done once the round waits for a dialog, which then goes on. */
    atTurnOf: async (place: number, act: () => Promise<unknown>): Promise<void> => {
      const lock = await RowLock.take(scene.database, threadIds[place] ?? '');
      try {
        await keep(account);
        await lock.waiters(1);
        await act();
      } finally {
        await lock.release();
      }
    },
    areErased: async (): Promise<boolean[]> => {
      const sql = 'SELECT id, erased_at IS NOT NULL AS is_erased FROM threads WHERE account_id = $1';
      const rows = await query<{ id: string; is_erased: boolean }>(sql, id);
      return threadIds.map((threadId) => rows.some((row) => row.is_erased && row.id === uuidOf(threadId)));
    },
  };
}

describe('an account that keeps dialogs for some days', () => {
  const isErased = async (id: string): Promise<boolean> =>
    (await erased(scene.account, `id = '${id}'`)) === 1;

  const tellHistory = (daysAgo: number, customer = newCustomer()): Promise<unknown> =>
    scene.tell(
      scene.number.history(customer, [{ text: 'from before', at: secondsAgo(daysAgo * DAY_SECONDS) }]),
    );

  /** Messages from before the number was connected, as the provider hands them over. @returns their dialog. */
  async function importHistory(daysAgo: number, customer = newCustomer()): Promise<string> {
    await tellHistory(daysAgo, customer);
    return (await scene.dialog(`+${customer.phone}`)).id;
  }

  /** One that comes last is erased: all before it had their turn. It may be gone before it could be looked up. */
  async function untilAllHadTheirTurn(erasedByThen: number): Promise<void> {
    await tellHistory(DAYS + 1);
    await untilErased(scene.account, erasedByThen + 1);
  }

  it('erases dialogs without activity by itself, each once over several processes, and no other', async () => {
    await addUnused(scene.account, UNUSED);
    const used = uuidOf(await scene.account.addThread());
    await scene.addServer();
    expect(await erased(scene.account)).toBe(0);
    await keep(scene.account);
    await untilErased(scene.account, UNUSED);
    expect(await isErased(used)).toBe(false);
    const { rows } = await scene.database.pool.query<{ n: number; actors: number }>(
      `SELECT count(*)::int AS n, count(actor_id)::int AS actors FROM audit_entries WHERE account_id = $1 AND action = 'thread.erase'`,
      [scene.account.id],
    );
    expect(rows).toEqual([{ n: UNUSED, actors: 0 }]);
    await scene.servers.pop()?.stop();
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
    await keep(scene.account, null);
    const before = await erased(scene.account);
    const customer = newCustomer();
    const id = await importHistory(DAYS + 9, customer);
    await holdBack(scene.database.pool, [scene.number.message(customer, 'I am back')]);
    await keep(scene.account);
    await untilAllHadTheirTurn(before);
    expect(await isErased(id)).toBe(false);
    await letGo(scene.database.pool);
    const texts = (await scene.messages(id)).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['from before', 'I am back']));
  });

  it('leaves a dialog in which something happens while it is about to be erased', async () => {
    await keep(scene.account, null);
    const before = await erased(scene.account);
    const id = await importHistory(DAYS + 9);
    const lock = await RowLock.take(scene.database, `thread_${id}`);
    await keep(scene.account);
    await lock.waiters(1);
    await lock.setFacts('last_activity_at = clock_timestamp()');
    await lock.release();
    await untilAllHadTheirTurn(before);
    expect(await isErased(id)).toBe(false);
    expect((await scene.messages(id)).map(({ text }) => text)).toContain('from before');
  });

  it('leaves a dialog in which something happens just before its turn', async () => {
    await keep(scene.account, null);
    const before = await erased(scene.account);
    const customer = newCustomer();
    const held = [await importHistory(DAYS + 9), await importHistory(DAYS + 8)];
    const id = await importHistory(DAYS + 7, customer);
    const lock = await RowLock.take(scene.database, ...held.map((dialog) => `thread_${dialog}`));
    await keep(scene.account);
    await lock.waiters(1);
    await scene.tell(scene.number.message(customer, 'I am back'));
    await lock.release();
    await untilAllHadTheirTurn(before + held.length);
    expect(await isErased(id)).toBe(false);
    const texts = (await scene.messages(id)).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['from before', 'I am back']));
  });
});

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

it('an entry that comes after the audit was searched for a round does not name who is erased in it', async () => {
  const round = await roundOf(2);
  await round.atTurnOf(0, () => round.note(phone(1), '0'));
  await untilErased(round.account, 2);
  expect(await round.isNamed(phone(1))).toBe(false);
});

it('a customer who gets another name after the audit was searched is not left in it by that name', async () => {
  const round = await roundOf(2);
  await round.note('Zarina');
  await round.atTurnOf(0, () =>
    query(`UPDATE threads SET customer_name = 'Zarina' WHERE id = $1`, uuidOf(round.threadIds[1] ?? '')),
  );
  await untilErased(round.account, 2);
  expect(await round.isNamed('Zarina')).toBe(false);
});

it('a dialog that is used again before its turn keeps what the audit says of its customer', async () => {
  const round = await roundOf(2);
  for (const place of [0, 1]) await round.note(phone(place));
  await round.atTurnOf(0, () =>
    query(
      'UPDATE threads SET last_activity_at = clock_timestamp() WHERE id = $1',
      uuidOf(round.threadIds[1] ?? ''),
    ),
  );
  await untilErased(round.account, 1);
  expect([await round.isNamed(phone(0)), await round.isNamed(phone(1))]).toEqual([false, true]);
});

// The last: its processes are killed, which has PostgreSQL count what they read.
it('a round reads the audit once, however many dialogs it erases; one that is killed leaves no erased dialog whose customer the audit still names, and is finished by another process', async () => {
  await query(`SELECT pg_stat_reset_single_table_counters('audit_entries_newest'::regclass)`);
  const DIALOGS = 10;
  const long = await roundOf(DIALOGS);
  await query(
    `INSERT INTO audit_entries (account_id, id, at, action, subject_type, request_id)
     SELECT $1, gen_random_uuid(), clock_timestamp() - interval '1 day', 'access.refused', 'operation', gen_random_uuid()::text
       FROM generate_series(1, $2::int)`,
    ...[long.account.id, LONG],
  );
  await keep(long.account);
  await untilErased(long.account, DIALOGS);
  await keep(long.account, null);

  const round = await roundOf(4);
  for (const place of [0, 1, 2, 3]) await round.note(phone(place));
  await round.atTurnOf(2, async () => {
    await endAll(scene.servers.splice(0));
    expect(await round.areErased()).toEqual([true, true, false, false]);
    const named = [round.isNamed(phone(0)), round.isNamed(phone(1)), round.isNamed(phone(3))];
    expect(await Promise.all(named)).toEqual([false, false, true]);
  });
  // What a connection read is counted when it ends, at the latest.
  const connections = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^leadline( (?!test)|$)'`;
  const areGone = async (): Promise<boolean> => (await query(connections)).length === 0;
  await eventually(areGone, DEADLINE_MS, 'connections are left');
  const [read] = await query<{ n: number }>(
    `SELECT idx_tup_read::int AS n FROM pg_stat_user_indexes WHERE indexrelname = 'audit_entries_newest'`,
  );
  expect(read?.n).toBeGreaterThanOrEqual(LONG);
  // A round ends after five seconds, which is a few rounds at most.
  expect(read?.n).toBeLessThan((LONG * DIALOGS) / 2);
  // Another process begins anew once the claim is over.
  await query('UPDATE accounts SET erasing_until = clock_timestamp() WHERE id = $1', round.account.id);
  await scene.addServer();
  await untilErased(round.account, 4);
  expect(await Promise.all([0, 1, 2, 3].map((place) => round.isNamed(phone(place))))).toEqual(
    Array(4).fill(false),
  );
});
