const { setTimeout: sleep } = require('node:timers/promises');
const { Inject } = require('@nestjs/common');
const { Pool } = require('pg');
const { startServer } = require('../../../dist/apps/server/src/server.bootstrap');
const { loadSettings } = require('../../../dist/libs/config/src/settings.config');
const { LeadsService } = require('../../../dist/libs/domain/src/leads/leads.service');
const { Worker } = require('../../../dist/libs/domain/src/work/worker');

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4, application_name: 'probe' });
pool.on('error', () => undefined);

const LEASE_MS = Number(process.env.LEASE_MS);

/** Work that a test can see and hold: rows of `probe_work`, claimed by a lease with a token and renewed. */
class ProbeWorker extends Worker {
  name = 'send-queues';
  concurrency = 4;
  sweepEveryMs = Number(process.env.SWEEP_MS);

  constructor(leads) {
    super();
    Object.assign(this, { leads });
  }

  async findDue() {
    const { rows } = await pool.query(
      `SELECT account AS "accountId", id FROM probe_work
        WHERE done_by IS NULL AND coalesce(lease_until < clock_timestamp(), true) ORDER BY n`,
    );
    return rows;
  }

  async backlog() {
    return undefined;
  }

  async run({ id }, stopping) {
    if (id === 'faulty') throw new Error('this work cannot be done');
    const { rows } = await pool.query(
      `UPDATE probe_work SET token = gen_random_uuid(), lease_until = clock_timestamp() + $2 * interval '1 ms'
        WHERE id = $1 AND done_by IS NULL AND coalesce(lease_until < clock_timestamp(), true) RETURNING token, move`,
      [id, LEASE_MS],
    );
    await pool.query('INSERT INTO probe_runs (id, pid, claimed) VALUES ($1, $2, $3)', [
      id,
      process.pid,
      rows.length > 0,
    ]);
    if (rows.length > 0) await this.work(id, rows[0], stopping);
  }

  async work(id, { token, move }, stopping) {
    stopping.addEventListener('abort', () =>
      pool.query('UPDATE probe_work SET told = true WHERE id = $1', [id]),
    );
    const renew = `UPDATE probe_work SET lease_until = clock_timestamp() + $3 * interval '1 ms'
                    WHERE id = $1 AND token = $2 RETURNING held`;
    while ((await pool.query(renew, [id, token, LEASE_MS])).rows[0]?.held) await sleep(10);
    if (move) await this.leads.setStatus(move.by, move.request);
    await pool.query('UPDATE probe_work SET done_by = $3 WHERE id = $1 AND token = $2 AND done_by IS NULL', [
      id,
      token,
      process.pid,
    ]);
  }
}
Inject(LeadsService)(ProbeWorker, undefined, 0);

/** The server with this one worker in place of the features' own. */
void startServer(loadSettings(process.env), { workers: [ProbeWorker] }).then((server) => {
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  console.log(`The probe listens on ${server.url}`);
});
