import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { useAct } from '../parts/forms/act.hook';
import { Ask } from '../../../shared/ui/ask.view';
import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { templatesQuery } from './templates.query';
import { templateWords } from './template.words';

/** Makes the registry follow the provider's own list, for one number. */
export function Synchronise({ numbers }: { numbers: readonly { value: string; label: string }[] }) {
  const t = templateWords.use();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const [number, setNumber] = useState('');
  const chosen = number === '' ? (numbers[0]?.value ?? '') : number;
  const synchronise = async (): Promise<void> => {
    const [bot_id = '', channel] = chosen.split(' ') as [string, GovernedTemplateAnswer['channel']];
    const body = { bot_id, channel };
    const counts = await act(
      () => api.post('/api/v1/admin/templates/synchronize', { body }),
      (done) => t(done.unreadable > 0 ? 'synchronisedInPart' : 'synchronised', { ...done }),
    );
    if (!counts) return;
    setAsked(false);
    void queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });
  };
  return (
    <>
      <Button size="xs" variant="default" disabled={numbers.length === 0} onClick={() => setAsked(true)}>
        {t('synchronise')}
      </Button>
      <Ask
        isOpen={isAsked}
        {...{ title: t('synchroniseTitle'), text: t('synchroniseHint'), action: t('synchronise'), isBusy }}
        isGrave={false}
        onAnswer={() => void synchronise()}
        onClose={() => setAsked(false)}
      >
        <NativeSelect
          label={t('number')}
          mt="sm"
          data-autofocus
          data={[...numbers]}
          value={chosen}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      </Ask>
    </>
  );
}
