import type { ToolAnswer } from '@app/client/api-types';
import { Button, Fieldset, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PasswordField } from '../../../shared/ui/password-field.view';
import { InputRow } from '../parts/forms/fields.view';
import { FACTS, type ToolValues } from './tool-values.format';
import { toolsWords } from './tools.words';

/** What Leadline fills in of the dialog: argument by argument. */
export function ToolFacts({ form }: { form: UseFormReturnType<ToolValues> }) {
  const t = toolsWords.use();
  return (
    <Fieldset legend={t('autoFill')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('autoFillHint')}
        </Text>
        {form.values.auto_fill.map((_, index) => (
          <InputRow
            // Rows are known by their place alone.
            key={index}
            removeLabel={t('removeRow', { number: index + 1 })}
            onRemove={() => form.removeListItem('auto_fill', index)}
          >
            <TextInput label={t('argument')} {...form.getInputProps(`auto_fill.${index}.argument`)} />
            <NativeSelect
              label={t('fact')}
              data={FACTS.map((fact) => ({ value: fact, label: t(`fact_${fact}`) }))}
              {...form.getInputProps(`auto_fill.${index}.fact`)}
            />
          </InputRow>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          onClick={() => form.insertListItem('auto_fill', { argument: '', fact: 'phone' })}
        >
          {t('addFact')}
        </Button>
        {form.errors.auto_fill !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {form.errors.auto_fill}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

/** Null: it is not typed to its end. */
const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

/** The headers of its calls. Those that are kept are known by name alone, so they are replaced as a whole. */
export function ToolHeaders({
  form,
  tool,
}: {
  form: UseFormReturnType<ToolValues>;
  tool: ToolAnswer | null;
}) {
  const t = toolsWords.use();
  const { headers, url } = form.values;
  const kept = originOf(url) === originOf(tool?.url ?? '') ? 'headersKept' : 'headersLost';
  return (
    <Fieldset legend={t('headers')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('headersHint')}
        </Text>
        {headers === null ? (
          <>
            <Text size="sm">
              {tool && tool.header_names.length > 0
                ? t(kept, { names: tool.header_names.join(', ') })
                : t('noHeaders')}
            </Text>
            <Button
              variant="default"
              size="compact-sm"
              w="fit-content"
              onClick={() =>
                form.setFieldValue('headers', tool?.header_names.map((name) => ({ name, value: '' })) ?? [])
              }
            >
              {t('replaceHeaders')}
            </Button>
          </>
        ) : (
          <>
            {headers.map((_, index) => (
              <InputRow
                // Rows are known by their place alone.
                key={index}
                removeLabel={t('removeRow', { number: index + 1 })}
                onRemove={() => form.removeListItem('headers', index)}
              >
                <TextInput label={t('headerName')} {...form.getInputProps(`headers.${index}.name`)} />
                <PasswordField
                  label={t('headerValue')}
                  autoComplete="off"
                  {...form.getInputProps(`headers.${index}.value`)}
                />
              </InputRow>
            ))}
            <Button
              variant="default"
              size="compact-sm"
              w="fit-content"
              onClick={() => form.insertListItem('headers', { name: '', value: '' })}
            >
              {t('addHeader')}
            </Button>
            {tool && (
              <Button
                variant="subtle"
                size="compact-sm"
                w="fit-content"
                onClick={() => form.setFieldValue('headers', null)}
              >
                {t('keepHeaders')}
              </Button>
            )}
          </>
        )}
        {form.errors.headers !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {form.errors.headers}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
