import { Button, Fieldset, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '../../../shared/ui/icons.view';
import { InputRow } from '../parts/forms/fields.view';
import { newButton } from './template-form.format';
import type { TemplateForm } from './template.rules';
import { templateWords } from './template.words';

const TYPES = ['quick_reply', 'url', 'phone_number', 'copy_code'] as const;
const MOST = 10;

/** What the customer can press under the text. */
export function TemplateButtons({ form }: { form: UseFormReturnType<TemplateForm> }) {
  const t = templateWords.use();
  const { buttons } = form.getValues();
  return (
    <Fieldset legend={t('buttons')}>
      <Stack gap="sm">
        {buttons.map(({ key, type }, index) => (
          <InputRow
            key={key}
            removeLabel={t('removeButton', { number: index + 1 })}
            onRemove={() => form.removeListItem('buttons', index)}
          >
            <NativeSelect
              aria-label={t('buttonType', { number: index + 1 })}
              data={TYPES.map((value) => ({ value, label: t(`button_${value}`) }))}
              {...form.getInputProps(`buttons.${index}.type`)}
            />
            <TextInput
              label={t(type === 'copy_code' ? 'buttonCode' : 'buttonText')}
              required
              {...form.getInputProps(`buttons.${index}.text`)}
            />
            {type === 'url' && (
              <TextInput
                label={t('buttonUrl')}
                description={t('buttonUrlHint', { sample: '{{1}}' })}
                type="url"
                required
                {...form.getInputProps(`buttons.${index}.url`)}
              />
            )}
            {type === 'phone_number' && (
              <TextInput
                label={t('buttonPhone')}
                type="tel"
                required
                {...form.getInputProps(`buttons.${index}.phoneNumber`)}
              />
            )}
          </InputRow>
        ))}
        {form.errors.buttons && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors.buttons}
          </Text>
        )}
        {buttons.length < MOST && (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => form.insertListItem('buttons', newButton())}
            >
              {t('addButton')}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
