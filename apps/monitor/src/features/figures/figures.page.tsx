import { Alert, Group, Select, Text, TextInput, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { serverNow } from '../../shared/format/server-clock';
import { lastBoard } from '../../shared/session/last-board.store';
import { useSignedIn } from '../../shared/session/session.store';
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.view';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import { DayPlots } from './day-plots.view';
import { useBots, useFunnelFigures, useTemplateFigures, figureSpan, type FigureSpan } from './figures.query';
import { FIGURE_SPANS, figuresSearch, type FiguresSearch } from './figures-search';
import { figuresWords } from './figures.words';
import { FunnelPlots } from './funnel-plots.view';
import { TemplatePlot } from './template-plot.view';
import classes from './figures.module.css';

/** `/figures`: how a funnel, its agent, its people and its templates are doing. */
export function FiguresPage() {
  const t = figuresWords.use();
  const { assistants } = useSignedIn();
  const search = figuresSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  usePageTitle(t('title'));
  const choose = (change: FiguresSearch) =>
    void navigate({ to: '/figures', search: figuresSearch({ ...search, ...change }), replace: true });
  const last = lastBoard.read();
  const chosen = search.assistant ?? last;
  const assistantId = (assistants.find(({ id }) => id === chosen) ?? assistants[0])?.id;
  const span = figureSpan(search, new Date(serverNow()));
  return (
    <div className={classes.page}>
      <Title order={1}>{t('title')}</Title>
      <Group gap="sm" my="sm" align="flex-end">
        <Select
          label={t('assistant')}
          size="xs"
          w={220}
          data={assistants.map(({ id, name }) => ({ value: id, label: name }))}
          value={assistantId ?? null}
          allowDeselect={false}
          onChange={(id) => choose({ assistant: id ?? undefined, bot: undefined })}
        />
        <Select
          label={t('span')}
          size="xs"
          w={180}
          data={[
            ...FIGURE_SPANS.map((days) => ({ value: days, label: t('lastDays', { count: Number(days) }) })),
            { value: 'own', label: t('ownSpan') },
          ]}
          value={search.from ? 'own' : (search.span ?? '30')}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'own') choose({ from: span?.firstDay, to: span?.lastDay, span: undefined });
            else
              choose({ span: FIGURE_SPANS.find((days) => days === value), from: undefined, to: undefined });
          }}
        />
        {search.from !== undefined && (
          <>
            <TextInput
              type="date"
              label={t('from')}
              size="xs"
              value={search.from}
              onChange={(event) => choose({ from: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('to')}
              size="xs"
              value={search.to ?? ''}
              onChange={(event) => choose({ to: event.currentTarget.value })}
            />
          </>
        )}
      </Group>
      {span === null ? (
        <Text role="alert">{t('wrongSpan')}</Text>
      ) : (
        <Figures assistantId={assistantId} span={span} search={search} onBot={(bot) => choose({ bot })} />
      )}
    </div>
  );
}

interface FiguresProps {
  assistantId: string | undefined;
  span: FigureSpan;
  search: FiguresSearch;
  onBot: (id: string | undefined) => void;
}

function Figures({ assistantId, span, search, onBot }: FiguresProps) {
  const t = figuresWords.use();
  const funnel = useFunnelFigures(assistantId, span);
  const bots = useBots(assistantId);
  const botId = (bots.data?.find(({ id }) => id === search.bot) ?? bots.data?.[0])?.id;
  const templates = useTemplateFigures(botId, span);
  if (assistantId === undefined) return <EmptyState title={t('noFigures')} />;
  if (funnel.isError) return <ErrorState error={funnel.error} onRetry={() => void funnel.refetch()} />;
  if (!funnel.data) return <LoadingState />;
  return (
    <>
      {!funnel.data.complete && (
        <Alert color="orange" mb="sm">
          {t('incomplete')}
        </Alert>
      )}
      <div className={classes.plots} aria-busy={funnel.isFetching}>
        <FunnelPlots figures={funnel.data} />
        <DayPlots figures={funnel.data} />
        <div>
          {bots.data && bots.data.length > 1 && (
            <Select
              label={t('bot')}
              size="xs"
              mb="xs"
              data={bots.data.map(({ id, name }) => ({ value: id, label: name }))}
              value={botId ?? null}
              allowDeselect={false}
              onChange={(id) => onBot(id ?? undefined)}
            />
          )}
          {templates.isError ? (
            <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />
          ) : botId !== undefined && templates.data ? (
            <TemplatePlot assistantId={assistantId} botId={botId} templates={templates.data.templates} />
          ) : bots.data && bots.data.length === 0 ? (
            <EmptyState title={t('noBots')} />
          ) : (
            <LoadingState />
          )}
        </div>
      </div>
    </>
  );
}
