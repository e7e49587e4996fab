import type { ToolAnswer } from '@app/client/api-types';
import { Button, NativeSelect, Stack, Switch, Textarea, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { api } from '../../../shared/api/page-api';
import { tellDone, tellError } from '../../../shared/notices/notice.store';
import { Ask } from '../../../shared/ui/ask.view';
import { changesOf } from '../parts/changes.format';
import { CountInput } from '../parts/forms/fields.view';
import { METHODS } from '../parts/http-methods.format';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useEntryForm } from '../parts/forms/save.hook';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { toolsQuery } from './assistants.query';
import { ToolFacts, ToolHeaders } from './tool-rows.view';
import { NEW_TOOL, requestOfTool, toolChecks, valuesOfTool, type ToolValues } from './tool-values.format';
import { toolsWords } from './tools.words';
import code from '../parts/code.module.css';

interface Props {
  assistantId: string;
  /** Null: a new one. */
  tool: ToolAnswer | null;
}

/** A tool of an agent, to be made, changed or removed. */
export function ToolForm({ assistantId, tool }: Props) {
  const t = toolsWords.use();
  const common = settingsWords.use();
  const queries = useQueryClient();
  const [, change] = useSettingsSearch();
  const [isAsking, setAsking] = useState(false);
  const { form, settle, save, isBusy, formRef } = useEntryForm<ToolValues>({
    values: tool ? valuesOfTool(tool) : NEW_TOOL,
    validate: toolChecks,
  });
  const renew = () => queries.invalidateQueries(toolsQuery(assistantId));

  const make = async (values: ToolValues): Promise<void> => {
    const call = { params: { path: { id: assistantId } }, body: requestOfTool(values) };
    const made = await save(() => api.post('/api/v1/admin/assistants/{id}/tools', call), t('made'));
    if (!made) return;
    await renew();
    change({ tool: made.id }, { anyway: true });
  };
  const amend = async (id: string, values: ToolValues): Promise<void> => {
    const body = changesOf(requestOfTool(form.getInitialValues()), requestOfTool(values));
    if (Object.keys(body).length === 0) {
      tellDone(common('nothingChanged'));
      return;
    }
    const call = { params: { path: { id: assistantId, tool_id: id } }, body };
    const changed = await save(() => api.patch('/api/v1/admin/assistants/{id}/tools/{tool_id}', call));
    if (!changed) return;
    settle(valuesOfTool(changed));
    await renew();
  };
  const remove = async (id: string): Promise<void> => {
    try {
      await api.delete('/api/v1/admin/assistants/{id}/tools/{tool_id}', {
        params: { path: { id: assistantId, tool_id: id } },
      });
    } catch (error) {
      tellError(error);
      return;
    }
    tellDone(t('removed'));
    change({ tool: undefined }, { anyway: true });
    await renew();
  };

  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={form.onSubmit(
        (values) => (tool ? amend(tool.id, values) : make(values)),
        () => focusFirstError(formRef.current),
      )}
    >
      <LeaveGuard isDirty={() => form.isDirty()} />
      <Stack gap="md">
        <Title order={3}>{tool ? tool.name : t('newTitle')}</Title>
        <Switch label={t('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        <TextInput label={t('name')} description={t('nameHint')} required {...form.getInputProps('name')} />
        <Textarea
          label={t('description')}
          description={t('descriptionHint')}
          required
          autosize
          minRows={2}
          dir="auto"
          {...form.getInputProps('description')}
        />
        <NativeSelect label={t('method')} data={[...METHODS]} {...form.getInputProps('method')} />
        <TextInput
          label={t('url')}
          description={t('urlHint')}
          type="url"
          required
          {...form.getInputProps('url')}
        />
        <Textarea
          label={t('parameters')}
          description={t('parametersHint')}
          autosize
          minRows={3}
          maxRows={20}
          spellCheck={false}
          classNames={{ input: code.code }}
          {...form.getInputProps('parameters')}
        />
        <ToolFacts form={form} />
        <ToolHeaders form={form} tool={tool} />
        <CountInput
          label={t('timeout')}
          description={t('timeoutHint')}
          unit={1_000}
          required
          {...form.getInputProps('timeout_ms')}
        />
      </Stack>
      <SaveBar
        isDirty={form.isDirty()}
        isBusy={isBusy}
        label={tool ? undefined : t('make')}
        onDiscard={tool ? () => form.reset() : undefined}
      >
        {tool && (
          <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t('remove')}
          </Button>
        )}
      </SaveBar>
      {tool && (
        <Ask
          isOpen={isAsking}
          title={t('removeTitle', { name: isolated(tool.name) })}
          text={t('removeText')}
          action={t('remove')}
          onAnswer={() => void remove(tool.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  );
}
