import { request } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { holdPort } from '../../support/faults/held.port';
import { startServer } from '../../support/programs/server.process';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene({ ownServer: true });

const ready = () => request(`${scene.server.url}/health/ready`);

/** Gives the database a setting, which new sessions have, and ends those that are there. */
async function set(setting: string): Promise<void> {
  const { pool } = scene.database;
  const { rows } = await pool.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  // In one transaction, because the test's own sessions have it, too.
  await pool.query(
    `BEGIN; SET LOCAL transaction_read_only = off; ALTER DATABASE ${rows[0]?.name} ${setting}; COMMIT`,
  );
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'leadline%'
        AND application_name <> 'leadline test'`,
  );
}

/** The process has connections again, and has not renewed its heartbeat for longer than it may. */
async function isConnectedInVain(): Promise<boolean> {
  const { rows } = await scene.database.pool.query<{ is: boolean }>(
    `SELECT clock_timestamp() - max(h.at) > interval '2.5 s' AND EXISTS (
              SELECT 1 FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = 'leadline reserved') AS is
       FROM process_heartbeats h`,
  );
  return rows[0]?.is === true;
}

describe.each([
  ['may only be read', 'default_transaction_read_only', 'on'],
  // As where the disk is full: what is to be written to it is refused.
  ['cannot write to its disk', 'temp_file_limit', '0'],
])('a database that %s', (_, name, value) => {
  afterAll(() => set(`RESET ${name}`));

  it('is no database to serve with: the process is live and not ready, and is ready again by itself', async () => {
    await eventually(async () => (await ready()).status === 200, 10_000, 'it is not ready');
    await set(`SET ${name} = '${value}'`);
    await eventually(isConnectedInVain, 20_000, 'it does not notice');
    const refused = await ready();
    expect(refused.status).toBe(503);
    expect([refused.body.error.code, refused.headers.get('retry-after')]).toEqual(['UNAVAILABLE', '1']);
    expect((await request(`${scene.server.url}/health/live`)).status).toBe(200);
    await set(`RESET ${name}`);
    await eventually(async () => (await ready()).status === 200, 10_000, 'it is not ready again');
  });
});

// On a standby: failovers.e2e.spec.ts.
it('a process starts while the database has no room on its disk, serves 503 and waits', async () => {
  await set(`SET temp_file_limit = '0'`);
  const holder = await holdPort();
  holder.close();
  const starting = startServer(scene.database.url, { PORT: holder.port });
  const url = `http://127.0.0.1:${holder.port}`;
  const look = () => request(`${url}/health/ready`).catch(() => null);
  const refused = await eventually(look, 30_000, 'it does not listen');
  expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE']);
  expect((await request(`${url}/health/live`)).status).toBe(200);
  await set('RESET temp_file_limit');
  const started = await starting;
  expect(started.output()).toMatch(/^Leadline waits on port \d+: The database that DATABASE_URL names /m);
  expect((await request(`${started.url}/health/ready`)).status).toBe(200);
  await started.kill('SIGKILL');
});
