const { setTimeout: sleep } = require('node:timers/promises');
const { NestFactory } = require('@nestjs/core');
const { Module } = require('@nestjs/common');
const { Pool } = require('pg');
const { JobEdge } = require('../../dist/apps/server/src/jobs/job.edge');
const { JobsModule } = require('../../dist/apps/server/src/jobs/jobs.module');
const { MetricsToken } = require('../../dist/apps/server/src/health/metrics.controller');
const { WorkerNoticesModule } = require('../../dist/apps/server/src/jobs/worker-notices.module');
const { HealthModule } = require('../../dist/apps/server/src/health/health.module');
const { SettingsModule } = require('../../dist/apps/server/src/settings.module');
const { DomainModule } = require('../../dist/libs/domain/src/domain.module');
const { queueConnection } = require('../../dist/libs/domain/src/jobs/job.connections');
const { JobQueue } = require('../../dist/libs/domain/src/jobs/job.queue');
const { LeadsService } = require('../../dist/libs/domain/src/leads/leads.service');
const { QueueModule } = require('../../dist/libs/integrations/src/queue/queue.module');

/** The worker's composition around one edge whose work a test can see and hold: rows of `probe_work`. */
const { DATABASE_URL: databaseUrl, SWEEP_MS } = process.env;
const pool = new Pool({ connectionString: databaseUrl, max: 4, application_name: 'leadline probe' });
pool.on('error', () => undefined);
let app;

class ProbeEdge extends JobEdge {
  kind = 'send-lane';
  concurrency = 4;
  sweepEveryMs = Number(SWEEP_MS);

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
      await app.get(LeadsService).setStatus(by, request);
    }
    await pool.query('UPDATE probe_work SET done_by = $2 WHERE id = $1 AND done_by IS NULL', [
      id,
      process.pid,
    ]);
  }

  async sweep() {
    const { rows } = await pool.query('SELECT id FROM probe_work WHERE done_by IS NULL');
    for (const { id } of rows) app.get(JobQueue).ring(this.kind, id, { id });
  }
}

class Program {}
Module({
  imports: [
    SettingsModule.with([{ provide: MetricsToken, useValue: { value: process.env.METRICS_TOKEN } }]),
    DomainModule.forDatabase({ databaseUrl, rateLimits: { leads: 1, general: 1 } }),
    QueueModule.forDatabase({ connection: queueConnection(databaseUrl), works: true }),
    HealthModule,
    JobsModule.running([ProbeEdge]),
    WorkerNoticesModule,
  ],
})(Program);

void (async () => {
  app = await NestFactory.create(Program, { logger: ['warn', 'error'] });
  await app.listen(0, '127.0.0.1');
  process.on('SIGTERM', () => {
    void app.close().then(async () => {
      await pool.end();
      process.exit(0);
    });
  });
  console.log(`The probe listens on ${(await app.getUrl()).replace('[::1]', '127.0.0.1')}`);
})();
