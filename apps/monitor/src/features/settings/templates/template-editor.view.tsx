import { ApiError } from '@app/client/api.errors';
import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Group, Text, Title, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient, wholeList } from '../../../shared/api/page-api';
import { tellFailed } from '../../../shared/notices/notice.store';
import { Ask } from '../../../shared/ui/ask.view';
import { presentLanguage } from '../../../shared/words/language.store';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave, useAct } from '../parts/forms/save.hook';
import { NEW } from '../parts/settings-search.hook';
import { changeOf, creationOf, fieldOf, formOf, newTemplateForm, previewOf } from './template-form.format';
import { TemplateFields } from './template-fields.view';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { faultsOf } from './template.rules';
import { templateWords } from './template.words';
import classes from './template-editor.module.css';

const ASKED_EACH_MS = 5_000;

/** Every template that the person sees, by name and language. */
export const templatesQuery = queryOptions({
  queryKey: ['settings', 'templates'],
  queryFn: async ({ signal }) => {
    const templates = await wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/templates', { params, signal });
      return { items: answer.templates, next: answer.next_cursor };
    });
    const keyOf = ({ template_id, language }: (typeof templates)[number]) => `${template_id} ${language}`;
    return templates.sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
  },
  // What WhatsApp decides comes while the page is open.
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ status }) => status === 'pending') ? ASKED_EACH_MS : false,
});

interface TemplateActionsProps {
  template: GovernedTemplateAnswer;
  isDirty: boolean;
  onDeleted: () => void;
}

const refresh = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });

/** Submits a template as it is stored, or deletes a draft. */
function TemplateActions({ template: { id, name, status }, isDirty, onDeleted }: TemplateActionsProps) {
  const t = templateWords.use();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<'submit' | 'delete' | null>(null);
  const params = { path: { id } };
  const submit = async (): Promise<void> => {
    await act(
      () => api.post('/api/v1/admin/templates/{id}/submit', { params, body: {} }),
      (submitted) => t('submitted', { status: t(`status_${submitted.status}`) }),
    );
    setAsked(null);
    // A refusal of the provider is kept as the reason.
    void refresh();
  };
  const remove = async (): Promise<void> => {
    const removed = await act(() => api.delete('/api/v1/admin/templates/{id}', { params }), t('deleted'));
    setAsked(null);
    if (!removed) return;
    await refresh();
    onDeleted();
  };
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => (isDirty ? tellFailed(t('unsaved')) : setAsked('submit'))}>
        {t('submit')}
      </Button>
      {status === 'draft' && (
        <Button variant="default" c="var(--ll-danger)" onClick={() => setAsked('delete')}>
          {t('delete')}
        </Button>
      )}
      <Ask
        isOpen={asked === 'submit'}
        {...{ title: t('submit'), text: t('submitText'), name, action: t('submit'), isBusy }}
        isGrave={false}
        onAnswer={() => void submit()}
        onClose={() => setAsked(null)}
      />
      <Ask
        isOpen={asked === 'delete'}
        {...{ title: t('delete'), text: t('deleteText'), name, action: t('delete'), isBusy }}
        onAnswer={() => void remove()}
        onClose={() => setAsked(null)}
      />
    </Group>
  );
}

interface Props {
  /** Null: a new one. */
  template: GovernedTemplateAnswer | null;
  numbers: readonly { value: string; label: string }[];
  /** For which a new one begins; else for the first. */
  number?: string;
  onDone: (id: string | undefined) => void;
}

/** Writes a draft, or mends a rejected template, beside what the customer will see. */
export function TemplateEditor({ template, numbers, number = numbers[0]?.value ?? '', onDone }: Props) {
  const t = templateWords.use();
  const [before, setBefore] = useState(() =>
    template ? formOf(template) : newTemplateForm(number, presentLanguage()),
  );
  const form = useForm({ initialValues: before, validate: faultsOf });
  const { isBusy, formRef, save } = useSave(form, (path) => fieldOf(path, form.getValues()));
  const values = form.getValues();
  const settle = async (saved: GovernedTemplateAnswer): Promise<void> => {
    setBefore(formOf(saved));
    form.setInitialValues(formOf(saved));
    form.reset();
    await queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });
  };
  const submit = async (): Promise<void> => {
    const saved = await save(async () => {
      try {
        if (!template) return await api.post('/api/v1/admin/templates', { body: creationOf(values) });
        const body = changeOf(values, before);
        return await api.patch('/api/v1/admin/templates/{id}', {
          params: { path: { id: template.id } },
          body,
        });
      } catch (error) {
        const code = error instanceof ApiError ? error.code : null;
        if (code === 'ALREADY_EXISTS') {
          form.setFieldError('name', t('faultTaken'));
          focusFirstError(formRef.current);
        }
        if (code === 'TEMPLATE_CONFLICT') {
          tellFailed(t('conflict'));
          void queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });
        }
        throw error;
      }
    }, t('saved'));
    if (!saved) return;
    await settle(saved);
    if (!template) onDone(saved.id);
  };
  return (
    <div className={classes.both}>
      <form
        className={classes.form}
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <TemplateFields form={form} isNew={template === null} numbers={numbers} />
        <SaveBar isDirty={template !== null && form.isDirty()} isBusy={isBusy} onDiscard={form.reset}>
          {template && (
            <TemplateActions
              template={template}
              isDirty={form.isDirty()}
              onDeleted={() => onDone(undefined)}
            />
          )}
        </SaveBar>
      </form>
      <section className={classes.preview} aria-label={t('preview')}>
        <Group gap="xs" mb="xs">
          <Title order={3}>{t('preview')}</Title>
          <Text size="sm" c="dimmed">
            {t('previewHint')}
          </Text>
        </Group>
        <TemplatePreview {...previewOf(values)} />
      </section>
      <LeaveGuard isDirty={() => form.isDirty()} keeps={(next) => next.id === (template?.id ?? NEW)} />
    </div>
  );
}
