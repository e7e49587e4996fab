import { ApiClient } from '../support/api.client';
import { BoardClient } from '../support/board.client';
import { DatabaseProxy } from '../support/database.proxy';
import { eventually } from '../support/eventually';
import { AccountFixture } from '../support/fixture';
import { startServer, type ServerProcess } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

let database: TestDatabase;
let proxy: DatabaseProxy;
let server: ServerProcess;
let account: AccountFixture;
let board: BoardClient;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  server = await startServer(proxy.url, { LOG_LEVEL: 'info' });
  account = await AccountFixture.create(database.pool);
  board = await BoardClient.connect(server.url, { api_key: account.key });
  await board.open(account.assistantId);
});

afterAll(async () => {
  board?.close();
  await server?.stop();
  await proxy?.stop();
  await database?.drop();
});

/** The lines that say something, as they were written. */
const linesThatSay = (words: string): { request_id?: string }[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes(words))
    .map((line) => JSON.parse(line) as { request_id?: string });
const says = (words: string, deadlineMs: number): Promise<{ request_id?: string }> =>
  eventually(async () => linesThatSay(words)[0], deadlineMs, `no line says "${words}"`);

describe('a log line of a process with open boards', () => {
  it('of what the feed met, even if a request woke it, has the id of no request', async () => {
    const thread = await account.addThread();
    await database.pool.query(
      `SELECT setval(pg_get_serial_sequence('events', 'seq'), nextval(pg_get_serial_sequence('events', 'seq')) + 150000)`,
    );
    await new ApiClient(server.url, account.key).setStatus({
      thread_id: thread,
      status_id: account.stages[0],
    });
    expect(await says('very many holes', 5_000)).not.toHaveProperty('request_id');
  });

  it('tells once that the keys behind them cannot be checked, and that they are again, and no check overtakes another', async () => {
    const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM api_keys');
    proxy.swallow();
    await says('open boards could not be checked', 20_000);
    // The next one may begin in the moment in which the first one is given up.
    expect(proxy.timesSwallowed(`{"${rows[0]?.id}"}`)).toBeLessThanOrEqual(2);
    proxy.letThrough();
    await says('open boards are checked again', 20_000);
    expect(linesThatSay('open boards could not be checked')).toHaveLength(1);
    expect(board.disconnectedBecause).toBeNull();
  });
});
