/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** One measure of both servers, a value each round. */
export interface Comparison {
  measure: string;
  unit: string;
  service: number[];
  floor: number[];
  /** The ratio to reach. */
  goal?: { least: number } | { most: number };
}

function ratios({ service, floor }: Comparison): number[] {
  return service.map((value, round) => value / (floor[round] ?? NaN));
}

export function isReached(comparison: Comparison): boolean | null {
  const { goal } = comparison;
  if (!goal) return null;
  const ratio = median(ratios(comparison));
  return 'least' in goal ? ratio >= goal.least : ratio <= goal.most;
}

/** What is of one of them alone has no ratio. */
const number = (value: number): string =>
  !Number.isFinite(value) ? '-' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

function row(comparison: Comparison): string[] {
  const each = ratios(comparison);
  const spread = `${number(Math.min(...each))}–${number(Math.max(...each))}`;
  const { goal } = comparison;
  const wanted = goal ? ('least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`) : '';
  const reached = { true: 'reached', false: 'MISSED', null: '' }[String(isReached(comparison))] ?? '';
  return [
    comparison.measure,
    comparison.unit,
    number(median(comparison.service)),
    number(median(comparison.floor)),
    number(median(each)),
    spread,
    wanted,
    reached,
  ];
}

/** The comparisons as a table: medians over the rounds, and the ratio of each round with its spread. */
export function tableOf(comparisons: readonly Comparison[], beside = 'floor'): string {
  const head = ['measure', 'unit', 'service', beside, 'ratio', 'min–max', 'goal', ''];
  const rows = [head, ...comparisons.map(row)];
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

/** Prints one figure, and whether it is within its goal. */
export function report(name: string, unit: string, value: number, most: number): void {
  const verdict = value <= most ? 'reached' : 'MISSED';
  console.log(`${name}: ${value.toFixed(1)} ${unit} (goal ≤ ${most}: ${verdict})`);
}

/** {@link report}, of what is to be large. */
export function reportLeast(name: string, unit: string, value: number, least: number): void {
  const verdict = value >= least ? 'reached' : 'MISSED';
  console.log(`${name}: ${value.toFixed(1)} ${unit} (goal ≥ ${least}: ${verdict})`);
}
