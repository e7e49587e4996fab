const { spawn } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { chmodSync, existsSync, mkdirSync, realpathSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const {
  startEmbeddedPostgres,
} = require('../../dist/apps/demo/src/embedded-postgres/embedded-postgres.launcher');
const { prepareDatabase } = require('../../dist/apps/server/src/database.preparation');
const { Client } = require('pg');

/** PostgreSQL 15 is the minimum: where Debian's is installed, the concurrency promises are held on it too. */
const POSTGRES_15 = '/usr/lib/postgresql/15';

/**
 * The folder of all temporary files of this run, which goes with its processes when the run ends, whatever ends it.
 * The watcher comes first: from then on nothing can be left behind.
 */
function openRunFolder() {
  const folder = join(realpathSync(tmpdir()), `leadline-test-${randomUUID()}`);
  const watcher = spawn(process.execPath, [join(__dirname, 'run.watcher.js'), folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A run that fails before its teardown must be able to end.
  watcher.unref();
  watcher.stdin.unref();
  mkdirSync(folder);
  // Open to all users, as the folder that it stands in for.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  globalThis.leadlineWatcher = watcher;
  return folder;
}

async function startCluster(folder, name, binaries) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const cluster = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    binaries,
    shelter: join(dataDir, 'shelter'),
  });
  await prepareDatabase(cluster.url);
  const admin = new Client({ connectionString: cluster.adminUrl('postgres') });
  await admin.connect();
  await admin.query('ALTER DATABASE leadline IS_TEMPLATE true');
  await admin.end();
  return { name, url: cluster.url };
}

/** One throwaway cluster a run for each version at hand, with one migrated template; each test file copies it. */
module.exports = async function setUp() {
  const folder = openRunFolder();
  const clusters = [await startCluster(folder, '18')];
  if (existsSync(`${POSTGRES_15}/bin/postgres`)) clusters.push(await startCluster(folder, '15', POSTGRES_15));
  process.env.LEADLINE_TEST_CLUSTERS = JSON.stringify(clusters);
};
