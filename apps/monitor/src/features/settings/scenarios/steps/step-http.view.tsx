import { Button, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { PasswordField } from '../../../../shared/ui/password-field.view';
import { InputRow, FieldError } from '../../parts/forms/fields.view';
import { METHODS } from '../../parts/http-methods.format';
import { stepEditorWords } from './step-editor.words';
import { Variables, type StepFieldsProps } from './step-field.view';
import code from '../../parts/code.module.css';

/** A call of a system: its address, headers and body. */
export function HttpFields({ form, at, step }: StepFieldsProps) {
  const t = stepEditorWords.use();
  return (
    <>
      <NativeSelect label={t('method')} data={[...METHODS]} {...form.getInputProps(`${at}.method`)} />
      <TextInput
        label={t('url')}
        description={t('urlHint')}
        type="url"
        required
        {...form.getInputProps(`${at}.url`)}
      />
      <Fieldset legend={t('headers')}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('headersHint')}
          </Text>
          {step.headers.map(({ name, isKept }, index) => (
            <InputRow
              // Headers are known by their place alone.
              key={index}
              removeLabel={t('removeHeader', { number: index + 1 })}
              onRemove={() => form.removeListItem(`${at}.headers`, index)}
            >
              {isKept ? (
                <Group gap="xs">
                  <Text size="sm">{t('headerKept', { name })}</Text>
                  <Button
                    variant="default"
                    size="compact-sm"
                    onClick={() => form.setFieldValue(`${at}.headers.${index}.isKept`, false)}
                  >
                    {t('replaceHeader', { name })}
                  </Button>
                </Group>
              ) : (
                <>
                  <TextInput label={t('headerName')} {...form.getInputProps(`${at}.headers.${index}.name`)} />
                  <PasswordField
                    label={t('headerValue')}
                    autoComplete="off"
                    {...form.getInputProps(`${at}.headers.${index}.value`)}
                  />
                </>
              )}
            </InputRow>
          ))}
          <FieldError error={form.errors[`${at}.headers`]} />
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => form.insertListItem(`${at}.headers`, { name: '', value: '', isKept: false })}
          >
            {t('addHeader')}
          </Button>
        </Stack>
      </Fieldset>
      <Textarea
        label={t('body')}
        description={t('bodyHint')}
        autosize
        minRows={2}
        spellCheck={false}
        classNames={{ input: code.code }}
        {...form.getInputProps(`${at}.body`)}
      />
      <Variables />
    </>
  );
}
