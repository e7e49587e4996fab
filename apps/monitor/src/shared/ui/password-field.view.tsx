import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { commonWords } from '../words/common.words';

/**
 * The field of every password and secret. Mantine's own does not tell a screen reader that what is in it is wrong, as its other
 * fields do, and its button has a name in English.
 */
export function PasswordField(props: PasswordInputProps) {
  const t = commonWords.use();
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
