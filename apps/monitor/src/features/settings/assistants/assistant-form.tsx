import type { AssistantAnswer, ChangeAssistantRequest } from '@app/client/api-types';
import { isObject } from '@app/contracts/json-object';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import {
  Checkbox,
  Fieldset,
  Group,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/page-api';
import { leadWords } from '../../../shared/leads/lead.words';
import { tellDone } from '../../../shared/notices/notice.store';
import { checkSession } from '../../../shared/session/session-calls';
import { changesOf } from '../parts/changes.format';
import { atMost, between, filled } from '../parts/forms/field-checks.format';
import { CountInput } from '../parts/forms/fields.view';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useEntryForm } from '../parts/forms/save.hook';
import { useSettingsSearch, NEW } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { assistantsQuery } from './assistants.query';
import { assistantsWords } from './assistants.words';

/** What stands in the form, by the names of the operation. An empty text is null there. */
type AssistantValues = {
  [Field in keyof Omit<Required<ChangeAssistantRequest>, 'barred_kinds' | 'vision'>]: Field extends
    | `${string}_ms`
    | `${string}_max`
    | `${string}_minutes`
    | `${string}_hour`
    ? number | null
    : string;
} & Pick<AssistantAnswer, 'barred_kinds' | 'vision'>;

/** The service's own defaults, for a new agent. */
const NEW_ASSISTANT: AssistantValues = {
  name: '',
  instructions: '',
  model: '',
  model_options: '',
  reply_delay_ms: null,
  reply_parts_max: 3,
  reply_characters_max: 2000,
  replies_per_hour: 60,
  barred_kinds: ['awaiting_payment', 'success'],
  handover_text: '',
  auto_return_minutes: 30,
  vision: false,
};

const valuesOfAssistant = ({
  id: _,
  account_id: _account,
  created_at: _at,
  ...fields
}: AssistantAnswer): AssistantValues => ({
  ...fields,
  model: fields.model ?? '',
  model_options: fields.model_options === null ? '' : JSON.stringify(fields.model_options, null, 2),
  handover_text: fields.handover_text ?? '',
});

/** The object that a text of JSON is; null: an empty text; undefined: it is none. */
function optionsIn(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As the operation takes it. */
const requestOfAssistant = (values: AssistantValues) => ({
  ...(values as AssistantValues & {
    reply_parts_max: number;
    reply_characters_max: number;
    replies_per_hour: number;
    auto_return_minutes: number;
  }),
  name: values.name.trim(),
  model: values.model.trim() || null,
  model_options: optionsIn(values.model_options) ?? null,
  handover_text: values.handover_text.trim() === '' ? null : values.handover_text,
});

const assistantChecks = {
  name: filled(200),
  instructions: atMost(20_000),
  model: atMost(200),
  model_options: (text: string) => (optionsIn(text) === undefined ? assistantsWords.say('optionsBad') : null),
  handover_text: atMost(4_096),
  reply_delay_ms: (value: number | null) => (value === null ? null : between(0, 600)(value / 1_000)),
  reply_parts_max: between(1, 10),
  reply_characters_max: between(1, 20_000),
  replies_per_hour: between(1, 1_000),
  auto_return_minutes: between(1, 10_080),
};

/** All that an agent is, to be made or changed. @param assistant null: a new one */
export function AssistantForm({ assistant }: { assistant: AssistantAnswer | null }) {
  const t = assistantsWords.use();
  const common = settingsWords.use();
  const ofLeads = leadWords.use();
  const queries = useQueryClient();
  const [, change] = useSettingsSearch();
  const { form, settle, save, isBusy, formRef } = useEntryForm<AssistantValues>({
    values: assistant ? valuesOfAssistant(assistant) : NEW_ASSISTANT,
    validate: assistantChecks,
  });

  const make = async (values: AssistantValues): Promise<void> => {
    const made = await save(
      () => api.post('/api/v1/admin/assistants', { body: requestOfAssistant(values) }),
      t('made'),
    );
    if (!made) return;
    await queries.invalidateQueries(assistantsQuery);
    // The boards and choices of the page know the agents from the session. Without an answer they learn of it when they are loaded anew.
    await checkSession().catch(() => undefined);
    change({ id: made.id }, { anyway: true });
  };
  const amend = async (id: string, values: AssistantValues): Promise<void> => {
    const body = changesOf(requestOfAssistant(form.getInitialValues()), requestOfAssistant(values));
    if (Object.keys(body).length === 0) {
      tellDone(common('nothingChanged'));
      return;
    }
    const changed = await save(() =>
      api.patch('/api/v1/admin/assistants/{id}', { params: { path: { id } }, body }),
    );
    if (!changed) return;
    settle(valuesOfAssistant(changed));
    await queries.invalidateQueries(assistantsQuery);
    if (body.name !== undefined) await checkSession().catch(() => undefined);
  };

  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={form.onSubmit(
        (values) => (assistant ? amend(assistant.id, values) : make(values)),
        () => focusFirstError(formRef.current),
      )}
    >
      <LeaveGuard isDirty={() => form.isDirty()} keeps={(next) => next.id === (assistant?.id ?? NEW)} />
      <Stack gap="md" maw={760}>
        {!assistant && <Title order={2}>{t('newTitle')}</Title>}
        <TextInput label={t('name')} description={t('nameHint')} required {...form.getInputProps('name')} />
        <Textarea
          label={t('instructions')}
          description={t('instructionsHint')}
          autosize
          minRows={6}
          maxRows={24}
          dir="auto"
          {...form.getInputProps('instructions')}
        />
        <TextInput label={t('model')} description={t('modelHint')} {...form.getInputProps('model')} />
        <Textarea
          label={t('options')}
          description={t('optionsHint')}
          autosize
          ff="monospace"
          {...form.getInputProps('model_options')}
        />
        <Checkbox
          label={t('vision')}
          description={t('visionHint')}
          {...form.getInputProps('vision', { type: 'checkbox' })}
        />
        <Textarea
          label={t('handoverText')}
          description={t('handoverHint')}
          autosize
          minRows={2}
          dir="auto"
          {...form.getInputProps('handover_text')}
        />
        <Checkbox.Group
          label={t('barred')}
          description={t('barredHint')}
          {...form.getInputProps('barred_kinds')}
        >
          <Group gap="md" mt="xs">
            {STAGE_KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={ofLeads(`kind_${kind}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Fieldset legend={t('timing')}>
          <SimpleGrid cols={1} spacing="sm">
            <CountInput
              label={t('replyDelay')}
              description={t('replyDelayHint')}
              unit={1_000}
              {...form.getInputProps('reply_delay_ms')}
            />
            <CountInput
              label={t('autoReturn')}
              description={t('autoReturnHint')}
              required
              {...form.getInputProps('auto_return_minutes')}
            />
          </SimpleGrid>
        </Fieldset>
        <Fieldset legend={t('limits')}>
          <SimpleGrid cols={1} spacing="sm">
            <CountInput
              label={t('parts')}
              description={t('partsHint')}
              required
              {...form.getInputProps('reply_parts_max')}
            />
            <CountInput
              label={t('characters')}
              description={t('charactersHint')}
              required
              {...form.getInputProps('reply_characters_max')}
            />
            <CountInput
              label={t('perHour')}
              description={t('perHourHint')}
              required
              {...form.getInputProps('replies_per_hour')}
            />
          </SimpleGrid>
        </Fieldset>
        {assistant && (
          <Text size="sm" c="dimmed">
            {t('cannotDelete')}
          </Text>
        )}
      </Stack>
      <SaveBar
        isDirty={form.isDirty()}
        isBusy={isBusy}
        label={assistant ? undefined : t('make')}
        onDiscard={assistant ? () => form.reset() : undefined}
      />
    </form>
  );
}
