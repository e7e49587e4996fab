import { ENDPOINT_STATES } from '@app/contracts/webhook.words';
import { WebhookEndpoints } from '@app/domain/webhooks-out/endpoints/webhook-endpoints.service';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../metrics/metrics-registry';

/** How the endpoints of webhooks fare, of all accounts. */
@Injectable()
export class EndpointMetrics {
  constructor({ registry }: Metrics, endpoints: WebhookEndpoints) {
    new Gauge({
      name: 'leadline_webhook_endpoints',
      help: 'Endpoints of webhooks of all accounts, by state',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const counts = await endpoints.countByState();
        this.reset();
        if (counts) for (const state of ENDPOINT_STATES) this.labels(state).set(counts.get(state) ?? 0);
      },
    });
  }
}
