import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
  type XAxisProps,
  type YAxisProps,
} from 'recharts';
import { EmptyState } from '../../shared/ui/states.view';
import { figuresWords } from './figures.words';
import classes from './figures.module.css';

/** One kind of bars, side by side or on top of each other. */
export interface BarSeries<Row> {
  name: string;
  color: string;
  value: (row: Row) => number;
  /** Of the board that its bars lead to. */
  filter?: Record<string, string>;
}

interface Props<Row> {
  rows: readonly Row[];
  labelOf: (row: Row) => string;
  series: readonly BarSeries<Row>[];
  isStacked?: boolean;
  /** Of a number, with its unit. */
  format: (value: number) => string;
  /** The board of those whom a bar counts. */
  linkOf: (row: Row, series: BarSeries<Row>) => string;
  /** Each row has a name that the others do not tell, such as that of a stage; days have an order. */
  areNamed?: boolean;
  /** Nothing is counted; by default, where there are no rows. */
  isEmpty?: boolean;
}

interface ShapeProps {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  index?: number;
}

/** Bars, each of which leads to the board of those whom it counts. */
export function BarPlot<Row>({
  rows,
  labelOf,
  series,
  isStacked = false,
  format,
  linkOf,
  areNamed = false,
  isEmpty = rows.length === 0,
}: Props<Row>) {
  const t = figuresWords.use();
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 599px)', false, { getInitialValueInEffect: false });
  // Names have no room below the bars there, so the bars lie, each beside its name.
  const doLie = areNamed && isNarrow;
  const longest = Math.max(0, ...rows.map((row) => labelOf(row).length));
  const areShort = longest * rows.length <= LEVEL_CHARACTERS;
  const data = rows.map((row) => ({
    label: labelOf(row),
    ...Object.fromEntries(series.map((each, index) => [`s${index}`, each.value(row)])),
  }));
  const go = (href: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ href });
  };
  const shapeOf = (each: BarSeries<Row>) => (given: unknown) => {
    const { x = 0, y = 0, width = 0, height = 0, index = 0 } = given as ShapeProps;
    const row = rows[index];
    if (row === undefined || (doLie ? width : height) <= 0) return <g />;
    const href = linkOf(row, each);
    const name = `${labelOf(row)}, ${each.name}`;
    return (
      <a
        href={href}
        onClick={go(href)}
        aria-label={t('openOnBoard', { name, value: format(each.value(row)) })}
      >
        <rect x={x} y={y} width={Math.max(width, 1)} height={Math.max(height, 1)} fill={each.color} rx={2} />
      </a>
    );
  };
  if (isEmpty) return <EmptyState title={t('noFigures')} />;
  return (
    <div className={classes.plot}>
      <ul className={classes.legend}>
        {series.length > 1 &&
          series.map(({ name, color }) => (
            <li key={name}>
              <svg width={10} height={10} aria-hidden>
                <rect width={10} height={10} rx={2} fill={color} />
              </svg>
              {name}
            </li>
          ))}
      </ul>
      <ResponsiveContainer width="100%" height={doLie ? LYING_PX * rows.length + 40 : 272}>
        <BarChart
          data={data}
          layout={doLie ? 'vertical' : 'horizontal'}
          accessibilityLayer={false}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          maxBarSize={48}
        >
          <CartesianGrid vertical={doLie} horizontal={!doLie} stroke="var(--ll-line)" />
          <XAxis {...AXIS} {...(doLie ? NUMBERS : !areNamed ? DAYS : areShort ? LEVEL : SLANTED)} />
          <YAxis {...AXIS} {...(doLie ? BESIDE : { ...NUMBERS, width: 48 })} />
          <Tooltip
            cursor={{ fill: 'var(--ll-accent-soft)' }}
            contentStyle={{ background: 'var(--ll-raised)', border: '1px solid var(--ll-line)' }}
            formatter={(value) => format(Number(value))}
            isAnimationActive={false}
          />
          {series.map((each, index) => (
            <Bar
              key={each.name}
              dataKey={`s${index}`}
              name={each.name}
              fill={each.color}
              stackId={isStacked ? 'all' : undefined}
              isAnimationActive={false}
              shape={shapeOf(each)}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

/** The height of a row of bars that lie. */
const LYING_PX = 32;

const AXIS = {
  tick: { fontSize: 12, fill: 'var(--mantine-color-dimmed)' },
  stroke: 'var(--ll-strong-line)',
};

const NUMBERS = { type: 'number', allowDecimals: false } as const;
const DAYS = { dataKey: 'label', interval: 'preserveStartEnd' } as const;

/** Every name is there, short enough for its place; the mark and the table have the whole of it. */
const NAMES = {
  type: 'category',
  dataKey: 'label',
  interval: 0,
} as const;
/** What stands behind a dot tells names apart that begin alike, such as the language of a template. */
function shortName(name: string, roomOf: (end: string) => number): string {
  const [first = '', ...further] = name.split(' · ');
  const end = further.map((part) => ` · ${part}`).join('');
  const room = roomOf(end);
  return first.length > room ? `${first.slice(0, room - 1)}…${end}` : name;
}

/** So many characters have room side by side. */
const LEVEL_CHARACTERS = 56;
const SLANTED: XAxisProps = {
  ...NAMES,
  angle: -35,
  textAnchor: 'end',
  height: 88,
  tickFormatter: (name: string) => shortName(name, (end) => Math.max(4, 14 - end.length)),
};
const LEVEL: XAxisProps = { ...NAMES, height: 48 };
/** The end goes to a line of its own. */
const BESIDE: YAxisProps = {
  ...NAMES,
  width: 124,
  tickFormatter: (name: string) => shortName(name, () => 16),
};
