import type { WorkQueueAnswer } from '@app/client/api-types';
import { Alert, Button, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../shared/api/page-api';
import { wholeNumber } from '../../../shared/format/number.format';
import { spanOf } from '../../../shared/format/time.format';
import { ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { workWords } from './work.words';
import classes from './work.module.css';

const EVERY_MS = 5_000;

/** Work that is due should be done in a few seconds. */
const LATE_S = 30;

const isLate = ({ oldest_due_seconds: oldest }: WorkQueueAnswer): boolean => (oldest ?? 0) >= LATE_S;

/** `/settings/work`: whether what the service does by itself keeps pace. */
export function WorkPage() {
  const t = workWords.use();
  const work = useQuery({
    queryKey: ['settings', 'work'],
    queryFn: ({ signal }) => api.get('/api/v1/admin/work', { signal }),
    refetchInterval: EVERY_MS,
  });
  const queues = work.data?.queues;
  return (
    <Stack p="md" gap="sm" maw="60rem">
      <Title order={1}>{t('title')}</Title>
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      {!queues ? (
        work.isError ? (
          <ErrorState error={work.error} onRetry={() => void work.refetch()} />
        ) : (
          <LoadingState />
        )
      ) : (
        <>
          {work.data?.sending_held_since && <Alert color="red">{t('held')}</Alert>}
          <Alert color={queues.some(isLate) ? 'yellow' : 'teal'}>
            {queues.some(isLate) ? t('late') : t('well')}
          </Alert>
          <div>
            <Button size="xs" variant="default" onClick={() => void work.refetch()}>
              {t('again')}
            </Button>
          </div>
          <Queues queues={queues} />
        </>
      )}
    </Stack>
  );
}

function Queues({ queues }: { queues: readonly WorkQueueAnswer[] }) {
  const t = workWords.use();
  return (
    <Table className={classes.queues} aria-label={t('title')}>
      <Table.Thead>
        <Table.Tr>
          {(['kind', 'due', 'oldest', 'inFlight', 'failed'] as const).map((key) => (
            <Table.Th key={key} scope="col">
              {t(key)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queues.map((queue) => (
          <Table.Tr key={queue.name} data-late={isLate(queue)}>
            <Table.Th scope="row">
              {t(queue.name)}
              <Text size="xs" c="dimmed" fw={400}>
                {t(`${queue.name}Hint`)}
              </Text>
            </Table.Th>
            <Table.Td data-label={t('due')}>{wholeNumber(queue.due)}</Table.Td>
            <Table.Td data-label={t('oldest')}>{ageOf(queue)}</Table.Td>
            <Table.Td data-label={t('inFlight')}>{wholeNumber(queue.in_flight)}</Table.Td>
            <Table.Td data-label={t('failed')}>{wholeNumber(queue.failed_last_hour)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ageOf({ oldest_due_seconds: seconds }: WorkQueueAnswer): string {
  const t = workWords.say;
  if (seconds === null) return t('nothingDue');
  return seconds < 60 ? t('seconds', { count: Math.floor(seconds) }) : spanOf(seconds * 1_000);
}
