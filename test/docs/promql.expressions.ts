import { parser } from '@prometheus-io/lezer-promql';

/** A series that an expression reads: its name, and which labels it asks for by which values. */
export interface NamedSeries {
  name: string;
  matchers: { label: string; op: string; value: string }[];
}

export interface ReadExpression {
  series: NamedSeries[];
  /** Labels by which results are grouped, or sides joined. */
  groupedBy: string[];
}

/**
 * What an expression of Prometheus reads, by Prometheus' own grammar.
 * @throws where it is none
 */
export function readExpression(expression: string): ReadExpression {
  // Grafana fills in these; of any duration and of any text the grammar is the same.
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('[$__range]', '[1h]');
  const textOf = (node: { from: number; to: number }): string => text.slice(node.from, node.to);
  const series: NamedSeries[] = [];
  const groupedBy: string[] = [];
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no expression of Prometheus, at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') {
        const name = node.node.getChild('Identifier');
        if (!name) throw new Error(`a selector without the name of a metric: ${expression}`);
        const matchers = (node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map(
          (matcher) => {
            const [label, op, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) => {
              const found = matcher.getChild(part);
              return found ? textOf(found) : '';
            });
            return { label: label ?? '', op: op ?? '', value: (value ?? '').slice(1, -1) };
          },
        );
        series.push({ name: textOf(name), matchers });
      }
      if (node.name === 'GroupingLabels')
        groupedBy.push(...node.node.getChildren('LabelName').map((label) => textOf(label)));
    },
  });
  return { series, groupedBy };
}
