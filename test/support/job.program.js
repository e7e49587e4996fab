const { setTimeout: sleep } = require('node:timers/promises');
const { Inject } = require('@nestjs/common');
const { Pool } = require('pg');
const { JobEdge } = require('../../dist/apps/server/src/jobs/job.edge');
const { startServer } = require('../../dist/apps/server/src/server.bootstrap');
const { loadSettings } = require('../../dist/libs/config/src/settings.config');
const { JobQueue } = require('../../dist/libs/domain/src/jobs/job.queue');
const { LeadsService } = require('../../dist/libs/domain/src/leads/leads.service');

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4, application_name: 'probe' });
pool.on('error', () => undefined);

/** Work that a test can see and hold: rows of `probe_work`. */
class ProbeEdge extends JobEdge {
  kind = 'send-lane';
  concurrency = 4;
  sweepEveryMs = Number(process.env.SWEEP_MS);

  constructor(queue, leads) {
    super();
    Object.assign(this, { queue, leads });
  }

  async handle({ id, move }, stopping) {
    if (id === 'faulty') throw new Error('this work cannot be done');
    stopping.addEventListener('abort', () =>
      pool.query('UPDATE probe_work SET told = true WHERE id = $1', [id]),
    );
    await pool.query('INSERT INTO probe_runs (id, pid) VALUES ($1, $2)', [id, process.pid]);
    while ((await pool.query('SELECT 1 FROM probe_work WHERE id = $1 AND held', [id])).rowCount > 0)
      await sleep(10);
    if (move) {
      const { by, request } = JSON.parse(move);
      await this.leads.setStatus(by, request);
    }
    await pool.query('UPDATE probe_work SET done_by = $2 WHERE id = $1 AND done_by IS NULL', [
      id,
      process.pid,
    ]);
  }

  async sweep() {
    const { rows } = await pool.query('SELECT id FROM probe_work WHERE done_by IS NULL');
    for (const { id } of rows) this.queue.ring(this.kind, id, { id });
  }
}
Inject(JobQueue)(ProbeEdge, undefined, 0);
Inject(LeadsService)(ProbeEdge, undefined, 1);

/** The server with this one edge in place of the features' own. */
void startServer(loadSettings(process.env), { edges: [ProbeEdge] }).then((server) => {
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  console.log(`The probe listens on ${server.url}`);
});
