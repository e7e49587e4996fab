import { Autocomplete, Button, Fieldset, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { CHANNELS } from '@app/contracts/message.words';
import { useQuery } from '@tanstack/react-query';
import { leadWords } from '../../../../shared/leads/lead.words';
import { InputRow, FieldError, SpanInput } from '../../parts/forms/fields.view';
import { stepEditorWords } from './step-editor.words';
import { templateNamesQuery } from '../scenarios.query';
import { Variables, type StepFieldsProps } from './step-field.view';
import code from '../../parts/code.module.css';

/** A template, and what stands in its variables. */
export function TemplateFields({ form, at, step }: StepFieldsProps) {
  const t = stepEditorWords.use();
  const ofLeads = leadWords.use();
  const { data: names = [] } = useQuery(templateNamesQuery);
  return (
    <>
      <Autocomplete
        label={t('template')}
        description={t('templateHint')}
        data={names}
        required
        {...form.getInputProps(`${at}.template_id`)}
      />
      <TextInput label={t('language')} {...form.getInputProps(`${at}.template_language`)} />
      <NativeSelect
        label={t('channel')}
        data={[
          { value: '', label: t('channelOwn') },
          ...CHANNELS.map((value) => ({ value, label: ofLeads(`channel_${value}`) })),
        ]}
        {...form.getInputProps(`${at}.channel`)}
      />
      <Fieldset legend={t('params')}>
        <Stack gap="xs">
          <Variables />
          {step.params.map((_, index) => (
            <InputRow
              // Values are known by their place alone.
              key={index}
              removeLabel={t('removeParam', { number: index + 1 })}
              onRemove={() => form.removeListItem(`${at}.params`, index)}
            >
              <TextInput
                label={t('param', { number: index + 1 })}
                dir="auto"
                {...form.getInputProps(`${at}.params.${index}`)}
              />
            </InputRow>
          ))}
          <FieldError error={form.errors[`${at}.params`]} />
          <Button variant="default" size="compact-sm" onClick={() => form.insertListItem(`${at}.params`, '')}>
            {t('addParam')}
          </Button>
        </Stack>
      </Fieldset>
      <details>
        <summary>{t('namedParams')}</summary>
        <Stack gap="xs" mt="xs">
          {step.named_params.map((_, index) => (
            <InputRow
              // Values are known by their place alone.
              key={index}
              removeLabel={t('removeParam', { number: index + 1 })}
              onRemove={() => form.removeListItem(`${at}.named_params`, index)}
            >
              <TextInput label={t('namedName')} {...form.getInputProps(`${at}.named_params.${index}.name`)} />
              <TextInput
                label={t('namedValue')}
                dir="auto"
                {...form.getInputProps(`${at}.named_params.${index}.value`)}
              />
            </InputRow>
          ))}
          <FieldError error={form.errors[`${at}.named_params`]} />
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => form.insertListItem(`${at}.named_params`, { name: '', value: '' })}
          >
            {t('addNamed')}
          </Button>
          <Textarea
            label={t('header')}
            description={t('headerHint')}
            autosize
            classNames={{ input: code.code }}
            {...form.getInputProps(`${at}.header`)}
          />
          <Textarea
            label={t('buttons')}
            description={t('buttonsHint')}
            autosize
            classNames={{ input: code.code }}
            {...form.getInputProps(`${at}.buttons`)}
          />
        </Stack>
      </details>
      <SpanInput
        label={t('maxLate')}
        description={t('maxLateHint')}
        {...form.getInputProps(`${at}.max_late_seconds`)}
      />
    </>
  );
}
