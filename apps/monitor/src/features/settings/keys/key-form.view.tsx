import type { ApiKeyAnswer, ChangeApiKeyRequest, IssueApiKeyRequest } from '@app/client/api-types';
import { Checkbox, Fieldset, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { serverNow } from '../../../shared/format/server-clock';
import { localInput } from '../../../shared/format/time.format';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { changesOf } from '../parts/changes.format';
import { FieldWarning } from '../parts/forms/fields.view';
import { keyWords } from './key.words';

/** A key as its form has it. */
interface KeyForm {
  name: string;
  scopes: string[];
  assistantIds: string[];
  botIds: string[];
  limitLeads: number | '';
  limitGeneral: number | '';
  /** As `<input type="datetime-local">` has it; empty: never. */
  expiresAt: string;
}

export const NEW_KEY: KeyForm = {
  ...{ name: '', scopes: ['leads'], assistantIds: [], botIds: [] },
  ...{ limitLeads: '', limitGeneral: '', expiresAt: '' },
};

export const formOf = (key: ApiKeyAnswer): KeyForm => ({
  ...{ name: key.name, scopes: key.scopes, assistantIds: key.assistant_ids, botIds: key.bot_ids },
  ...{ limitLeads: key.limit_leads ?? '', limitGeneral: key.limit_general ?? '' },
  expiresAt: key.expires_at === null ? '' : localInput(key.expires_at),
});

/** Whether it says when the key expires, and that is over. */
const isPast = (expiresAt: string): boolean =>
  expiresAt !== '' && new Date(expiresAt).getTime() <= serverNow();

const isLimit = (limit: number | ''): boolean => limit === '' || (limit >= 1 && limit <= 1_000_000);

/** Faults by field. An expiry that stays as it was may be over. */
export function faultsOf(form: KeyForm, before: KeyForm): Partial<Record<keyof KeyForm, string>> {
  const t = keyWords.say;
  return {
    ...(form.name.trim() === '' ? { name: t('nameNeeded') } : {}),
    ...(form.scopes.length === 0 ? { scopes: t('scopesNeeded') } : {}),
    ...(isLimit(form.limitLeads) ? {} : { limitLeads: t('limitRange') }),
    ...(isLimit(form.limitGeneral) ? {} : { limitGeneral: t('limitRange') }),
    ...(form.expiresAt !== before.expiresAt && isPast(form.expiresAt) ? { expiresAt: t('expiresPast') } : {}),
  };
}

const bodyOf = (form: KeyForm) => ({
  name: form.name.trim(),
  scopes: form.scopes as ApiKeyAnswer['scopes'],
  assistant_ids: form.assistantIds,
  bot_ids: form.botIds,
  limit_leads: form.limitLeads === '' ? null : form.limitLeads,
  limit_general: form.limitGeneral === '' ? null : form.limitGeneral,
  expires_at: form.expiresAt === '' ? null : new Date(form.expiresAt).toISOString(),
});

export function issueOf(form: KeyForm): IssueApiKeyRequest {
  const { expires_at, ...body } = bodyOf(form);
  return { ...body, ...(expires_at === null ? {} : { expires_at }) };
}

export const changeOf = (form: KeyForm, before: KeyForm): ChangeApiKeyRequest =>
  changesOf<ChangeApiKeyRequest>(bodyOf(before), bodyOf(form));

const FIELDS: Record<string, keyof KeyForm> = {
  ...{ assistant_ids: 'assistantIds', bot_ids: 'botIds', expires_at: 'expiresAt' },
  ...{ limit_leads: 'limitLeads', limit_general: 'limitGeneral' },
};

/** Where a fault that the server has found stands in the form. */
export const fieldOf = (path: string): string => {
  const [head = ''] = path.split('.');
  return FIELDS[head] ?? head;
};

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
