import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FieldError } from '../../parts/forms/field-error.view';
import { InputRow } from '../../parts/forms/input-row.view';
import { weekdayName } from '../../parts/forms/span.format';
import { newSpan, type ScenarioValues } from '../scenario-values.format';
import { scenariosWords } from '../scenarios.words';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** The hours in which customers are written to. */
export function HoursEditor({ form }: { form: UseFormReturnType<ScenarioValues> }) {
  const t = scenariosWords.use();
  const { has_hours: has, send_hours: hours } = form.values;
  return (
    <Fieldset legend={t('hours')}>
      <Stack gap="sm">
        <NativeSelect
          aria-label={t('hours')}
          data={[
            { value: 'always', label: t('hoursAlways') },
            { value: 'some', label: t('hoursSome') },
          ]}
          value={has ? 'some' : 'always'}
          onChange={(event) => form.setFieldValue('has_hours', event.currentTarget.value === 'some')}
        />
        <FieldError error={form.errors.send_hours} />
        {has && (
          <>
            <TextInput
              label={t('zone')}
              description={t('zoneHint')}
              required
              {...form.getInputProps('send_hours.timezone')}
            />
            {hours.spans.map((_, index) => {
              const at = `send_hours.spans.${index}` as const;
              return (
                <Fieldset
                  // Hours are known by their place alone.
                  key={index}
                  legend={t('span', { number: index + 1 })}
                >
                  <Stack gap="xs">
                    <InputRow
                      removeLabel={t('removeSpan', { number: index + 1 })}
                      onRemove={() => form.removeListItem('send_hours.spans', index)}
                    >
                      <TextInput
                        label={t('from')}
                        placeholder="09:00"
                        {...form.getInputProps(`${at}.from`)}
                      />
                      <TextInput label={t('to')} placeholder="18:00" {...form.getInputProps(`${at}.to`)} />
                    </InputRow>
                    <Checkbox.Group label={t('days')} {...form.getInputProps(`${at}.weekdays`)}>
                      <Group gap="sm" mt={4}>
                        {WEEKDAYS.map((day) => (
                          <Checkbox key={day} value={String(day)} label={weekdayName(day)} />
                        ))}
                      </Group>
                    </Checkbox.Group>
                  </Stack>
                </Fieldset>
              );
            })}
            <FieldError error={form.errors['send_hours.spans']} />
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => form.insertListItem('send_hours.spans', newSpan())}
            >
              {t('addSpan')}
            </Button>
            <Textarea
              label={t('closed')}
              description={t('closedHint')}
              autosize
              minRows={1}
              {...form.getInputProps('send_hours.closed')}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
