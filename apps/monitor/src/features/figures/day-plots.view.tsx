import type { DayFiguresAnswer, FunnelFiguresAnswer } from '@app/client/api-types';
import { wholeNumber } from '../../shared/format/number.format';
import { dayName } from '../../shared/format/time.format';
import { BarPlot, type BarSeries } from './bar-plot.view';
import { figuresWords } from './figures.words';
import { Plot, type PlotColumn, boardLink } from './plot.view';

const SPEAKERS = ['ai', 'operator', 'system'] as const;
const COLORS = { ai: 'var(--ll-accent)', operator: 'var(--ll-info)', system: 'var(--ll-strong-line)' };
/** Which dialogs a speaker conducts. */
const FILTERS: Record<(typeof SPEAKERS)[number], Record<string, string>> = {
  ai: { handler: 'AI' },
  operator: { handler: 'OPERATOR' },
  system: {},
};

const minutes = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round((seconds / 60) * 10) / 10;

/** The agent beside people, and how long customers waited for an answer, by day. */
export function DayPlots({ figures }: { figures: FunnelFiguresAnswer }) {
  const t = figuresWords.use();
  const { days, assistant_id } = figures;
  const keyOf = ({ date }: DayFiguresAnswer): string => date;
  const labelOf = ({ date }: DayFiguresAnswer): string => dayName(`${date}T00:00:00`);
  const day: PlotColumn<DayFiguresAnswer> = { name: t('day'), shown: labelOf, raw: ({ date }) => date };
  const series = (value: (row: DayFiguresAnswer, who: (typeof SPEAKERS)[number]) => number) =>
    SPEAKERS.map((who) => ({
      ...{ name: t(who), color: COLORS[who], filter: FILTERS[who] },
      value: (row: DayFiguresAnswer) => value(row, who),
    }));
  const linkOf = (_row: DayFiguresAnswer, of: BarSeries<DayFiguresAnswer>): string =>
    boardLink(assistant_id, of.filter);
  return (
    <>
      <Plot
        title={t('speakers')}
        hint={t('speakersHint')}
        fileName="messages-by-day"
        rows={days}
        keyOf={keyOf}
        columns={[
          day,
          ...SPEAKERS.map((who) => ({
            name: t(who),
            shown: ({ messages }: DayFiguresAnswer) => wholeNumber(messages[who]),
            raw: ({ messages }: DayFiguresAnswer) => messages[who],
          })),
        ]}
      >
        <BarPlot
          rows={days}
          isEmpty={days.every(({ messages }) => SPEAKERS.every((who) => messages[who] === 0))}
          labelOf={labelOf}
          isStacked
          format={wholeNumber}
          linkOf={linkOf}
          series={series(({ messages }, who) => messages[who])}
        />
      </Plot>
      <Plot
        title={t('answers')}
        hint={t('answersHint')}
        fileName="first-answers-by-day"
        rows={days}
        keyOf={keyOf}
        columns={[
          day,
          {
            name: t('answersTotal'),
            shown: ({ first_answers }) => wholeNumber(first_answers.answers),
            raw: ({ first_answers }) => first_answers.answers,
          },
          ...SPEAKERS.map((who) => ({
            name: `${t(who)}, ${t('minutes')}`,
            shown: ({ first_answers }: DayFiguresAnswer) => {
              const median = minutes(first_answers[who].median_seconds);
              return median === null ? '–' : wholeNumber(median);
            },
            raw: ({ first_answers }: DayFiguresAnswer) => minutes(first_answers[who].median_seconds),
          })),
        ]}
      >
        <BarPlot
          rows={days}
          isEmpty={days.every(({ first_answers }) => first_answers.answers === 0)}
          labelOf={labelOf}
          format={(value) => `${wholeNumber(value)} ${t('minutes')}`}
          linkOf={linkOf}
          series={series(({ first_answers }, who) => minutes(first_answers[who].median_seconds) ?? 0)}
        />
      </Plot>
    </>
  );
}
