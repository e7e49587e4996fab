import type { TemplateFiguresAnswer } from '@app/client/api-types';
import { wholeNumber } from '../../shared/format/number.format';
import { isolated } from '../../shared/format/direction.format';
import { errorWords } from '../../shared/words/error.words';
import { leadWords } from '../../shared/leads/lead.words';
import { BarPlot } from './bar-plot.view';
import { figuresWords } from './figures.words';
import { Plot, type PlotColumn, boardLink } from './plot.view';

interface Props {
  assistantId: string;
  botId: string;
  templates: readonly TemplateFiguresAnswer[];
}

/** As part of a sentence. */
const reasonOf = (code: string | null): string => {
  if (code === null) return '?';
  return errorWords.has(code) ? errorWords.say(code).replace(/\.$/, '') : code;
};

const STATES = ['queued', 'sent', 'delivered', 'read', 'replied', 'unknown', 'failed'] as const;

/** What became of the messages of each template. */
export function TemplatePlot({ assistantId, botId, templates }: Props) {
  const t = figuresWords.use();
  const ofLeads = leadWords.use();
  const nameOf = ({ name, language }: TemplateFiguresAnswer): string => `${isolated(name)} · ${language}`;
  const channelOf = ({ channel }: TemplateFiguresAnswer): string => ofLeads(`short_channel_${channel}`);
  const labelOf = (row: TemplateFiguresAnswer): string =>
    templates.some((other) => other !== row && nameOf(other) === nameOf(row))
      ? `${nameOf(row)} · ${channelOf(row)}`
      : nameOf(row);
  const counted = (
    name: string,
    value: (row: TemplateFiguresAnswer) => number,
  ): PlotColumn<TemplateFiguresAnswer> => ({
    name,
    shown: (row) => wholeNumber(value(row)),
    raw: value,
  });
  const reasons = ({ failed_by_code }: TemplateFiguresAnswer): string =>
    failed_by_code
      .map(({ code, provider_code, messages }) => {
        const number = provider_code === null ? '' : ` (${provider_code})`;
        return `${reasonOf(code)}${number}: ${wholeNumber(messages)}`;
      })
      .join('; ');
  const codes = ({ failed_by_code }: TemplateFiguresAnswer): string =>
    failed_by_code
      .map(({ code, provider_code, messages }) => `${code ?? '?'} ${provider_code ?? ''}: ${messages}`)
      .join('; ');
  return (
    <Plot
      title={t('templates')}
      hint={t('templatesHint')}
      fileName="templates"
      rows={templates}
      keyOf={({ template_id, language, channel }) => `${template_id} ${language} ${channel}`}
      columns={[
        { name: t('template'), shown: nameOf },
        {
          name: t('channel'),
          shown: channelOf,
          raw: ({ channel }) => channel,
        },
        counted(t('messages'), ({ messages }) => messages),
        ...STATES.map((state) => counted(t(state), (row) => row[state])),
        { name: t('failures'), shown: reasons, raw: codes, hasWords: true },
      ]}
    >
      <BarPlot
        rows={templates}
        areNamed
        labelOf={labelOf}
        format={wholeNumber}
        linkOf={() => boardLink(assistantId, { bot: botId })}
        series={[
          { name: t('sent'), color: 'var(--ll-strong-line)', value: ({ sent }) => sent },
          { name: t('delivered'), color: 'var(--ll-accent)', value: ({ delivered }) => delivered },
          { name: t('read'), color: 'var(--ll-info)', value: ({ read }) => read },
          { name: t('failed'), color: 'var(--ll-danger)', value: ({ failed }) => failed },
        ]}
      />
    </Plot>
  );
}
