import type { JobKind } from '@app/domain/jobs/job.queue';
import { PgBossQueue } from '@app/integrations/queue/pg-boss.queue';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../health/metrics.registry';

/** What this process measures of its background work. */
@Injectable()
export class JobMetrics {
  private readonly jobs: Counter;

  constructor({ registry }: Metrics, queue: PgBossQueue) {
    this.jobs = new Counter({
      name: 'leadline_jobs_total',
      help: 'Jobs that this process has run, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    new Counter({
      name: 'leadline_queue_errors_total',
      help: 'Failures of the queue, such as rings that were lost while the database was away',
      registers: [registry],
      collect() {
        this.reset();
        this.inc(queue.errors);
      },
    });
  }

  jobDone(kind: JobKind, outcome: 'done' | 'failed'): void {
    this.jobs.labels(kind, outcome).inc();
  }
}
