import { BoardFeed } from '@app/domain/board/board-feed.service';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { RequestMeter } from '../http/routes/request-trace';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The lag that is told contains it. The usual 10 ms take 0.7 % of a core, a third of what an idle process uses (measured). */
const LAG_MEASURED_EVERY_MS = 50;

/** What this process measures, in Prometheus' form. */
@Injectable()
export class Metrics implements RequestMeter, OnApplicationShutdown {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'leadline_http_request_duration_seconds',
    help: 'HTTP requests by operation and status',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [this.registry],
  });

  constructor(feed: BoardFeed) {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LAG_MEASURED_EVERY_MS });
    new Gauge({
      name: 'leadline_feed_open_gaps',
      help: 'Numbers of the event log that may still become visible',
      registers: [this.registry],
      collect() {
        this.set(feed.openGaps);
      },
    });
    new Gauge({
      name: 'leadline_feed_agents_watched',
      help: 'Agents with a board open on this process',
      registers: [this.registry],
      collect() {
        this.set(feed.agentsWatched);
      },
    });
  }

  requestDone(method: string, route: string, status: number, seconds: number): void {
    this.requests.labels(method, route, String(status)).observe(seconds);
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}
