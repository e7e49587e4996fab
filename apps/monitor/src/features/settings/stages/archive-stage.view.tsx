import { ApiError } from '@app/client/api.errors';
import type { StageSettingsAnswer } from '@app/client/api-types';
import { Alert, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { api } from '../../../shared/api/page-api';
import { tellDone } from '../../../shared/notices/notice.store';
import { explain } from '../../../shared/words/error.words';
import { Ask } from '../../../shared/ui/ask.view';
import { stagesWords } from './stages.words';

interface Props {
  stage: StageSettingsAnswer;
  /** Where its leads may go. */
  others: StageSettingsAnswer[];
  onClose: () => void;
  onArchived: () => void;
}

/** Archives a stage, and asks where its leads go. */
export function ArchiveStage({ stage, others, onClose, onArchived }: Props) {
  const t = stagesWords.use();
  const [moveTo, setMoveTo] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const archive = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const query = moveTo === '' ? {} : { move_to: moveTo };
      await api.delete('/api/v1/admin/statuses/{id}', { params: { path: { id: stage.id }, query } });
      tellDone(t('archived'));
      onArchived();
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };

  const isInUse = error instanceof ApiError && error.code === 'STATUS_IN_USE';
  return (
    <Ask
      isOpen
      title={t('archiveTitle', { name: isolated(stage.name) })}
      text={t('archiveText')}
      action={t('archive')}
      isBusy={isBusy}
      onAnswer={() => void archive()}
      onClose={onClose}
    >
      <NativeSelect
        mt="sm"
        label={t('moveTo')}
        data={[
          { value: '', label: t('moveNowhere') },
          { value: 'none', label: t('moveNone') },
          ...others.map(({ id, name }) => ({ value: id, label: t('moveStage', { name: isolated(name) }) })),
        ]}
        value={moveTo}
        onChange={(event) => setMoveTo(event.currentTarget.value)}
      />
      {error !== null && (
        <Alert color="red" role="alert" mt="sm" p="xs">
          {isInUse ? t('inUse') : explain(error)}
        </Alert>
      )}
    </Ask>
  );
}
