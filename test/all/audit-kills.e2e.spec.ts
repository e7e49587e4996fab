import { ApiClient } from '../support/clients/api.client';
import { eventually } from '../support/eventually';
import { setScene } from '../support/scenes/base.scene';

const ROUNDS = 6;
const CALLERS = 8;
/** So many changes are answered before the kill comes, in the midst of others. */
const ANSWERED = 40;

const scene = setScene({ ownServer: true });

/** Things without the entry that they were made, and entries without the thing. */
const TORN: Record<string, string> = {
  accounts: 'account.create',
  api_keys: 'key.create',
  users: 'user.create',
  assistants: 'assistant.create',
  bots: 'bot.create',
  assistant_tools: 'tool.create',
};

const count = async (sql: string): Promise<number> =>
  (await scene.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM (${sql}) torn`)).rows[0]!.n;

/** Kills when entries are about to be written: whatever was committed before them would stay alone. */
async function killAtEntries(kill: () => Promise<void>): Promise<void> {
  const { pool } = scene.database;
  const holder = await pool.connect();
  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  try {
    await holder.query('BEGIN; LOCK TABLE audit_entries IN SHARE MODE');
    const isFull = async (): Promise<boolean> => (await count(`SELECT ${waiting}`)) >= CALLERS / 2;
    await eventually(isFull, 10_000, 'no entries were about to be written');
    await kill();
    await pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

it(`kill -9 in a storm of changes leaves neither a change nor an entry alone, ${ROUNDS} times`, async () => {
  const { pool } = scene.database;
  const before = Object.fromEntries(
    await Promise.all(
      Object.keys(TORN).map(async (table) => [
        table,
        (await pool.query<{ id: string }>(`SELECT id FROM ${table}`)).rows.map(({ id }) => id),
      ]),
    ),
  ) as Record<string, string[]>;
  let made = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = scene.servers.at(-1)!;
    const admin = new ApiClient(server.url, scene.adminKey);
    let [answered, isKilled] = [0, false];
    let killed = (): void => undefined;
    const enough = new Promise<void>((resolve) => (killed = resolve));
    const call = async (method: string, path: string, body: object): Promise<string> => {
      const { body: answer } = await admin.admin(method, path, body);
      answered += 1;
      if (answered >= ANSWERED) killed();
      return (answer.data as { id: string }).id;
    };
    const changeAll = async (): Promise<void> => {
      const n = (made += 1);
      const account = await call('POST', 'accounts', { name: `made ${n}` });
      await call('PATCH', `accounts/${account}`, { name: `changed ${n}` });
      await call('POST', 'api-keys', { account_id: account, name: 'key', scopes: ['leads'] });
      const person = { account_id: account, email: `storm-${n}@example.com`, name: 'P', role: 'admin' };
      await call('POST', 'users', person);
      const assistant = await call('POST', 'assistants', { account_id: account, name: 'agent' });
      await call('POST', 'bots', { account_id: account, assistant_id: assistant, name: 'bot' });
      const tool = { name: 'look_up', description: 'd', method: 'GET', url: 'https://example.com/' };
      await call('POST', `assistants/${assistant}/tools`, tool);
    };
    // The kill cuts the calls that are under way; one that is refused before, for the entry that is held, is made anew.
    const storm = async (): Promise<void> => {
      while (!isKilled) await changeAll().catch(() => undefined);
    };
    const callers = Array.from({ length: CALLERS }, storm);
    await enough;
    isKilled = true;
    if (round % 2 === 0) await server.kill('SIGKILL');
    else await killAtEntries(() => server.kill('SIGKILL'));
    await Promise.all(callers);
    await scene.addServer();
  }
  for (const [table, action] of Object.entries(TORN)) {
    const known = (before[table] ?? []).map((id) => `'${id}'`).join(',') || 'NULL';
    const rows = `SELECT id::text FROM ${table} WHERE (id IN (${known})) IS NOT TRUE`;
    const entries = `SELECT subject_id FROM audit_entries WHERE action = '${action}' AND (subject_id IN (${known})) IS NOT TRUE`;
    expect([table, await count(rows)]).not.toEqual([table, 0]);
    expect([table, await count(`(${rows}) EXCEPT (${entries})`)]).toEqual([table, 0]);
    expect([table, await count(`(${entries}) EXCEPT (${rows})`)]).toEqual([table, 0]);
  }
  const renamed = `SELECT a.id FROM accounts a WHERE a.name LIKE 'changed %'`;
  const told = `SELECT subject_id::uuid FROM audit_entries WHERE action = 'account.update' AND after ->> 'name' LIKE 'changed %'`;
  expect(await count(renamed)).toBeGreaterThan(ROUNDS);
  expect(await count(`(${renamed}) EXCEPT (${told})`)).toBe(0);
  expect(await count(`(${told}) EXCEPT (${renamed})`)).toBe(0);
});
