import { ReplyCounts } from '@app/domain/agent/reply-run';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from '../metrics/metrics-registry';

const ANSWER_BUCKETS_SECONDS = [2.5, 5, 10, 15, 20, 30, 45, 60, 120, 300];

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
    const answers = new Histogram({
      name: 'leadline_reply_seconds',
      help: 'From when a reply was asked for, by a message or a call, until it was sent, its quiet time included',
      buckets: ANSWER_BUCKETS_SECONDS,
      registers,
    });
    counts.onAnswered = (seconds) => answers.observe(seconds);
    total('leadline_tool_calls_total', 'Calls of tools by models', () => counts.toolCalls);
  }
}
