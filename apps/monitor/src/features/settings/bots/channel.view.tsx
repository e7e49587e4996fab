import type { BotAnswer, BotChannelAnswer, NumberTestAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Alert, Button, Fieldset, Group, Stack, Text, NumberInput, TextInput, Code } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { readablePhone } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { leadWords } from '../../../shared/leads/lead.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { Ask } from '../../../shared/ui/ask.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { PasswordField } from '../../../shared/ui/password-field.view';
import { LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave, useAct } from '../parts/forms/save.hook';
import { Mark } from '../parts/lists/entry-list.view';
import { CopiedText } from '../parts/shown-once.view';
import { botWords } from './bot.words';
import {
  channelOf,
  connectionOf,
  faultsOf,
  formOf,
  hasCredential,
  type ChannelName,
  SETTINGS,
  USUAL_PACE,
  type ChannelForm,
} from './channel-form.format';

interface NumberTestProps {
  botId: string;
  name: ChannelName;
  /** Null: not tested on this page, or the test could not be made. */
  result: NumberTestAnswer | null;
  onResult: (result: NumberTestAnswer | null) => void;
}

/** Asks the provider about the number, and explains what it says. */
function NumberTest({ botId, name, result, onResult }: NumberTestProps) {
  const t = botWords.use();
  const { isBusy, act } = useAct();
  const test = async (): Promise<void> => {
    onResult(null);
    const params = { path: { id: botId, channel: name } };
    onResult(await act(() => api.post('/api/v1/admin/bots/{id}/channels/{channel}/test', { params })));
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" loading={isBusy} onClick={() => void test()}>
          {t('test')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('testHint')}
        </Text>
      </Group>
      <div role="status">{result && <Result result={result} />}</div>
    </Stack>
  );
}

function Result({ result }: { result: NumberTestAnswer }) {
  const t = botWords.use();
  const { ok, number, problem, provider_response: answer, checked_at } = result;
  return (
    <Alert color={ok ? 'teal' : 'red'} title={ok ? t('testOk') : t('testFailed')}>
      <Stack gap={4}>
        {ok && number !== undefined && (
          <Text size="sm">
            {t('testNumber')} <CustomerText text={readablePhone(number)} isPhone />
          </Text>
        )}
        {ok && number === undefined && <Text size="sm">{t('testNoNumber')}</Text>}
        {problem !== undefined && (
          <Text size="sm">
            <CustomerText text={problem} />
          </Text>
        )}
        {answer !== undefined && answer !== null && (
          <details>
            <summary>{t('providerSays')}</summary>
            <Code block dir="ltr">
              {JSON.stringify(answer, null, 2)}
            </Code>
          </details>
        )}
        <Text size="xs">{t('testAt', { at: dateAndTime(checked_at) })}</Text>
      </Stack>
    </Alert>
  );
}

interface Props {
  form: UseFormReturnType<ChannelForm>;
  name: ChannelName;
  /** Whether the number has its secret. It is never shown. */
  isSet: boolean;
  /** Whether it has the secret of an own app at Meta. */
  isAppSecretSet: boolean;
}

/** The number, its secret, and what its provider needs besides. */
function ChannelFields({ form, name, isSet, isAppSecretSet }: Props) {
  const t = botWords.use();
  return (
    <Stack gap="md">
      <TextInput
        label={t(`sender_${name}`)}
        description={t(`senderHint_${name}`)}
        required
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('sender')}
      />
      <PasswordField
        label={t(`credential_${name}`)}
        description={`${t(`credentialHint_${name}`)} ${t('credentialKept')}`}
        placeholder={isSet ? t('credentialSet') : t('credentialNotSet')}
        required={!isSet}
        // Browsers offer to fill in the person's own password otherwise.
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('showSecret'), 'aria-hidden': false, tabIndex: 0 }}
        {...form.getInputProps('credential')}
      />
      {name === 'waba_coexistence' && (
        <PasswordField
          label={t('appSecret')}
          description={`${t('appSecretHint')} ${t('credentialKept')}`}
          placeholder={isAppSecretSet ? t('credentialSet') : t('credentialNotSet')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('showSecret'), 'aria-hidden': false, tabIndex: 0 }}
          {...form.getInputProps('appSecret')}
        />
      )}
      {SETTINGS[name].map((key) => (
        <TextInput
          key={key}
          label={t(`setting_${key}`)}
          description={key === 'app_id' ? t('settingHint_app_id') : undefined}
          required
          autoComplete="off"
          {...form.getInputProps(`settings.${key}`)}
        />
      ))}
      <NumberInput
        label={t('pace')}
        description={t('paceHint', { usual: USUAL_PACE[name] })}
        {...{ min: 1, max: 10_000, allowDecimal: false, clampBehavior: 'none', hideControls: true }}
        {...form.getInputProps('pace')}
      />
    </Stack>
  );
}

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
