import type { BotAnswer } from '@app/client/api-types';
import { CHANNELS } from '@app/contracts/message.words';
import { Stack, Text, Fieldset, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { leadWords } from '../../../shared/leads/lead.words';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState } from '../../../shared/ui/states.view';
import { changesOf } from '../parts/changes.format';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { EntryList, Mark, NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, DetailHead, ListPending } from '../parts/lists/list-detail.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { NEW, useOpenEntry, useSettingsSearch } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { botWords } from './bot.words';
import { Channel } from './channel.view';

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
function BotForm({ bot, onMade }: Props) {
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

/** `/settings/bots` */
export function BotsPage() {
  const t = botWords.use();
  const settings = settingsWords.use();
  const bots = useQuery(botsQuery);
  const { assistants } = useSignedIn();
  const { id, open, reopen, close } = useOpenEntry();
  if (!bots.data)
    return <ListPending title={t('title')} error={bots.error} onRetry={() => void bots.refetch()} />;
  const shown = bots.data.find((bot) => bot.id === id);
  const agentOf = (bot: BotAnswer): string =>
    assistants.find((assistant) => assistant.id === bot.assistant_id)?.name ?? '';
  const detail =
    id === undefined ? null : id === NEW ? (
      <Stack gap="md" maw={560}>
        <DetailHead name={t('new')} />
        <BotForm bot={null} onMade={reopen} />
      </Stack>
    ) : shown ? (
      <BotDetail key={id} bot={shown} />
    ) : (
      <EmptyState title={settings('gone')} />
    );
  return (
    <ListDetail
      title={t('title')}
      action={<NewButton label={t('new')} onClick={() => open(NEW)} />}
      list={
        bots.data.length === 0 ? (
          <EmptyState title={t('none')} hint={t('noneHint')} />
        ) : (
          <EntryList
            label={t('title')}
            entries={bots.data.map((bot) => ({
              ...{ id: bot.id, name: bot.name },
              detail: <CustomerText text={agentOf(bot)} />,
              mark: <States bot={bot} />,
            }))}
            openId={id}
            search={(next) => ({ id: next })}
          />
        )
      }
      detail={detail}
      onBack={close}
    />
  );
}

function States({ bot }: { bot: BotAnswer }) {
  const t = botWords.use();
  const ofLeads = leadWords.use();
  if (!bot.channels.some(({ connected, stopped_reason }) => connected || stopped_reason))
    return <Mark text={t('notConnected')} />;
  return bot.channels.map(({ channel, connected, stopped_reason }) =>
    connected || stopped_reason ? (
      <Mark
        key={channel}
        tone={connected ? 'good' : 'bad'}
        text={connected ? ofLeads(`channel_${channel}`) : `${ofLeads(`channel_${channel}`)}: ${t('stopped')}`}
      />
    ) : null,
  );
}

function BotDetail({ bot }: { bot: BotAnswer }) {
  const t = botWords.use();
  return (
    <Stack gap="md" maw={640}>
      <DetailHead name={bot.name} />
      <BotForm bot={bot} />
      {CHANNELS.map((name) => (
        <Channel key={name} bot={bot} name={name} />
      ))}
      <Text size="sm" c="dimmed">
        {t('noDelete')}
      </Text>
    </Stack>
  );
}
