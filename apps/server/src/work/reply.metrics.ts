import { ReplyCounts } from '@app/domain/agent/reply.counts';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../metrics/metrics.registry';

/** What this process measures of replies. */
@Injectable()
export class ReplyMetrics {
  constructor({ registry }: Metrics, counts: ReplyCounts) {
    const registers = [registry];
    const each = (name: string, help: string, label: string, of: Readonly<Record<string, number>>): Counter =>
      new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset();
          for (const [value, count] of Object.entries(of)) this.inc({ [label]: value }, count);
        },
      });
    const total = (name: string, help: string, of: () => number): Counter =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(of());
        },
      });
    each('leadline_replies_total', 'Turns to reply, by how this process left them', 'end', counts.replies);
    each('leadline_model_requests_total', 'Requests to the model, by outcome', 'outcome', counts.requests);
    total('leadline_model_seconds_total', 'Time of all requests to the model', () => counts.requestSeconds);
    total('leadline_tool_calls_total', 'Calls of tools by models', () => counts.toolCalls);
  }
}
