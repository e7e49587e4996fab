import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { settingsWords } from '../../settings.words';
import { newSpan, type HoursDraft } from './hours.format';
import { InputRow, FieldError } from './fields.view';
import { weekdayName } from './span.format';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** What it needs of a form, whatever else the form has. */
interface HoursForm {
  errors: Record<string, ReactNode>;
  getInputProps: (path: string) => object;
  insertListItem: (path: string, item: unknown) => void;
  removeListItem: (path: string, index: number) => void;
}

interface Props {
  form: HoursForm;
  /** Where the hours are in the form. */
  path: string;
  hours: HoursDraft;
  label: string;
  description?: string;
  /** What is chosen between: no hours, or these. */
  choices: { none: string; some: string };
  isSet: boolean;
  onSet: (isSet: boolean) => void;
  /** Fields beside the hours. */
  children?: ReactNode;
}

/** Hours of the week, and dates without, or none. */
export function HoursEditor({ form, path, hours, label, choices, isSet, onSet, ...rest }: Props) {
  const t = settingsWords.use();
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        <NativeSelect
          aria-label={label}
          description={rest.description}
          data={[
            { value: 'none', label: choices.none },
            { value: 'some', label: choices.some },
          ]}
          value={isSet ? 'some' : 'none'}
          onChange={(event) => onSet(event.currentTarget.value === 'some')}
        />
        <FieldError error={form.errors[path]} />
        {isSet && (
          <>
            {rest.children}
            {hours.spans.map((_, index) => {
              const at = `${path}.spans.${index}`;
              return (
                <Fieldset
                  // Hours are known by their place alone.
                  key={index}
                  legend={t('span', { number: index + 1 })}
                >
                  <Stack gap="xs">
                    <InputRow
                      removeLabel={t('removeSpan', { number: index + 1 })}
                      onRemove={() => form.removeListItem(`${path}.spans`, index)}
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
            <FieldError error={form.errors[`${path}.spans`]} />
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => form.insertListItem(`${path}.spans`, newSpan())}
            >
              {t('addSpan')}
            </Button>
            <Textarea
              label={t('closed')}
              description={t('closedHint')}
              autosize
              minRows={1}
              {...form.getInputProps(`${path}.closed`)}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
