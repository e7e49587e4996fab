const { mkdtempSync, existsSync, chmodSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const {
  startEmbeddedPostgres,
} = require('../../dist/apps/demo/src/embedded-postgres/embedded-postgres.launcher');
const { migrate } = require('../../dist/libs/persistence/src/database/migration.runner');
const { Client } = require('pg');

/** PostgreSQL 15 is the minimum: where Debian's is installed, the concurrency promises are held on it too. */
const POSTGRES_15 = '/usr/lib/postgresql/15';

async function startCluster(name, binaries) {
  const dataDir = mkdtempSync(join(tmpdir(), `leadline-test-${name}-`));
  chmodSync(dataDir, 0o755);
  const cluster = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    binaries,
    shelter: join(dataDir, 'shelter'),
  });
  await migrate(cluster.url);
  const admin = new Client({ connectionString: cluster.adminUrl('postgres') });
  await admin.connect();
  await admin.query('ALTER DATABASE leadline IS_TEMPLATE true');
  await admin.end();
  return { name, dataDir, url: cluster.url, stop: () => cluster.stop() };
}

/** One throwaway cluster a run for each version at hand, with one migrated template; each test file copies it. */
module.exports = async function setUp() {
  const clusters = [await startCluster('18')];
  if (existsSync(`${POSTGRES_15}/bin/postgres`)) clusters.push(await startCluster('15', POSTGRES_15));
  globalThis.leadlineClusters = clusters;
  process.env.LEADLINE_TEST_CLUSTERS = JSON.stringify(clusters.map(({ name, url }) => ({ name, url })));
};
