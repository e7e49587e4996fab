import { dataSourceOptions } from '@app/persistence/database/data-source-options';
import { MIGRATION_SESSION } from '@app/persistence/database/migration-runner';
import type { Pool } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase } from '../../support/database/test.database';
import { IS_LONG, triesOf } from '../../support/long.mode';
import { Balancer } from '../../support/programs/balancer';
import { buildOf, hasHistoryOf } from '../../support/programs/former.build';
import { endAll, startServer } from '../../support/programs/server.process';
import { RestartLoad } from '../../support/scenes/restart.load';
import { setSendScene } from '../../support/scenes/send.scene';

/** The last commit before the baseline, whose schema is taken as it is. */
const FORMER = '73f8699c';
const DIALOGS = 20_000;
const RESTARTS = triesOf(1, 30);
const PROCESSES = IS_LONG ? 3 : 2;
/** Ten times as long as the balancer takes to ask again. */
const scene = setSendScene({ servers: PROCESSES, environment: { STOP_NOTICE_MS: '3000' } });
let balancer: Balancer;

beforeAll(async () => {
  balancer = await Balancer.start();
  for (const { url } of scene.servers) await balancer.add(url);
});

afterAll(() => balancer?.stop());

/** Stops the process that has served longest, then starts another in its place, as a service manager does. */
async function restartOne(): Promise<void> {
  const [oldest] = scene.servers;
  if (!oldest) throw new Error('no process');
  expect(await oldest.stop()).toBe(0);
  balancer.remove(oldest.url);
  scene.servers.shift();
  const { url } = await scene.addServer();
  await balancer.add(url);
}

it(`restarts of processes, one after the other under load, fail no call and lose no event (${RESTARTS} of ${PROCESSES})`, async () => {
  const { account, database, provider } = scene;
  provider.latencyMs = 20;
  const load = await RestartLoad.start(balancer.url, account);
  for (let restart = 0; restart < RESTARTS; restart++) {
    load.sendList();
    await restartOne();
    await load.untilMoved(10);
  }
  await load.expectWhole(database.pool, provider);
  const done = async (): Promise<number> => {
    const { rows } = await database.pool.query(
      `SELECT 1 FROM events WHERE account_id = $1 AND type = 'batch'`,
      [account.id],
    );
    return rows.length;
  };
  await eventually(
    async () => (await done()) >= RESTARTS,
    10_000,
    'it was not told of each list that it is done',
  );
  expect(await done()).toBe(RESTARTS);
});

/** Dialogs of another agent, each with messages in both directions. */
const FILL = `
  WITH given AS (
    SELECT $1::uuid AS account_id, $2::uuid AS assistant_id, $3::uuid AS bot_id, gen_random_uuid() AS id, n
      FROM generate_series(1, $4::int) n),
  dialogs AS (
    INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
    SELECT account_id, id, assistant_id, bot_id, 'waba_coexistence', id::text, '+79' || lpad(n::text, 9, '0') FROM given),
  opened AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT account_id, id, assistant_id, 1, 'opened', clock_timestamp(), '{"by": "USER", "actor": null}' FROM given)
  INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, status, inbound, recipient)
  SELECT account_id, gen_random_uuid(), id, bot_id, 'waba_coexistence', CASE WHEN m = 2 THEN 'SYSTEM' ELSE 'USER' END,
         'text ' || m, CASE WHEN m = 2 THEN 'read' ELSE 'received' END, m <> 2, CASE WHEN m = 2 THEN '+79' END
    FROM given CROSS JOIN generate_series(1, 3) m`;

const migrations = async (db: Pool): Promise<number> =>
  (await db.query('SELECT 1 FROM migrations')).rows.length;

/**
 * What a next version may bring: a column of a table that every call reads, and an index of it. Locks of several such tables
 * in one transaction would end in a deadlock with what serves.
 */
class NextVersion1900000000000 implements MigrationInterface {
  name = 'NextVersion1900000000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages ADD COLUMN next_fact text');
    await db.query('CREATE INDEX IF NOT EXISTS messages_next ON messages (account_id, next_fact, id)');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

async function migrateFurther(url: string): Promise<void> {
  const options = dataSourceOptions({ url, poolSize: 1, ...MIGRATION_SESSION });
  const source = new DataSource({ ...options, migrations: [NextVersion1900000000000] });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

/** Only in the long mode: building the former version takes half a minute of processor time. */
const inLongMode = IS_LONG ? describe : () => undefined;

inLongMode('an upgrade of a filled database from the version before', () => {
  const withHistory = hasHistoryOf(FORMER) ? it : it.skip;

  withHistory(
    'fails no call and loses nothing while that version serves, and while the schema changes (needs the history in git)',
    async () => {
      const former = buildOf(FORMER);
      const database = await createDatabase('18', { empty: true });
      const servers = [];
      const front = await Balancer.start();
      try {
        const old = await startServer(database.url, scene.provider.environment, former.main);
        servers.push(old);
        const account = await AccountFixture.create(database.pool);
        const assistantId = await account.addAssistant();
        const botId = await account.addBot(undefined, assistantId);
        await database.pool.query(FILL, [account.id, assistantId, botId, DIALOGS]);
        await front.add(old.url);
        const load = await RestartLoad.start(front.url, account);
        await load.untilMoved(50);
        load.sendList();
        const before = await migrations(database.pool);
        const now = await startServer(database.url, scene.provider.environment);
        servers.push(now);
        expect(await migrations(database.pool)).toBeGreaterThan(before);
        await load.untilMoved(50);
        // Both serve, and either sends what the other stored.
        await front.add(now.url);
        load.sendList();
        await load.untilMoved(100);
        await migrateFurther(database.url);
        await load.untilMoved(50);
        // Without a notice, so it is taken out before it is told to stop.
        front.remove(old.url);
        await load.untilMoved(20);
        expect(await old.stop()).toBe(0);
        load.sendList();
        await load.untilMoved(50);
        await load.expectWhole(database.pool, scene.provider);
        const { rows } = await database.pool.query(
          'SELECT count(*)::int AS n FROM threads WHERE account_id = $1 AND assistant_id = $2',
          [account.id, assistantId],
        );
        expect(rows).toEqual([{ n: DIALOGS }]);
      } finally {
        await front.stop();
        await endAll(servers);
        await database.drop();
        former.remove();
      }
    },
    600_000,
  );
});
