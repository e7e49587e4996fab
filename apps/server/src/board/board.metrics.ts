import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../metrics/metrics-registry';
import { BoardGateway } from './board.gateway';

/** What this process measures of its boards' connections. */
@Injectable()
export class BoardMetrics {
  constructor({ registry }: Metrics, gateway: BoardGateway) {
    new Gauge({
      name: 'leadline_board_sockets',
      help: 'Connections of boards that are open on this process',
      registers: [registry],
      collect() {
        this.set(gateway.openSockets);
      },
    });
  }
}
