import type { ScenarioAnswer, StartScenarioAnswer, StartScenarioRequest } from '@app/client/api-types';
import { Alert, Button, Group, List, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { api } from '../../../shared/api/page-api';
import { useOpening } from '../../../shared/ui/opening.hook';
import { tellDone } from '../../../shared/notices/notice.store';
import { commonWords } from '../../../shared/words/common.words';
import { explain } from '../../../shared/words/error.words';
import { useFocusRest } from '../../../shared/ui/focus.hook';
import { threadIdsIn } from '../parts/thread-id.format';
import { latestRunsQuery } from './scenarios.query';
import { trialWords } from './trial.words';

interface Props {
  scenario: ScenarioAnswer;
  onClose: () => void;
}

/** Starts a scenario by hand for leads that are in its stage already, after telling how many that would be. */
export function StartScenario({ scenario, onClose }: Props) {
  const t = trialWords.use();
  const common = commonWords.use();
  const queries = useQueryClient();
  const [whom, setWhom] = useState<'stage' | 'dialogs'>('stage');
  const opening = useOpening(onClose);
  useFocusRest();
  const [text, setText] = useState('');
  const [would, setWould] = useState<StartScenarioAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const threads = threadIdsIn(text);
  const isNobody = whom === 'dialogs' && threads.length === 0;

  const ask = async (isDry: boolean): Promise<void> => {
    setBusy(true);
    setError(null);
    const of: StartScenarioRequest = whom === 'stage' ? { whole_stage: true } : { thread_ids: threads };
    try {
      const answer = await api.post('/api/v1/admin/scenarios/{id}/start', {
        params: { path: { id: scenario.id } },
        body: { ...of, dry_run: isDry },
      });
      if (isDry) setWould(answer);
      else {
        tellDone(t('started', { count: answer.started }));
        await queries.invalidateQueries(latestRunsQuery(scenario.id));
        opening.onClose();
      }
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal {...opening} title={t('startTitle', { name: isolated(scenario.name) })}>
      <Stack gap="sm">
        <NativeSelect
          label={t('whom')}
          description={whom === 'stage' ? t('wholeStageHint') : undefined}
          data={[
            { value: 'stage', label: t('wholeStage') },
            { value: 'dialogs', label: t('someDialogs') },
          ]}
          value={whom}
          onChange={(event) => {
            setWhom(event.currentTarget.value === 'stage' ? 'stage' : 'dialogs');
            setWould(null);
          }}
        />
        {whom === 'dialogs' && (
          <Textarea
            label={t('dialogs')}
            description={t('dialogsHint')}
            autosize
            minRows={3}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setWould(null);
            }}
          />
        )}
        {would && (
          <div role="status">
            <Text size="sm" fw={600}>
              {t('would', { count: would.would_start.runs })}
            </Text>
            <Text size="sm">{t('wouldSend', { count: would.would_start.messages })}</Text>
            {Object.keys(would.skipped_counts).length > 0 && (
              <List size="sm">
                {Object.entries(would.skipped_counts).map(([reason, count]) => {
                  const key = `skip_${reason}`;
                  return (
                    <List.Item key={reason}>{`${trialWords.has(key) ? t(key) : reason}: ${count}`}</List.Item>
                  );
                })}
              </List>
            )}
          </div>
        )}
        {error !== null && (
          <Alert color="red" role="alert" p="xs">
            {explain(error)}
          </Alert>
        )}
        <Group className="ll-answers" justify="flex-end" gap="xs">
          <Button variant="default" onClick={opening.onClose}>
            {common('cancel')}
          </Button>
          {would === null ? (
            <Button loading={isBusy} disabled={isNobody} onClick={() => void ask(true)}>
              {t('look')}
            </Button>
          ) : (
            <Button loading={isBusy} disabled={would.would_start.runs === 0} onClick={() => void ask(false)}>
              {t('startNow')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
