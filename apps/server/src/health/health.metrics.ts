import { HealthService } from '@app/domain/health/health.service';
import { BoardFeed } from '@app/domain/board/board-feed.service';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../metrics/metrics-registry';

/** What this process measures of its connections to the database and of the log that it follows. */
@Injectable()
export class HealthMetrics {
  constructor({ registry }: Metrics, health: HealthService, feed: BoardFeed) {
    const registers = [registry];
    new Gauge({
      name: 'leadline_pool_connections',
      help: 'Connections to the database, by pool and state',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const { name, used, idle } of health.pools()) {
          this.labels(name, 'used').set(used);
          this.labels(name, 'idle').set(idle);
        }
      },
    });
    new Gauge({
      name: 'leadline_pool_waiting',
      help: 'Statements that wait for a connection, by pool',
      labelNames: ['pool'],
      registers,
      collect() {
        for (const { name, waiting } of health.pools()) this.labels(name).set(waiting);
      },
    });
    new Gauge({
      name: 'leadline_slots_waiting',
      help: 'Statements of accounts that wait for a slot',
      registers,
      collect() {
        this.set(health.waitingForSlot);
      },
    });
    new Gauge({
      name: 'leadline_feed_behind',
      help: '1 while the boards of this process cannot read the event log',
      registers,
      collect() {
        this.set(feed.healthy ? 0 : 1);
      },
    });
  }
}
