import { ProviderClients } from '@app/integrations/http/provider-client';
import { MessageDispatcher } from '@app/domain/messages/dispatch/message-dispatcher.service';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from './metrics-registry';

const BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What this process measures of messengers' providers, and of the messages that it sends by them. */
@Injectable()
export class ProviderMetrics {
  constructor({ registry }: Metrics, clients: ProviderClients, dispatcher: MessageDispatcher) {
    const registers = [registry];
    const requests = new Histogram({
      name: 'leadline_provider_request_duration_seconds',
      help: 'Requests to providers, by provider and outcome',
      labelNames: ['provider', 'outcome'],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    for (const provider of ['cloud', 'gupshup'] as const)
      clients[provider].onAnswer = (answer, seconds) => {
        const outcome = answer.kind === 'answered' ? `${Math.floor(answer.status / 100)}xx` : answer.kind;
        requests.labels(provider, outcome).observe(seconds);
      };
    new Counter({
      name: 'leadline_messages_total',
      help: 'Messages of ours, by what their sending came to in this process',
      labelNames: ['status'],
      registers,
      collect() {
        this.reset();
        for (const [status, count] of Object.entries(dispatcher.outcomesKept)) this.labels(status).inc(count);
      },
    });
  }
}
