import type { ChangeStageRequest, StageSettingsAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { STAGE_KINDS, type StageKind } from '@app/contracts/stage.words';
import { Button, NativeSelect, Stack, Switch, Textarea, TextInput, Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { isolated } from '../../../shared/format/direction.format';
import { leadWords } from '../../../shared/leads/lead.words';
import { tellDone } from '../../../shared/notices/notice.store';
import { Ask } from '../../../shared/ui/ask.view';
import { explain } from '../../../shared/words/error.words';
import { changesOf } from '../parts/changes.format';
import { atMost, filled } from '../parts/forms/field-checks.format';
import { stagesQuery } from '../parts/funnel.query';
import { DetailHead } from '../parts/lists/list-detail.view';
import { PageLink } from '../parts/page-link.view';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useEntryForm } from '../parts/forms/save.hook';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { stagesWords } from './stages.words';

interface ArchiveStageProps {
  stage: StageSettingsAnswer;
  /** Where its leads may go. */
  others: StageSettingsAnswer[];
  onClose: () => void;
  onArchived: () => void;
}

/** Archives a stage, and asks where its leads go. */
function ArchiveStage({ stage, others, onClose, onArchived }: ArchiveStageProps) {
  const t = stagesWords.use();
  const [moveTo, setMoveTo] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const archive = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const query = moveTo === '' ? {} : { move_to: moveTo };
      await api.delete('/api/v1/admin/statuses/{id}', { params: { path: { id: stage.id }, query } });
      tellDone(t('archived'));
      onArchived();
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };

  const isInUse = error instanceof ApiError && error.code === 'STATUS_IN_USE';
  return (
    <Ask
      isOpen
      title={t('archiveTitle', { name: isolated(stage.name) })}
      text={t('archiveText')}
      action={t('archive')}
      isBusy={isBusy}
      onAnswer={() => void archive()}
      onClose={onClose}
    >
      <NativeSelect
        mt="sm"
        label={t('moveTo')}
        data={[
          { value: '', label: t('moveNowhere') },
          { value: 'none', label: t('moveNone') },
          ...others.map(({ id, name }) => ({ value: id, label: t('moveStage', { name: isolated(name) }) })),
        ]}
        value={moveTo}
        onChange={(event) => setMoveTo(event.currentTarget.value)}
      />
      {error !== null && (
        <Alert color="red" role="alert" mt="sm" p="xs">
          {isInUse ? t('inUse') : explain(error)}
        </Alert>
      )}
    </Ask>
  );
}

interface StageValues {
  name: string;
  kind: StageKind;
  description: string;
  ai_enabled: boolean;
  ai_transition_locked: boolean;
  on_enter: 'nothing' | 'operator' | 'ai';
}

const NEW_STAGE: StageValues = {
  name: '',
  kind: 'active',
  description: '',
  ai_enabled: true,
  ai_transition_locked: false,
  on_enter: 'nothing',
};

const valuesOf = (stage: StageSettingsAnswer): StageValues => ({
  name: stage.name,
  kind: stage.kind,
  description: stage.description ?? '',
  ai_enabled: stage.ai_enabled,
  ai_transition_locked: stage.ai_transition_locked,
  on_enter: stage.on_enter ?? 'nothing',
});

const requestOf = (values: StageValues) =>
  ({
    ...values,
    name: values.name.trim(),
    description: values.description.trim() || null,
    on_enter: values.on_enter === 'nothing' ? null : values.on_enter,
  }) satisfies ChangeStageRequest;

interface Props {
  assistantId: string;
  /** Null: a new one. */
  stage: StageSettingsAnswer | null;
  /** All of the funnel. */
  stages: StageSettingsAnswer[];
}

/** A stage, to be made, changed or archived. Its place is changed in the list. */
export function StageForm({ assistantId, stage, stages }: Props) {
  const t = stagesWords.use();
  const common = settingsWords.use();
  const ofLeads = leadWords.use();
  const queries = useQueryClient();
  const [, change] = useSettingsSearch();
  const [isArchiving, setArchiving] = useState(false);
  const { form, settle, save, isBusy, formRef } = useEntryForm<StageValues>({
    values: stage ? valuesOf(stage) : NEW_STAGE,
    validate: { name: filled(200), description: atMost(1_000) },
  });
  const renew = () => queries.invalidateQueries(stagesQuery(assistantId));

  const make = async (values: StageValues): Promise<void> => {
    const body = { ...requestOf(values), assistant_id: assistantId };
    const made = await save(() => api.post('/api/v1/admin/statuses', { body }), t('made'));
    if (!made) return;
    await renew();
    change({ id: made.id }, { anyway: true });
  };
  const amend = async (id: string, values: StageValues): Promise<void> => {
    const body = changesOf(requestOf(form.getInitialValues()), requestOf(values));
    if (Object.keys(body).length === 0) {
      tellDone(common('nothingChanged'));
      return;
    }
    const changed = await save(() =>
      api.patch('/api/v1/admin/statuses/{id}', { params: { path: { id } }, body }),
    );
    if (!changed) return;
    settle(valuesOf(changed));
    await renew();
  };

  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={form.onSubmit(
        (values) => (stage ? amend(stage.id, values) : make(values)),
        () => focusFirstError(formRef.current),
      )}
    >
      <LeaveGuard isDirty={() => form.isDirty()} />
      <Stack gap="md" maw={640}>
        <DetailHead name={stage ? stage.name : t('newTitle')} />
        <TextInput label={t('name')} description={t('nameHint')} required {...form.getInputProps('name')} />
        <NativeSelect
          label={t('kind')}
          description={t('kindHint')}
          data={STAGE_KINDS.map((kind) => ({ value: kind, label: ofLeads(`kind_${kind}`) }))}
          {...form.getInputProps('kind')}
        />
        <Textarea
          label={t('description')}
          description={t('descriptionHint')}
          autosize
          minRows={3}
          dir="auto"
          {...form.getInputProps('description')}
        />
        <NativeSelect
          label={t('onEnter')}
          description={t('onEnterHint')}
          data={(['nothing', 'operator', 'ai'] as const).map((rule) => ({
            value: rule,
            label: t(`enter_${rule}`),
          }))}
          {...form.getInputProps('on_enter')}
        />
        <Switch
          label={t('aiEnabled')}
          description={t('aiEnabledHint')}
          {...form.getInputProps('ai_enabled', { type: 'checkbox' })}
        />
        <Switch
          label={t('locked')}
          description={t('lockedHint')}
          {...form.getInputProps('ai_transition_locked', { type: 'checkbox' })}
        />
        {stage && (
          <PageLink page="scenarios" search={{ agent: assistantId, stage: stage.id }}>
            {t('scenarios')}
          </PageLink>
        )}
      </Stack>
      <SaveBar
        isDirty={form.isDirty()}
        isBusy={isBusy}
        label={stage ? undefined : t('make')}
        onDiscard={stage ? () => form.reset() : undefined}
      >
        {stage && (
          <Button variant="subtle" color="red" onClick={() => setArchiving(true)}>
            {t('archive')}
          </Button>
        )}
      </SaveBar>
      {stage && isArchiving && (
        <ArchiveStage
          stage={stage}
          others={stages.filter(({ id }) => id !== stage.id)}
          onClose={() => setArchiving(false)}
          onArchived={() => {
            change({ id: undefined }, { anyway: true });
            void renew();
          }}
        />
      )}
    </form>
  );
}
