import { Button, Center, Stack, Text, Title, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, wholeList } from '../../../shared/api/page-api';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { actionInWords } from './audit-action.words';
import { AuditRow } from './audit-entry.view';
import { auditQuery, type AuditFilters, type AuditAction } from './audit.query';
import { auditWords } from './audit.words';
import classes from './audit.module.css';

/** Every action that an entry can tell of. */
const EACH: Record<AuditAction, true> = {
  ...{ 'access.refused': true, 'account.create': true, 'account.update': true },
  ...{ 'assistant.create': true, 'assistant.update': true, 'bot.create': true, 'bot.update': true },
  ...{ 'channel.connect': true, 'channel.disconnect': true, 'channel.test': true },
  ...{ 'import.cancel': true, 'import.create': true, 'lead.export': true },
  ...{ 'key.create': true, 'key.revoke': true, 'key.rotate': true, 'key.update': true },
  ...{ 'run.cancel': true, 'run.resolve': true, 'run.retry': true },
  ...{ 'scenario.archive': true, 'scenario.cancel_runs': true, 'scenario.create': true },
  ...{ 'scenario.rotate_secret': true, 'scenario.start': true, 'scenario.update': true },
  ...{ 'second_factor.begin': true, 'second_factor.disable': true, 'second_factor.enable': true },
  'sending.held': true,
  ...{ 'session.create': true, 'session.end': true, 'session.refused': true },
  ...{ 'status.archive': true, 'status.create': true, 'status.update': true },
  ...{ 'template.create': true, 'template.delete': true, 'template.submit': true },
  ...{ 'template.synchronize': true, 'template.update': true },
  ...{ 'thread.erase': true, 'thread.export': true },
  ...{ 'tool.create': true, 'tool.delete': true, 'tool.update': true },
  ...{ 'user.accept_invitation': true, 'user.change_password': true, 'user.create': true },
  ...{ 'user.end_sessions': true, 'user.invite': true, 'user.update': true },
  ...{ 'webhook_delivery.retry': true, 'webhook_endpoint.create': true, 'webhook_endpoint.delete': true },
  ...{
    'webhook_endpoint.disable': true,
    'webhook_endpoint.replay': true,
    'webhook_endpoint.rotate_secret': true,
  },
  ...{ 'webhook_endpoint.test': true, 'webhook_endpoint.update': true },
  ...{ 'webhook_reject.delete': true, 'webhook_reject.retry': true },
};

const ACTIONS = Object.keys(EACH) as AuditAction[];

interface Props {
  filters: AuditFilters;
  onChange: (change: AuditFilters) => void;
  onClear: () => void;
}

/** Which entries are shown. */
function Filters({ filters, onChange, onClear }: Props) {
  const t = auditWords.use();
  const isAny = Object.values(filters).some((value) => value !== undefined);
  const given = (text: string): string | undefined => (text === '' ? undefined : text);
  return (
    <div className={classes.filters} role="group" aria-label={t('filters')}>
      <NativeSelect
        size="xs"
        label={t('actor')}
        data={useActors(filters.actor)}
        value={filters.actor ?? ''}
        onChange={(event) => onChange({ actor: given(event.currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        label={t('action')}
        data={[
          { value: '', label: t('anything') },
          ...ACTIONS.map((value) => ({ value, label: actionInWords(value) })).sort((one, other) =>
            one.label.localeCompare(other.label),
          ),
        ]}
        value={filters.action ?? ''}
        onChange={(event) => onChange({ action: given(event.currentTarget.value) })}
      />
      <Subject value={filters.subject ?? ''} onChange={(text) => onChange({ subject: given(text) })} />
      <TextInput
        size="xs"
        type="datetime-local"
        label={t('after')}
        value={filters.after ?? ''}
        onChange={(event) => onChange({ after: given(event.currentTarget.value) })}
      />
      <TextInput
        size="xs"
        type="datetime-local"
        label={t('before')}
        value={filters.before ?? ''}
        onChange={(event) => onChange({ before: given(event.currentTarget.value) })}
      />
      {isAny && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </div>
  );
}

/** Typed at leisure: it counts by Enter, and when it is left. */
function Subject({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = auditWords.use();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const tell = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        tell();
      }}
    >
      <TextInput
        size="xs"
        label={t('subject')}
        placeholder={t('subjectHint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={tell}
      />
    </form>
  );
}

/** People and keys of the account, whoever could have done something; another one that is asked for by its id too. */
function useActors(asked: string | undefined) {
  const t = auditWords.use();
  const actors = useQuery({
    queryKey: ['settings', 'audit-actors'],
    queryFn: async ({ signal }) => {
      const pageOf = (cursor: string | undefined) => ({
        params: { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      });
      const people = await wholeList(async (cursor) => {
        const answer = await api.get('/api/v1/admin/users', pageOf(cursor));
        return { items: answer.users, next: answer.next_cursor };
      });
      const keys = await wholeList(async (cursor) => {
        const answer = await api.get('/api/v1/admin/api-keys', pageOf(cursor));
        return { items: answer.api_keys, next: answer.next_cursor };
      });
      return { people, keys };
    },
    staleTime: 60_000,
  });
  const { people = [], keys = [] } = actors.data ?? {};
  const choiceOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  const isKnown = asked === undefined || [...people, ...keys].some(({ id }) => id === asked);
  return [
    { value: '', label: t('anybody') },
    ...(isKnown ? [] : [{ value: asked, label: asked }]),
    { group: t('person'), items: people.map(choiceOf) },
    { group: t('keys'), items: keys.map(choiceOf) },
  ];
}

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
