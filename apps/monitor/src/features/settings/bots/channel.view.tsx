import type { BotAnswer, BotChannelAnswer, NumberTestAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Alert, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { leadWords } from '../../../shared/leads/lead.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { useAct } from '../parts/forms/act.hook';
import { Ask } from '../../../shared/ui/ask.view';
import { CopiedText } from '../parts/copied-text.view';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { Mark } from '../parts/mark.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { botWords } from './bot.words';
import { ChannelFields } from './channel-fields.view';
import {
  channelOf,
  connectionOf,
  faultsOf,
  formOf,
  hasCredential,
  type ChannelName,
} from './channel-form.format';
import { NumberTest } from './number-test.view';

const FIELDS: Record<string, string> = { messages_per_second: 'pace', app_secret: 'appSecret' };

const refresh = () => queryClient.invalidateQueries({ queryKey: botsQuery.queryKey });

/** One number of a bot: connected, changed, tested and disconnected. */
export function Channel({ bot, name }: { bot: BotAnswer; name: ChannelName }) {
  const t = botWords.use();
  const ofLeads = leadWords.use();
  const channel = channelOf(bot, name);
  const isSet = hasCredential(channel);
  const form = useForm({
    initialValues: formOf(channel, name),
    validate: (values) => faultsOf(values, name, isSet),
  });
  const { isBusy, formRef, save } = useSave(form, (path) => FIELDS[path] ?? path);
  const [test, setTest] = useState<NumberTestAnswer | null>(null);
  const params = { path: { id: bot.id, channel: name } };
  const connect = async (): Promise<void> => {
    const body = connectionOf(form.getValues());
    const call = () =>
      api.put('/api/v1/admin/bots/{id}/channels/{channel}', { params, body }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'ALREADY_EXISTS') {
          form.setFieldError('sender', t('taken'));
          focusFirstError(formRef.current);
        }
        throw error;
      });
    const saved = await save(call, isSet ? t('changed') : t('connectedDone'));
    if (!saved) return;
    setTest(null);
    form.setInitialValues(formOf(channelOf(saved, name), name));
    form.reset();
    void refresh();
  };
  return (
    <Fieldset legend={ofLeads(`channel_${name}`)}>
      <Stack gap="md">
        <Group gap="xs">
          <State channel={channel} hasFailed={test?.ok === false} />
          <Text size="sm" c="dimmed">
            {t(`channelHint_${name}`)}
          </Text>
        </Group>
        {channel?.stopped_reason && (
          <Alert color="red">
            {t('stoppedText')} <CustomerText text={channel.stopped_reason} />
          </Alert>
        )}
        <form
          noValidate
          ref={formRef}
          onSubmit={form.onSubmit(
            () => void connect(),
            () => focusFirstError(formRef.current),
          )}
        >
          <ChannelFields {...{ form, name, isSet }} isAppSecretSet={channel?.app_secret_set === true} />
          <Group gap="xs" mt="md">
            <Button type="submit" loading={isBusy}>
              {isSet ? t('changeNumber') : t('connect')}
            </Button>
            {isSet && <Disconnect bot={bot} name={name} sender={channel?.sender ?? ''} />}
          </Group>
        </form>
        {channel?.connected && <NumberTest botId={bot.id} name={name} result={test} onResult={setTest} />}
        {channel?.webhook_url && (
          <Stack gap={4}>
            <Text size="sm" fw={600}>
              {t('webhook')}
            </Text>
            <CopiedText text={channel.webhook_url} label={t('webhook')} />
            <Text size="sm" c="dimmed">
              {t(`webhookHint_${name}`)}
            </Text>
          </Stack>
        )}
      </Stack>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </Fieldset>
  );
}

function State({ channel, hasFailed }: { channel: BotChannelAnswer | null; hasFailed: boolean }) {
  const t = botWords.use();
  if (channel?.connected && hasFailed) return <Mark tone="bad" text={t('notWorking')} />;
  if (channel?.connected) return <Mark tone="good" text={t('connected')} />;
  if (channel?.stopped_reason) return <Mark tone="bad" text={t('stopped')} />;
  return <Mark text={t('notConnected')} />;
}

function Disconnect({ bot, name, sender }: { bot: BotAnswer; name: ChannelName; sender: string }) {
  const t = botWords.use();
  const ofLeads = leadWords.use();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const disconnect = async (): Promise<void> => {
    const params = { path: { id: bot.id, channel: name } };
    const done = await act(
      () => api.delete('/api/v1/admin/bots/{id}/channels/{channel}', { params }),
      t('disconnected'),
    );
    if (!done) return;
    setAsked(false);
    void refresh();
  };
  return (
    <>
      <Button variant="default" c="var(--ll-danger)" onClick={() => setAsked(true)}>
        {t('disconnect')}
      </Button>
      <Ask
        isOpen={isAsked}
        {...{ title: t('disconnectTitle'), text: t('disconnectText'), action: t('disconnect'), isBusy }}
        name={`${ofLeads(`channel_${name}`)} · ${sender}`}
        onAnswer={() => void disconnect()}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
