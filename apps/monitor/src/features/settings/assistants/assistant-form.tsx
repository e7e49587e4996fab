import type { AssistantAnswer } from '@app/client/api-types';
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
import { checkSession } from '../../../shared/session/session-check';
import { changesOf } from '../parts/changes.format';
import { CountInput } from '../parts/forms/count-input.view';
import { useEntryForm } from '../parts/forms/entry-form.hook';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError } from '../parts/forms/save.hook';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { NEW } from '../parts/lists/open-entry.hook';
import { settingsWords } from '../settings.words';
import {
  assistantChecks,
  NEW_ASSISTANT,
  requestOfAssistant,
  valuesOfAssistant,
  type AssistantValues,
} from './assistant-values.format';
import { assistantsQuery } from './assistants.query';
import { assistantsWords } from './assistants.words';

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
