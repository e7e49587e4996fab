import { ApiError } from '@app/client/api.errors';
import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Group, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { tellFailed } from '../../../shared/notices/notice.store';
import { presentLanguage } from '../../../shared/words/language.store';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { NEW } from '../parts/lists/open-entry.hook';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { changeOf, creationOf, fieldOf, formOf, newTemplateForm, previewOf } from './template-form.format';
import { TemplateActions } from './template-actions.view';
import { TemplateFields } from './template-fields.view';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { faultsOf } from './template.rules';
import { templatesQuery } from './templates.query';
import { templateWords } from './template.words';
import classes from './template-editor.module.css';

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
