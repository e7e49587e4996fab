import type { ApiKeyAnswer } from '@app/client/api-types';
import { Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { serverNow } from '../../../shared/format/server-clock';
import { dateAndTime } from '../../../shared/format/time.format';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { EntryList, Mark, NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, DetailHead } from '../parts/lists/list-detail.view';
import { NEW, useOpenEntry } from '../parts/settings-search.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { settingsWords } from '../settings.words';
import { KeyDetail, keysQuery } from './key-detail.view';
import { KeyFields, faultsOf, fieldOf, issueOf, NEW_KEY } from './key-form.view';
import { keyWords } from './key.words';

/** The form of a new key. @param onIssued is told the key itself, which the server tells once */
function NewKey({ onIssued }: { onIssued: (issued: { id: string; key: string }) => void }) {
  const t = keyWords.use();
  const form = useForm({ initialValues: NEW_KEY, validate: (values) => faultsOf(values, NEW_KEY) });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = issueOf(form.getValues());
    const issued = await save(
      () => confirmed(() => api.post('/api/v1/admin/api-keys', { body })),
      t('issued'),
    );
    if (issued) onIssued(issued);
  };
  return (
    <>
      <DetailHead name={t('issue')} />
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap={0} maw={560}>
          <KeyFields form={form} isLocked={false} />
          <SaveBar isDirty={false} isBusy={isBusy} label={t('issue')} />
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}

/** `/settings/keys` */
export function KeysPage() {
  const t = keyWords.use();
  const settings = settingsWords.use();
  const queries = useQueryClient();
  const keys = useQuery(keysQuery);
  const { id, open, reopen, close } = useOpenEntry();
  const [secret, setSecret] = useState<string | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const shown = keys.data?.find((key) => key.id === id);
  const entries = (keys.data ?? []).filter((key) => showsRevoked || key.revoked_at === null || key.id === id);
  const hasRevoked = keys.data?.some(({ revoked_at }) => revoked_at !== null) ?? false;

  const list = keys.isPending ? (
    <LoadingState />
  ) : keys.isError ? (
    <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
  ) : (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      {hasRevoked && (
        <Switch
          label={t('showRevoked')}
          checked={showsRevoked}
          onChange={(event) => setShowsRevoked(event.currentTarget.checked)}
        />
      )}
      {entries.length === 0 ? (
        <EmptyState title={t('none')} hint={t('noneHint')} />
      ) : (
        <EntryList
          label={t('title')}
          entries={entries.map(entryOf)}
          openId={id}
          search={(next) => ({ id: next })}
        />
      )}
    </Stack>
  );
  const detail =
    id === undefined ? null : id === NEW ? (
      <NewKey
        onIssued={(issued) => {
          setSecret(issued.key);
          void queries.invalidateQueries({ queryKey: keysQuery.queryKey }).then(() => reopen(issued.id));
        }}
      />
    ) : shown ? (
      <KeyDetail key={id} apiKey={shown} />
    ) : keys.isSuccess ? (
      <EmptyState title={settings('gone')} />
    ) : null;
  return (
    <>
      <ListDetail
        title={t('title')}
        action={<NewButton label={t('issue')} onClick={() => open(NEW)} />}
        list={list}
        detail={detail}
        onBack={close}
      />
      <ShownOnce
        secret={secret}
        {...{ title: t('secretTitle'), text: t('secretText'), label: t('secretLabel') }}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

function entryOf(key: ApiKeyAnswer) {
  const t = keyWords.say;
  const { id, name, prefix, scopes, last_used_at, expires_at, revoked_at } = key;
  const used = last_used_at === null ? t('neverUsed') : t('usedAt', { at: dateAndTime(last_used_at) });
  const isExpired = expires_at !== null && new Date(expires_at).getTime() <= serverNow();
  return {
    ...{ id, name },
    detail: (
      <>
        <bdi dir="ltr">{prefix}…</bdi> · {used}
        {expires_at !== null && <> · {t('expiresAt', { at: dateAndTime(expires_at) })}</>}
      </>
    ),
    mark: (
      <>
        {revoked_at !== null && <Mark tone="bad" text={t('revoked')} />}
        {revoked_at === null && isExpired && <Mark tone="bad" text={t('expired')} />}
        {scopes.map((scope) => (
          <Mark key={scope} text={t(`scope_${scope}`)} />
        ))}
      </>
    ),
  };
}
