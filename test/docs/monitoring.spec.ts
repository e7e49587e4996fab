import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoardFeed } from '@app/domain/board/board-feed.service';
import { MESSAGE_STATUSES } from '@app/contracts/message.words';
import { ENDPOINT_STATES } from '@app/contracts/webhook.words';
import { WORK_NAMES } from '@app/domain/work/worker';
import { parse } from 'yaml';
import { Metrics } from '../../apps/server/src/metrics/metrics-registry';
import { readExpression, type ReadExpression } from './promql.expressions';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string }[];
}

interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
}

const FOLDER = 'docs/running';
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

const { groups } = parse(read('prometheus-alerts.yml')) as { groups: { rules: Rule[] }[] };
const RULES = groups.flatMap(({ rules }) => rules);
const DASHBOARD = JSON.parse(read('grafana-dashboard.json')) as {
  panels: Panel[];
  templating: { list: Variable[] };
};
const PAGE = read('monitoring.md');

const ALERTED = RULES.map(({ alert, expr }): [string, string] => [alert, expr]);
const SHOWN = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);

/** What Prometheus adds to every series that it scrapes. */
const OF_PROMETHEUS = ['job', 'instance'];
/** A series of Prometheus itself: whether a process answered. */
const ITS_OWN = 'up';

/** Values of labels that are words of ours. An expression with another one is always empty. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'leadline_work_oldest_due_seconds work': WORK_NAMES,
  'leadline_work_total work': WORK_NAMES,
  'leadline_work_total outcome': ['done', 'failed'],
  'leadline_messages_total status': [...MESSAGE_STATUSES, 'dropped'],
  'leadline_replies_total end': ['answered', 'discarded', 'failed', 'put_off'],
  'leadline_model_requests_total outcome': ['replied', 'aborted', 'failed'],
  'leadline_webhook_endpoints state': ENDPOINT_STATES,
  'leadline_pool_connections state': ['used', 'idle'],
};

/** Answers to anything that is asked while a metric is declared. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.iterator ? [][Symbol.iterator].bind([]) : anything),
  set: () => true,
});

type MetricsClass = new (metrics: Metrics, ...others: unknown[]) => object;

const metrics = new Metrics(anything as BoardFeed);
afterAll(() => metrics.onApplicationShutdown());
for (const file of globSync('apps/server/src/**/*.metrics.ts')) {
  const declared = jest.requireActual<Record<string, MetricsClass>>(join(process.cwd(), file));
  for (const Declared of Object.values(declared)) new Declared(metrics, ...Array<unknown>(8).fill(anything));
}

/** Each series that a process exposes, with its labels. */
const EXPOSED = new Map(
  metrics.registry.getMetricsAsArray().flatMap((metric): [string, Set<string>][] => {
    const { name, type, labelNames = [] } = metric as typeof metric & { labelNames?: string[] };
    const labels = [...labelNames, ...OF_PROMETHEUS];
    if ((type as unknown) !== 'histogram') return [[name, new Set(labels)]];
    return [
      [`${name}_bucket`, new Set([...labels, 'le'])],
      ...['sum', 'count'].map((part): [string, Set<string>] => [`${name}_${part}`, new Set(labels)]),
    ];
  }),
);

/** What an expression asks for that no process exposes. */
function unknownIn({ series, groupedBy }: ReadExpression): string[] {
  const labels = series.map(({ name }) => (name === ITS_OWN ? new Set(OF_PROMETHEUS) : EXPOSED.get(name)));
  return [
    ...series.filter((_, n) => !labels[n]).map(({ name }) => name),
    ...series.flatMap(({ name, matchers }, n) =>
      matchers.flatMap(({ label, op, value }) => {
        if (!labels[n]?.has(label)) return [`${name}{${label}}`];
        const words = WORDS[`${name} ${label}`];
        const given = op.includes('~') ? value.split('|') : [value];
        return words
          ? given.filter((word) => !words.includes(word)).map((word) => `${name}{${label}="${word}"}`)
          : [];
      }),
    ),
    ...groupedBy
      .filter((label) => !labels.some((known) => known?.has(label)))
      .map((label) => `by (${label})`),
  ];
}

describe('the dashboard and the alerts', () => {
  it('take their metrics from what the server declares', () => {
    expect(EXPOSED.size).toBeGreaterThan(40);
    expect(EXPOSED.get('leadline_http_request_duration_seconds_bucket')).toContain('route');
  });

  it.each([...ALERTED, ...SHOWN])('%s reads series, labels and words that there are: %s', (_, expr) => {
    expect(unknownIn(readExpression(expr))).toEqual([]);
  });

  it('show or watch every metric of ours', () => {
    const read = [...ALERTED, ...SHOWN].flatMap(([, expr]) => readExpression(expr).series);
    const used = new Set(read.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    const ours = metrics.registry.getMetricsAsArray().map(({ name }) => name);
    expect(ours.filter((name) => name.startsWith('leadline_') && !used.has(name))).toEqual([]);
  });

  it('choose installation and process by a series that there is', () => {
    const queries = DASHBOARD.templating.list.flatMap(({ query }) =>
      typeof query === 'string' ? [] : [query.query],
    );
    expect(queries.length).toBe(2);
    for (const query of queries) {
      const [, selector = ''] = /^label_values\((.+), \w+\)$/.exec(query) ?? [];
      expect(unknownIn(readExpression(selector))).toEqual([]);
    }
  });

  it('are refused with a metric, a label or a word that there is not, and where they are no expressions', () => {
    const wrong = [
      'rate(leadline_gone_total[5m])',
      'leadline_work_due{kind="replies"}',
      'sum by (route) (leadline_work_due)',
      'leadline_work_oldest_due_seconds{work="reply"}',
    ];
    expect(wrong.map((expr) => unknownIn(readExpression(expr)))).toEqual([
      ...[['leadline_gone_total'], ['leadline_work_due{kind}'], ['by (route)']],
      ['leadline_work_oldest_due_seconds{work="reply"}'],
    ]);
    expect(() => readExpression('sum(rate(leadline_work_due[5m])')).toThrow('no expression');
  });
});

describe('the page about monitoring', () => {
  it('has every metric of ours, and no other', () => {
    const ours = metrics.registry
      .getMetricsAsArray()
      .flatMap(({ name }) => (name.startsWith('leadline_') ? [name] : []));
    const [, table = ''] = /## Metrics\n([\s\S]*?)\n## /.exec(PAGE) ?? [];
    const told = [...table.matchAll(/`(leadline_\w+)/g)].map(([, name]) => name);
    expect([...new Set(told)].sort()).toEqual(ours.sort());
  });

  it('says of every alert what to do, in their order', () => {
    const told = [...PAGE.matchAll(/^\| `(Leadline\w+)` \|/gm)].map(([, name]) => name);
    expect(told).toEqual(RULES.map(({ alert }) => alert));
  });

  it('has an example for Prometheus with the path, the rules and the job that the alerts name', () => {
    const { scrape_configs: jobs, rule_files: files } = parse(read('prometheus.yml')) as {
      scrape_configs: { job_name: string; metrics_path: string }[];
      rule_files: string[];
    };
    expect(jobs).toMatchObject([{ job_name: 'leadline', metrics_path: '/metrics' }]);
    expect(files).toEqual(['prometheus-alerts.yml']);
    const asked = ALERTED.flatMap(([, expr]) =>
      readExpression(expr).series.flatMap(({ matchers }) => matchers),
    );
    expect(new Set(asked.flatMap(({ label, value }) => (label === 'job' ? [value] : [])))).toEqual(
      new Set(['leadline']),
    );
  });

  it('every alert has a severity and a summary', () => {
    for (const { labels, annotations } of RULES) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });
});
