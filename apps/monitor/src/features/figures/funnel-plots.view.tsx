import type { FunnelFiguresAnswer, StageFiguresAnswer } from '@app/client/api-types';
import { isolated } from '../../shared/format/direction.format';
import { percent, wholeNumber } from '../../shared/format/number.format';
import { BarPlot } from './bar-plot.view';
import { figuresWords } from './figures.words';
import { Plot, type PlotColumn, boardLink } from './plot.view';

const HOUR = 3_600;

const hours = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round((seconds / HOUR) * 100) / 100;

/** What a funnel let through, and how long leads stayed in its stages. */
export function FunnelPlots({ figures }: { figures: FunnelFiguresAnswer }) {
  const t = figuresWords.use();
  const { stages, assistant_id } = figures;
  const nameOf = ({ name, archived }: StageFiguresAnswer): string =>
    name === null ? t('noStage') : archived ? t('archived', { name: isolated(name) }) : name;
  const keyOf = ({ status_id }: StageFiguresAnswer): string => status_id ?? 'none';
  const linkOf = ({ status_id }: StageFiguresAnswer): string =>
    boardLink(assistant_id, { stage: status_id ?? 'none' });
  const stage: PlotColumn<StageFiguresAnswer> = { name: t('stage'), shown: nameOf };
  const whole = (
    name: string,
    value: (row: StageFiguresAnswer) => number,
  ): PlotColumn<StageFiguresAnswer> => ({
    name,
    shown: (row) => wholeNumber(value(row)),
    raw: value,
  });
  const inHours = (
    name: string,
    value: (row: StageFiguresAnswer) => number | null,
  ): PlotColumn<StageFiguresAnswer> => ({
    name: `${name}, ${t('hours')}`,
    shown: (row) => (value(row) === null ? '–' : wholeNumber(hours(value(row)) ?? 0)),
    raw: (row) => hours(value(row)),
  });
  const stayed = stages.filter(({ median_seconds }) => median_seconds !== null);
  return (
    <>
      <Plot
        title={t('funnel')}
        hint={t('funnelHint')}
        fileName="funnel"
        rows={stages}
        keyOf={keyOf}
        columns={[
          stage,
          whole(t('now'), ({ now }) => now),
          whole(t('leads'), ({ leads }) => leads),
          whole(t('converted'), ({ converted }) => converted),
          {
            name: t('conversion'),
            shown: ({ conversion }) => (conversion === null ? '–' : percent(conversion)),
            raw: ({ conversion }) => conversion,
          },
          whole(t('entered'), ({ entered }) => entered),
          whole(t('left'), ({ left }) => left),
        ]}
      >
        <BarPlot
          rows={stages}
          areNamed
          isEmpty={stages.every(({ leads }) => leads === 0)}
          labelOf={nameOf}
          format={wholeNumber}
          linkOf={linkOf}
          series={[
            { name: t('leads'), color: 'var(--ll-accent)', value: ({ leads }) => leads },
            { name: t('converted'), color: 'var(--ll-info)', value: ({ converted }) => converted },
          ]}
        />
      </Plot>
      <Plot
        title={t('timeInStage')}
        hint={t('timeHint')}
        fileName="time-in-stage"
        rows={stayed}
        keyOf={keyOf}
        columns={[
          stage,
          inHours(t('median'), ({ median_seconds }) => median_seconds),
          inHours(t('p90'), ({ p90_seconds }) => p90_seconds),
        ]}
      >
        <BarPlot
          rows={stayed}
          areNamed
          labelOf={nameOf}
          format={(value) => `${wholeNumber(value)} ${t('hours')}`}
          linkOf={linkOf}
          series={[
            { name: t('median'), color: 'var(--ll-accent)', value: (row) => hours(row.median_seconds) ?? 0 },
            { name: t('p90'), color: 'var(--ll-info)', value: (row) => hours(row.p90_seconds) ?? 0 },
          ]}
        />
      </Plot>
    </>
  );
}
