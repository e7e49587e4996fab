const { execFile } = require('node:child_process');
const { chmodSync, existsSync, mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { promisify } = require('node:util');

const {
  startEmbeddedPostgres,
} = require('../../../dist/apps/demo/src/embedded-postgres/embedded-postgres.launcher');
const { bringSchemaUpToDate } = require('../../../dist/libs/domain/src/schema/schema.service');
const { Client } = require('pg');
const { RunFolder } = require('../programs/run.folder');

/** All that a server loads: at its start, and at the first use. */
const LOADED = [
  ...['bootstrap', 'process'].map((part) =>
    join(__dirname, `../../../dist/apps/server/src/server.${part}.js`),
  ),
  join(__dirname, '../../../dist/libs/config/src/settings.config.js'),
  ...['@ai-sdk/openai-compatible', '@nestjs/swagger', 'ai'].map((name) => require.resolve(name)),
];

/** PostgreSQL 15 is the minimum: where Debian's is installed, the concurrency promises are held on it too. */
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
  await admin.end();
  return { name, url: cluster.url, binaries };
}

/** One throwaway cluster a run for each version at hand, with one migrated template; each test file copies it. */
module.exports = async function setUp() {
  globalThis.leadlineRunFolder = RunFolder.open('leadline-test-');
  const folder = globalThis.leadlineRunFolder.path;
  // A server's start is mostly the reading of its modules. One process compiles them for all servers: Node keeps what it
  // compiled when it ends by itself, and most servers of tests are killed.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const compiled = promisify(execFile)(process.execPath, [
    ...['-e', 'for (const file of process.argv.slice(1)) require(file)'],
    ...LOADED,
  ]);
  const clusters = [await startCluster(folder, '18')];
  if (existsSync(`${POSTGRES_15}/bin/postgres`)) clusters.push(await startCluster(folder, '15', POSTGRES_15));
  await compiled;
  process.env.LEADLINE_TEST_CLUSTERS = JSON.stringify(clusters);
};
