import { WorkCounts } from '@app/domain/work/work.counts';
import { WorkBacklogs } from '@app/domain/work/work.backlogs';
import { WorkNotifier } from '@app/domain/work/work.notifier';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Metrics } from '../metrics/metrics.registry';

/** What this process measures of its due work. */
@Injectable()
export class WorkMetrics {
  constructor({ registry }: Metrics, counts: WorkCounts, notifier: WorkNotifier, backlogs: WorkBacklogs) {
    const registers = [registry];
    measureBacklogs(registers, backlogs);
    new Counter({
      name: 'leadline_work_total',
      help: 'Due work that this process has run, by kind and outcome',
      labelNames: ['work', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [work, { done, failed }] of counts.all()) {
          this.labels(work, 'done').inc(done);
          this.labels(work, 'failed').inc(failed);
        }
      },
    });
    new Gauge({
      name: 'leadline_work_in_flight',
      help: 'Due work that this process has in hand, by kind',
      labelNames: ['work'],
      registers,
      collect() {
        for (const [work, { inFlight }] of counts.all()) this.labels(work).set(inFlight);
      },
    });
    new Counter({
      name: 'leadline_notification_errors_total',
      help: 'Losses of the connection by which processes notify one another',
      registers,
      collect() {
        this.reset();
        this.inc(notifier.errors);
      },
    });
  }
}

/** Read at each scrape. They are left out while the database is away: all other metrics are told then, too. */
function measureBacklogs(registers: Registry[], backlogs: WorkBacklogs): void {
  const labelNames = ['work'];
  const about = { labelNames, registers };
  const oldest = new Gauge({
    ...about,
    name: 'leadline_work_oldest_due_seconds',
    help: 'For how long the oldest due work of all processes has been due, by kind',
  });
  new Gauge({
    ...about,
    name: 'leadline_work_due',
    help: 'Due work of all processes that none has in hand, by kind',
    async collect() {
      this.reset();
      oldest.reset();
      for (const { name, due, oldest_due_seconds: seconds } of await backlogs.all().catch(() => [])) {
        this.labels(name).set(due);
        oldest.labels(name).set(seconds ?? 0);
      }
    },
  });
}
