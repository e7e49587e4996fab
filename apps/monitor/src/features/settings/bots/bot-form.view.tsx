import type { BotAnswer } from '@app/client/api-types';
import { Fieldset, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { useSignedIn } from '../../../shared/session/session.store';
import { changesOf } from '../parts/changes.format';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { botWords } from './bot.words';

interface Props {
  /** Null: a new one. */
  bot: BotAnswer | null;
  onMade?: (id: string) => void;
}

interface Form {
  name: string;
  assistant_id: string;
}

/** Name and agent of a bot. */
export function BotForm({ bot, onMade }: Props) {
  const t = botWords.use();
  const { assistants } = useSignedIn();
  const [{ agent }] = useSettingsSearch();
  const given = assistants.find(({ id }) => id === agent) ?? assistants[0];
  const [before, setBefore] = useState<Form>({
    name: bot?.name ?? '',
    assistant_id: bot?.assistant_id ?? given?.id ?? '',
  });
  const form = useForm({
    initialValues: before,
    validate: ({ name }) => (name.trim() === '' ? { name: t('nameNeeded') } : {}),
  });
  const { isBusy, formRef, save } = useSave(form);
  const submit = async (): Promise<void> => {
    const values = { ...form.getValues(), name: form.getValues().name.trim() };
    if (bot === null) {
      const made = await save(() => api.post('/api/v1/admin/bots', { body: values }), t('made'));
      if (!made) return;
      await queryClient.invalidateQueries({ queryKey: botsQuery.queryKey });
      onMade?.(made.id);
      return;
    }
    const body = changesOf(before, values);
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: bot.id } };
    const saved = await save(() => api.patch('/api/v1/admin/bots/{id}', { params, body }), t('saved'));
    if (!saved) return;
    setBefore(values);
    form.setInitialValues(values);
    form.reset();
    void queryClient.invalidateQueries({ queryKey: botsQuery.queryKey });
  };
  return (
    <form
      noValidate
      ref={formRef}
      onSubmit={form.onSubmit(
        () => void submit(),
        () => focusFirstError(formRef.current),
      )}
    >
      <Fieldset legend={t('bot')}>
        <Stack gap="md">
          <TextInput label={t('name')} required maxLength={200} {...form.getInputProps('name')} />
          <NativeSelect
            label={t('agent')}
            description={t(bot === null ? 'agentHint' : 'agentChangeHint')}
            data={assistants.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('assistant_id')}
          />
          {assistants.length === 0 && <Text size="sm">{t('noAgents')}</Text>}
        </Stack>
      </Fieldset>
      <SaveBar
        isDirty={bot !== null && form.isDirty()}
        isBusy={isBusy}
        label={bot === null ? t('make') : undefined}
        onDiscard={form.reset}
      />
      <LeaveGuard isDirty={() => form.isDirty()} />
    </form>
  );
}
