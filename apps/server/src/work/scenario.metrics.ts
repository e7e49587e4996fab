import { ScenarioCounts } from '@app/domain/scenarios/definition/scenario-counts';
import { RunLists } from '@app/domain/scenarios/runs/run-lists.service';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../metrics/metrics-registry';

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
