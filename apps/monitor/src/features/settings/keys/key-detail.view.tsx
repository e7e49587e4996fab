import type { ApiKeyAnswer } from '@app/client/api-types';
import { Alert, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient, wholeList } from '../../../shared/api/page-api';
import { dateAndTime } from '../../../shared/format/time.format';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave, useAct } from '../parts/forms/save.hook';
import { DetailHead } from '../parts/lists/list-detail.view';
import { ShownOnce } from '../parts/shown-once.view';
import { Ask } from '../../../shared/ui/ask.view';
import { KeyFields, changeOf, faultsOf, fieldOf, formOf } from './key-form.view';
import { keyWords } from './key.words';

/** All keys of the account, the newest first, revoked ones too. */
export const keysQuery = queryOptions({
  queryKey: ['settings', 'keys'],
  queryFn: ({ signal }) =>
    wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/api-keys', { params, signal });
      return { items: answer.api_keys, next: answer.next_cursor };
    }),
});

const refresh = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });

/** A key: what it may do, and its end. */
export function KeyDetail({ apiKey }: { apiKey: ApiKeyAnswer }) {
  const t = keyWords.use();
  const [before, setBefore] = useState(() => formOf(apiKey));
  const form = useForm({ initialValues: before, validate: (values) => faultsOf(values, before) });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const isRevoked = apiKey.revoked_at !== null;
  const submit = async (): Promise<void> => {
    const body = changeOf(form.getValues(), before);
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: apiKey.id } };
    const saved = await save(
      () => confirmed(() => api.patch('/api/v1/admin/api-keys/{id}', { params, body })),
      t('saved'),
    );
    if (!saved) return;
    setBefore(formOf(saved));
    form.setInitialValues(formOf(saved));
    form.reset();
    void refresh();
  };
  return (
    <>
      <DetailHead name={apiKey.name} />
      <Stack gap="sm" maw={560}>
        {apiKey.revoked_at !== null && (
          <Alert color="gray">{t('revokedSince', { at: dateAndTime(apiKey.revoked_at) })}</Alert>
        )}
        <Text size="sm" c="dimmed">
          {t('prefix')} <bdi dir="ltr">{apiKey.prefix}…</bdi> · {t('created')}{' '}
          {dateAndTime(apiKey.created_at)} ·{' '}
          {apiKey.last_used_at === null
            ? t('neverUsed')
            : t('usedAt', { at: dateAndTime(apiKey.last_used_at) })}
        </Text>
        <form
          noValidate
          ref={formRef}
          onSubmit={form.onSubmit(
            () => void submit(),
            () => focusFirstError(formRef.current),
          )}
        >
          <KeyFields form={form} isLocked={isRevoked} />
          {!isRevoked && (
            <SaveBar isDirty={form.isDirty()} isBusy={isBusy} onDiscard={form.reset}>
              <KeyActions apiKey={apiKey} />
            </SaveBar>
          )}
        </form>
      </Stack>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}

function KeyActions({ apiKey: { id, name } }: { apiKey: ApiKeyAnswer }) {
  const t = keyWords.use();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null);
  const [overlap, setOverlap] = useState<number | string>(24);
  const [fresh, setFresh] = useState<{ key: string; until: string } | null>(null);
  const params = { path: { id } };
  const hours = Number(overlap);
  const isOverlap = overlap !== '' && hours >= 0 && hours <= 720;
  const rotate = async (): Promise<void> => {
    const rotated = await act(
      () =>
        confirmed(() =>
          api.post('/api/v1/admin/api-keys/{id}/rotate', { params, body: { overlap_hours: hours } }),
        ),
      t('rotated'),
    );
    if (!rotated) return;
    setAsked(null);
    setFresh({ key: rotated.key, until: rotated.old_key_expires_at });
    void refresh();
  };
  const revoke = async (): Promise<void> => {
    const revoked = await act(
      () => confirmed(() => api.delete('/api/v1/admin/api-keys/{id}', { params })),
      t('revokedDone'),
    );
    if (!revoked) return;
    setAsked(null);
    void refresh();
  };
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setAsked('rotate')}>
        {t('rotate')}
      </Button>
      <Button variant="default" c="var(--ll-danger)" onClick={() => setAsked('revoke')}>
        {t('revoke')}
      </Button>
      <Ask
        isOpen={asked === 'rotate'}
        {...{ title: t('rotateTitle'), text: t('rotateText'), name, action: t('rotate'), isBusy }}
        isGrave={false}
        isDisabled={!isOverlap}
        onAnswer={() => void rotate()}
        onClose={() => setAsked(null)}
      >
        <NumberInput
          label={t('overlap')}
          description={t('overlapHint')}
          {...{ min: 0, max: 720, allowDecimal: false, clampBehavior: 'none', hideControls: true }}
          error={isOverlap ? undefined : t('overlapHint')}
          data-autofocus
          value={overlap}
          onChange={setOverlap}
        />
      </Ask>
      <Ask
        isOpen={asked === 'revoke'}
        {...{ title: t('revokeTitle'), text: t('revokeText'), name, action: t('revoke'), isBusy }}
        isGrave
        onAnswer={() => void revoke()}
        onClose={() => setAsked(null)}
      />
      <ShownOnce
        secret={fresh?.key ?? null}
        {...{ title: t('secretTitle'), text: t('secretText'), label: t('secretLabel') }}
        further={fresh ? t('oldUntil', { at: dateAndTime(fresh.until) }) : undefined}
        onClose={() => setFresh(null)}
      />
    </Group>
  );
}
