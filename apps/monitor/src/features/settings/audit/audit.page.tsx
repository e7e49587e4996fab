import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { AuditRow } from './audit-entry.view';
import { Filters } from './audit-filters.view';
import { auditQuery, type AuditFilters } from './audit.query';
import { auditWords } from './audit.words';
import classes from './audit.module.css';

const NONE: AuditFilters = {
  ...{ actor: undefined, action: undefined, subject: undefined, after: undefined, before: undefined },
};

/** `/settings/audit`: who changed what. The filters stand in the address. */
export function AuditPage() {
  const t = auditWords.use();
  const common = commonWords.use();
  const [{ actor, action, subject, after, before }, change] = useSettingsSearch();
  const filters = { actor, action, subject, after, before };
  const audit = useInfiniteQuery(auditQuery(filters));
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const narrow = (given: AuditFilters): void => change({ ...given });
  return (
    <Stack p="md" gap="sm" maw="60rem">
      <Title order={1}>{t('title')}</Title>
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      <Filters filters={filters} onChange={narrow} onClear={() => change({ ...NONE })} />
      {audit.isPending ? (
        <LoadingState />
      ) : audit.isError && entries.length === 0 ? (
        <ErrorState error={audit.error} onRetry={() => void audit.refetch()} />
      ) : entries.length === 0 ? (
        <EmptyState title={isFiltered ? t('none') : t('noneAtAll')} />
      ) : (
        <>
          <ul className={classes.entries} aria-label={t('title')}>
            {entries.map((entry) => (
              <AuditRow key={entry.id} entry={entry} onNarrow={narrow} />
            ))}
          </ul>
          {audit.hasNextPage && (
            <Center>
              <Button
                size="xs"
                variant="default"
                loading={audit.isFetchingNextPage}
                onClick={() => void audit.fetchNextPage()}
              >
                {common('more')}
              </Button>
            </Center>
          )}
        </>
      )}
    </Stack>
  );
}
