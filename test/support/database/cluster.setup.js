const { chmodSync, existsSync, mkdirSync } = require('node:fs');
const { dirname, join } = require('node:path');

const {
  startEmbeddedPostgres,
} = require('../../../dist/apps/demo/src/embedded-postgres/embedded-postgres-launcher');
const { bringSchemaUpToDate } = require('../../../dist/libs/domain/src/schema/schema.service');
const { Client, escapeIdentifier, escapeLiteral } = require('pg');
const { memoryFolder } = require('../programs/memory.folder');
const { RunFolder } = require('../programs/run.folder');
const { bundleServer, compileFaultyServer, compileServer } = require('../programs/server.bundle');

/** PostgreSQL 15 is the minimum: where Debian's is installed, `npm run test:all` holds the concurrency promises on it too. */
const POSTGRES_15 = '/usr/lib/postgresql/15';

async function startCluster(folder, name, binaries) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const cluster = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    binaries,
    privateCopy: join(dataDir, 'private-copy'),
  });
  await bringSchemaUpToDate(cluster.url);
  const admin = new Client({ connectionString: cluster.adminUrl('postgres') });
  await admin.connect();
  await admin.query('ALTER DATABASE leadline IS_TEMPLATE true');
  await makeConnectingCheap(admin, cluster.url);
  await admin.end();
  return { name, url: cluster.url, binaries };
}

/**
 * A password is proven by 4,096 rounds at either end, 5,000 times in a run. One round is enough for tests. PostgreSQL 15
 * knows no other number.
 */
async function makeConnectingCheap(admin, url) {
  const { username, password } = new URL(url);
  const { rows } = await admin.query(
    `SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'`,
  );
  if (rows.length > 0)
    await admin.query(
      `ALTER ROLE ${escapeIdentifier(username)} PASSWORD ${escapeLiteral(decodeURIComponent(password))}`,
    );
}

/**
 * What servers are started from: the build, but of a run of all files a bundle of it. A run within a run has the outer
 * one's.
 */
async function prepareServer(folder, { nonFlagArgs }) {
  if (process.env.LEADLINE_TEST_SERVER) return;
  await compileFaultyServer();
  const compiled = compileServer();
  if (nonFlagArgs.length === 0) process.env.LEADLINE_TEST_SERVER = await bundleServer(folder);
  await compiled;
}

/** One server starts, takes a few calls and ends by itself: all others begin with what V8 compiled for it. */
async function warmServer() {
  const main = process.env.LEADLINE_TEST_SERVER;
  if (!main || existsSync(join(dirname(main), 'bundle.compiled'))) return;
  const { createDatabase } = require('./test.database');
  const { startServer } = require('../programs/server.process');
  const database = await createDatabase();
  try {
    const server = await startServer(database.url, { KEEP_COMPILED: '1' }, main);
    for (const path of ['/health/ready', '/api/v1/auth/me', '/api/v1/leads/get-lead', '/'])
      await (await fetch(server.url + path)).text();
    await server.stop();
  } finally {
    await database.drop();
  }
}

/** One throwaway cluster a run for each version at hand, with one migrated template; each test file copies it. */
module.exports = async function setUp(globalConfig) {
  globalThis.leadlineRunFolder = RunFolder.open('leadline-test-', memoryFolder());
  const folder = globalThis.leadlineRunFolder.path;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const prepared = prepareServer(folder, globalConfig);
  // It is awaited when the clusters are there: should both fail, the first fault is told.
  prepared.catch(() => undefined);
  const clusters = [await startCluster(folder, '18')];
  if (process.env.LEADLINE_LONG && existsSync(`${POSTGRES_15}/bin/postgres`))
    clusters.push(await startCluster(folder, '15', POSTGRES_15));
  await prepared;
  process.env.LEADLINE_TEST_CLUSTERS = JSON.stringify(clusters);
  await warmServer();
};
