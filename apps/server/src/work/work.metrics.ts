import { SendingHold } from '@app/domain/work/sending-hold.service';
import { WorkCounts, WorkBacklogs, type NamedBacklog } from '@app/domain/work/work-counts';
import { WorkNotifier } from '@app/domain/work/work-notifier';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Metrics } from '../metrics/metrics-registry';

/** What this process measures of its due work. */
@Injectable()
export class WorkMetrics {
  constructor(
    { registry }: Metrics,
    counts: WorkCounts,
    notifier: WorkNotifier,
    backlogs: WorkBacklogs,
    hold: SendingHold,
  ) {
    const registers = [registry];
    measureBacklogs(registers, backlogs);
    new Gauge({
      name: 'leadline_sending_held',
      help: '1 while nothing goes out because the database was restored or went back, else 0',
      registers,
      collect() {
        this.set(hold.isHeld ? 1 : 0);
      },
    });
    new Counter({
      name: 'leadline_database_went_back_total',
      help: 'How often this process noticed that the database lacks what it had acknowledged',
      registers,
      collect() {
        this.reset();
        this.inc(hold.wentBack);
      },
    });
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

/**
 * Read at each scrape, once for both metrics. Scrapes at the same time share a read, so they take one connection at
 * most. While the database is away neither has a value, and all other metrics are still answered.
 */
function measureBacklogs(registers: Registry[], backlogs: WorkBacklogs): void {
  const about = { labelNames: ['work'], registers };
  let reading: Promise<NamedBacklog[]> | null = null;
  const read = (): Promise<NamedBacklog[]> =>
    (reading ??= backlogs
      .of(null)
      .catch(() => [])
      .finally(() => (reading = null)));
  new Gauge({
    ...about,
    name: 'leadline_work_oldest_due_seconds',
    help: 'For how long the oldest due work of all processes has been due, by kind',
    async collect() {
      const all = await read();
      this.reset();
      for (const { name, oldest_due_seconds: seconds } of all) this.labels(name).set(seconds ?? 0);
    },
  });
  new Gauge({
    ...about,
    name: 'leadline_work_due',
    help: 'Due work of all processes that none has in hand, by kind',
    async collect() {
      const all = await read();
      this.reset();
      for (const { name, due } of all) this.labels(name).set(due);
    },
  });
}
