import { Client } from 'pg';
import { addDialogs, rowsRead, TABLES_OF_DIALOGS } from '../../support/database/account.rows';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { setScenarioScene } from '../../support/scenes/scenario.scene';
import { newPhone } from '../../support/scenes/send.scene';

/** Of each account. */
const DIALOGS = 3_000;
const KNOWN_ACCOUNTS = 2;
/** More than all calls need of a table, and far fewer than the account has. */
const READ_MOST = 300;

/**
 * An account whose rows came after the last ANALYZE has one row for the planner. It then takes an index for its
 * account alone to be as good as the key.
 */
describe('calls for one dialog of an account that the statistics do not know', () => {
  const scene = setScenarioScene({ servers: 0 });
  let client: Client;

  beforeAll(async () => {
    const { pool, url } = scene.database;
    client = new Client({ connectionString: url });
    await client.connect();
    scene.whenClosed(() => client.end());
    for (const table of TABLES_OF_DIALOGS)
      await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    const known = Array.from({ length: KNOWN_ACCOUNTS }, () => AccountFixture.create(pool));
    await addDialogs(client, await Promise.all(known), DIALOGS);
    await client.query('ANALYZE');
    await addDialogs(client, [scene.account], DIALOGS);
    // What figures count in the background would be read at any time, or never.
    await client.query(`
      INSERT INTO figure_positions (account_id, assistant_id, seq)
      SELECT account_id, assistant_id, max(seq) FROM events GROUP BY account_id, assistant_id
      ON CONFLICT (account_id, assistant_id) DO UPDATE SET seq = excluded.seq`);
  });

  /** What a server reads of each table from its start to its end: its sessions count when they end. */
  const readBy = async (calls: () => Promise<void>): Promise<Record<string, number>> => {
    const before = await rowsRead(client);
    await scene.addServer();
    await calls();
    for (const server of scene.servers.splice(0)) await server.stop();
    const after = await rowsRead(client);
    return Object.fromEntries(
      TABLES_OF_DIALOGS.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]),
    );
  };

  const ok = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
    const { status, text } = await answer;
    if (status !== 200) throw new Error(`refused: ${text}`);
  };

  /** By its row in the queue, so that the test reads none of the tables. */
  const untilNoRun = (threadId: string): Promise<unknown> =>
    eventually(
      async () => {
        const queued = 'SELECT 1 FROM scenario_queues WHERE thread_id = $1';
        return (await client.query(queued, [uuidOf(threadId)])).rowCount === 0;
      },
      8_000,
      'the run did not end',
    );

  it('read few rows, not all of the account', async () => {
    const { account } = scene;
    const alone = await readBy(async () => undefined);
    const phone = newPhone();
    const threadId = await account.addThread({ phone });
    const withCalls = await readBy(async () => {
      const { api } = scene;
      await scene.scenario(1, [{ kind: 'send_text', text: 'Your order is ready' }]);
      await scene.write(phone);
      await ok(api.setStatus({ thread_id: threadId, status_id: scene.stage(1) }));
      const sent = (): Promise<boolean> => Promise.resolve(scene.provider.sendsTo(phone).length > 0);
      await eventually(sent, 8_000, 'nothing was sent');
      await untilNoRun(threadId);
      await ok(api.setStatus({ thread_id: threadId, status_id: scene.stage(2) }));
      await ok(api.setStatusBulk({ items: [{ thread_id: threadId, status_id: scene.stage(0) }] }));
      await ok(api.getLead(threadId));
      await ok(api.getHistory({ thread_id: threadId }));
      await ok(api.getMessages({ thread_id: threadId }));
      await ok(api.setAi(threadId, false));
      await ok(api.setAi(threadId, true));
      await ok(api.sendText(threadId, 'Good afternoon'));
      await ok(scene.send({ phone }));
    });
    const read = Object.fromEntries(
      TABLES_OF_DIALOGS.map((table) => [table, (withCalls[table] ?? 0) - (alone[table] ?? 0)]),
    );
    const excess = Object.entries(read).filter(([, rows]) => rows > READ_MOST);
    expect(Object.fromEntries(excess)).toEqual({});
  });
});
