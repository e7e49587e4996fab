import { WorkCounts } from '@app/domain/work/work.counts';
import { WorkNotifier } from '@app/domain/work/work.notifier';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../health/metrics.registry';

/** What this process measures of its due work. */
@Injectable()
export class WorkMetrics {
  constructor({ registry }: Metrics, counts: WorkCounts, notifier: WorkNotifier) {
    const registers = [registry];
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
