import { Checkbox, Fieldset, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { FieldWarning } from '../parts/forms/field-warning.view';
import type { KeyForm } from './key-form.format';
import { keyWords } from './key.words';

const SCOPES = ['leads', 'messages'] as const;

/** What a key may do, and for how long. */
export function KeyFields({ form, isLocked }: { form: UseFormReturnType<KeyForm>; isLocked: boolean }) {
  const t = keyWords.use();
  const { assistants } = useSignedIn();
  const bots = useQuery(botsQuery);
  const { scopes, assistantIds, botIds } = form.getValues();
  const seesNone = !isLocked && assistantIds.length === 0;
  const sendsByNone = !isLocked && botIds.length === 0 && scopes.includes('messages');
  return (
    <Fieldset legend={t('form')} disabled={isLocked}>
      <Stack gap="md">
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          required
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label={t('scopes')} required {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt={4}>
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={t(`scope_${scope}`)}
                description={t(`scopeHint_${scope}`)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Choices
          {...{ label: t('agents'), hint: t('agentsHint'), none: t('noAgents') }}
          things={assistants}
          field={form.getInputProps('assistantIds')}
          warning={seesNone ? t('noAgentTicked') : null}
        />
        <Choices
          {...{ label: t('bots'), hint: t('botsHint'), none: t('noBots') }}
          things={bots.data ?? []}
          field={form.getInputProps('botIds')}
          warning={sendsByNone ? t('noBotTicked') : null}
        />
        <NumberInput
          label={t('limitLeads')}
          description={t('limitHint')}
          {...{ min: 1, max: 1_000_000, allowDecimal: false, clampBehavior: 'none', hideControls: true }}
          {...form.getInputProps('limitLeads')}
        />
        <NumberInput
          label={t('limitGeneral')}
          description={t('limitHint')}
          {...{ min: 1, max: 1_000_000, allowDecimal: false, clampBehavior: 'none', hideControls: true }}
          {...form.getInputProps('limitGeneral')}
        />
        <TextInput
          type="datetime-local"
          label={t('expires')}
          description={t('expiresHint')}
          {...form.getInputProps('expiresAt')}
        />
      </Stack>
    </Fieldset>
  );
}

interface ChoicesProps {
  label: string;
  hint: string;
  none: string;
  things: readonly { id: string; name: string }[];
  field: object;
  /** What it leads to as it is. */
  warning: string | null;
}

function Choices({ label, hint, none, things, field, warning }: ChoicesProps) {
  return (
    <div>
      <Checkbox.Group label={label} description={hint} {...field}>
        <Stack gap="xs" mt={4}>
          {things.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={<CustomerText text={name} />} />
          ))}
          {things.length === 0 && (
            <Text size="sm" c="dimmed">
              {none}
            </Text>
          )}
        </Stack>
      </Checkbox.Group>
      <FieldWarning text={warning} />
    </div>
  );
}
