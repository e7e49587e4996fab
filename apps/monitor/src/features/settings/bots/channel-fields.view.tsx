import { NumberInput, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PasswordField } from '../../../shared/ui/password-field.view';
import { botWords } from './bot.words';
import { SETTINGS, USUAL_PACE, type ChannelForm, type ChannelName } from './channel-form.format';

interface Props {
  form: UseFormReturnType<ChannelForm>;
  name: ChannelName;
  /** Whether the number has its secret. It is never shown. */
  isSet: boolean;
  /** Whether it has the secret of an own app at Meta. */
  isAppSecretSet: boolean;
}

/** The number, its secret, and what its provider needs besides. */
export function ChannelFields({ form, name, isSet, isAppSecretSet }: Props) {
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
