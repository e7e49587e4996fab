import { ENDPOINT_STATES } from '@app/contracts/webhook.words';
import { ReplyCounts } from '@app/domain/agent/reply-run';
import { ScenarioCounts } from '@app/domain/scenarios/definition/scenario-counts';
import { RunLists } from '@app/domain/scenarios/runs/run-lists.service';
import { WebhookEndpoints } from '@app/domain/webhooks-out/endpoints/webhook-endpoints.service';
import { SendingHold } from '@app/domain/work/sending-hold.service';
import { WorkBacklogs, type NamedBacklog, WorkCounts } from '@app/domain/work/work-counts';
import { WorkNotifier } from '@app/domain/work/work-notifier';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry, Histogram } from 'prom-client';
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

const QUANTILES = [0.5, 0.99];

/** What this process measures of scenarios. The dialogs that it serves are its work in flight of that name. */
@Injectable()
export class ScenarioMetrics {
  constructor({ registry }: Metrics, counts: ScenarioCounts, runs: RunLists) {
    const registers = [registry];
    new Gauge({
      name: 'leadline_scenario_runs',
      help: 'Open runs of scenarios of all accounts, by state',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const { shown, runs: open } of await runs.countOpen()) this.labels(shown).set(open);
      },
    });
    new Counter({
      name: 'leadline_scenario_steps_total',
      help: 'Steps of scenarios that this process made, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const { kind, outcome, count } of counts.steps.values()) this.labels(kind, outcome).inc(count);
      },
    });
    new Gauge({
      name: 'leadline_scenario_lateness_seconds',
      help: 'How late the newest 2,000 steps of this process were, by quantile',
      labelNames: ['quantile'],
      registers,
      collect() {
        for (const quantile of QUANTILES) this.labels(String(quantile)).set(counts.lateSeconds(quantile));
      },
    });
  }
}
