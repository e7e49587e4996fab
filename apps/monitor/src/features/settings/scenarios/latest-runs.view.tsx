import { Anchor, Badge, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dateAndTime } from '../../../shared/format/time.format';
import { ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { latestRunsQuery } from './scenarios.query';
import { scenariosWords } from './scenarios.words';
import classes from './scenario-detail.module.css';

/** What became of the latest leads. All of them stand on the page of runs. */
export function LatestRuns({ scenarioId }: { scenarioId: string }) {
  const t = scenariosWords.use();
  const { data: runs, error, refetch } = useQuery(latestRunsQuery(scenarioId));
  return (
    <section aria-label={t('runs')}>
      <Group justify="space-between" mb="xs">
        <Title order={3}>{t('runs')}</Title>
        <Anchor
          size="sm"
          lh="24px"
          renderRoot={(props) => <Link to="/runs" search={{ scenario_id: scenarioId }} {...props} />}
        >
          {t('allRuns')}
        </Anchor>
      </Group>
      {!runs ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingState />
        )
      ) : runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noRuns')}
        </Text>
      ) : (
        <ul className={classes.runs}>
          {runs.map((run) => (
            <li key={run.id}>
              <Group justify="space-between" gap="xs">
                <Anchor
                  size="sm"
                  lh="24px"
                  renderRoot={(props) => (
                    <Link
                      to="/dialogs/$threadId"
                      params={{ threadId: run.thread_id }}
                      search={{}}
                      {...props}
                    />
                  )}
                >
                  {`${t('dialog')}, ${dateAndTime(run.started_at)}`}
                </Anchor>
                <Badge variant="default" size="sm" data-run-state={run.state}>
                  {t(`run_${run.state}`)}
                </Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
