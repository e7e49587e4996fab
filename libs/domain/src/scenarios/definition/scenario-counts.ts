import { Injectable } from '@nestjs/common';

/** So many of the newest steps tell how late steps are. */
const LATENESS_KEPT = 2_000;

/** What this process has done of scenarios, for metrics. */
@Injectable()
export class ScenarioCounts {
  /** Steps that ended, by kind and outcome. */
  readonly steps = new Map<string, { kind: string; outcome: string; count: number }>();
  private readonly lateness: number[] = [];
  private at = 0;

  /** @param lateMs how long after it was due the step ended or began */
  step(kind: string, outcome: string, lateMs: number): void {
    const key = `${kind}/${outcome}`;
    const counted = this.steps.get(key) ?? { kind, outcome, count: 0 };
    counted.count += 1;
    this.steps.set(key, counted);
    this.lateness[this.at] = lateMs;
    this.at = (this.at + 1) % LATENESS_KEPT;
  }

  /** How late the newest steps were, in seconds, by quantile; 0 where there was none. */
  lateSeconds(quantile: number): number {
    const sorted = this.lateness.toSorted((a, b) => a - b);
    return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0) / 1_000;
  }
}
