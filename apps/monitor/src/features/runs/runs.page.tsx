import { Accordion, Button, Center, Group, Select, Title } from '@mantine/core';
import { RUN_STATES } from '@app/contracts/scenario.words';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.view';
import { commonWords } from '../../shared/words/common.words';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import { RunRow } from './run-row.view';
import { useRuns, useScenarioNames } from './runs.query';
import { runsSearch, type RunsSearch } from './runs-search';
import { runsWords } from './runs.words';
import classes from './runs.module.css';

/** `/runs`: what scenarios do and did, by scenario, state and dialog. */
export function RunsPage() {
  const t = runsWords.use();
  const search = runsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  usePageTitle(t('title'));
  const scenarios = useScenarioNames();
  const choose = (change: RunsSearch) =>
    void navigate({ to: '/runs', search: runsSearch({ ...search, ...change }), replace: true });
  return (
    <div className={classes.page}>
      <Title order={1}>{t('title')}</Title>
      <Group gap="sm" my="sm" align="flex-end">
        <Select
          label={t('scenario')}
          placeholder={t('anyScenario')}
          data={scenarios.data ?? []}
          value={search.scenario_id ?? null}
          onChange={(id) => choose({ scenario_id: id ?? undefined })}
          clearable
          searchable
          size="xs"
          w={240}
        />
        <Select
          label={t('state')}
          placeholder={t('anyState')}
          data={RUN_STATES.map((state) => ({
            value: state,
            label: t(state === 'cancelled' ? 'cancelledState' : state),
          }))}
          value={search.state ?? null}
          onChange={(state) => choose({ state: state ?? undefined })}
          clearable
          size="xs"
          w={180}
        />
        {search.thread_id !== undefined && (
          <Button size="xs" variant="light" onClick={() => choose({ thread_id: undefined })}>
            {t('allDialogs')}
          </Button>
        )}
      </Group>
      <Runs search={search} onClear={() => void navigate({ to: '/runs', search: {} })} />
    </div>
  );
}

function Runs({ search, onClear }: { search: RunsSearch; onClear: () => void }) {
  const t = runsWords.use();
  const common = commonWords.use();
  const runs = useRuns(search);
  if (runs.isPending) return <LoadingState />;
  if (runs.isError && !runs.data)
    return <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />;
  const all = (runs.data?.pages ?? []).flatMap((page) => page.runs);
  const isFiltered = Object.keys(search).length > 0;
  if (all.length === 0)
    return isFiltered ? (
      <EmptyState
        title={t('noneFiltered')}
        action={
          <Button size="xs" variant="light" onClick={onClear}>
            {t('clearFilter')}
          </Button>
        }
      />
    ) : (
      <EmptyState title={t('none')} hint={t('noneHint')} />
    );
  return (
    <>
      <Accordion multiple variant="contained" chevronPosition="left">
        {all.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Accordion>
      {runs.hasNextPage && (
        <Center p="md">
          <Button
            variant="default"
            size="xs"
            loading={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
          >
            {common('more')}
          </Button>
        </Center>
      )}
    </>
  );
}
