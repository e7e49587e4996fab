import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { tellFailed } from '../../../shared/notices/notice.store';
import { useAct } from '../parts/forms/act.hook';
import { Ask } from '../../../shared/ui/ask.view';
import { templatesQuery } from './templates.query';
import { templateWords } from './template.words';

interface Props {
  template: GovernedTemplateAnswer;
  isDirty: boolean;
  onDeleted: () => void;
}

const refresh = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });

/** Submits a template as it is stored, or deletes a draft. */
export function TemplateActions({ template: { id, name, status }, isDirty, onDeleted }: Props) {
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
