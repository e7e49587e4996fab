import type { ScenarioAnswer, StartScenarioAnswer, StartScenarioRequest } from '@app/client/api-types';
import { OVERLAP_HOURS, OVERLAP_HOURS_MAX } from '@app/contracts/webhook.words';
import { Button, Group, Alert, List, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { api } from '../../../shared/api/page-api';
import { tellDone, tellError } from '../../../shared/notices/notice.store';
import { confirmed, NotConfirmedError } from '../../../shared/ui/confirmation.store';
import { Ask } from '../../../shared/ui/ask.view';
import { useFocusRest } from '../../../shared/ui/focus.hook';
import { useOpening } from '../../../shared/ui/opening.hook';
import { commonWords } from '../../../shared/words/common.words';
import { explain } from '../../../shared/words/error.words';
import { CountInput } from '../parts/forms/fields.view';
import { scenariosQuery } from '../parts/funnel.query';
import { threadIdsIn } from '../parts/thread-id.format';
import { scenariosWords } from './scenarios.words';
import { latestRunsQuery } from './scenarios.query';
import { trialWords } from './trial.words';

interface StartScenarioProps {
  scenario: ScenarioAnswer;
  onClose: () => void;
}

/** Starts a scenario by hand for leads that are in its stage already, after telling how many that would be. */
function StartScenario({ scenario, onClose }: StartScenarioProps) {
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

interface Props {
  scenario: ScenarioAnswer;
  onSecret: (secret: string) => void;
  onDeleted: () => void;
}

type Asked = 'start' | 'cancel' | 'rotate' | 'delete' | null;

/** What is done with a scenario as a whole: switched, started by hand, stopped, deleted. */
export function ScenarioActs({ scenario, onSecret, onDeleted }: Props) {
  const t = scenariosWords.use();
  const trial = trialWords.use();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>(null);
  const [isBusy, setBusy] = useState(false);
  const [overlap, setOverlap] = useState<number | null>(OVERLAP_HOURS);
  const path = { id: scenario.id };
  const close = () => setAsked(null);

  /** Does it, tells of it, and shows what became of it. */
  const act = async (does: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      tellDone(await does());
      setAsked(null);
      await queries.invalidateQueries(scenariosQuery(scenario.assistant_id));
      await queries.invalidateQueries(latestRunsQuery(scenario.id));
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) tellError(error);
    } finally {
      setBusy(false);
    }
  };
  const turn = (state: ScenarioAnswer['state']) =>
    act(async () => {
      await api.patch('/api/v1/admin/scenarios/{id}', { params: { path }, body: { state } });
      return t(`turned_${state}`);
    });
  const cancelRuns = () =>
    act(async () => {
      const { cancelled } = await api.post('/api/v1/admin/scenarios/{id}/cancel-runs', { params: { path } });
      return t('cancelled', { count: cancelled });
    });
  const remove = () =>
    act(async () => {
      await api.delete('/api/v1/admin/scenarios/{id}', { params: { path } });
      onDeleted();
      return t('deleted');
    });
  const rotate = async (): Promise<void> => {
    setAsked(null);
    try {
      const body = { overlap_hours: overlap ?? 24 };
      const made = await confirmed(() =>
        api.post('/api/v1/admin/scenarios/{id}/rotate-secret', { params: { path }, body }),
      );
      onSecret(made.signing_secret);
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) tellError(error);
    }
  };

  const button = (label: string, onClick: () => void, isGrave = false) => (
    <Button
      size="compact-sm"
      variant="default"
      c={isGrave ? 'var(--mantine-color-error)' : undefined}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  const { name, state } = scenario;
  return (
    <Group gap="xs">
      {state !== 'on' && button(t('turnOn'), () => void turn('on'))}
      {state === 'on' && button(t('pause'), () => void turn('paused'))}
      {state !== 'off' && button(t('turnOff'), () => void turn('off'))}
      {button(trial('start'), () => setAsked('start'))}
      {button(t('cancelRuns'), () => setAsked('cancel'))}
      {button(t('rotate'), () => setAsked('rotate'))}
      {button(t('delete'), () => setAsked('delete'), true)}
      <Ask
        isOpen={asked === 'cancel'}
        title={t('cancelTitle', { name: isolated(name) })}
        text={t('cancelText')}
        action={t('cancelRuns')}
        isBusy={isBusy}
        onAnswer={() => void cancelRuns()}
        onClose={close}
      />
      <Ask
        isOpen={asked === 'delete'}
        title={t('deleteTitle', { name: isolated(name) })}
        text={t('deleteText')}
        action={t('delete')}
        isBusy={isBusy}
        onAnswer={() => void remove()}
        onClose={close}
      />
      <Ask
        isOpen={asked === 'rotate'}
        title={t('rotateTitle')}
        text={t('rotateText')}
        action={t('rotate')}
        isGrave={false}
        onAnswer={() => void rotate()}
        onClose={close}
      >
        <CountInput
          label={t('overlap')}
          description={t('overlapHint', { most: OVERLAP_HOURS_MAX })}
          value={overlap}
          onChange={setOverlap}
          max={OVERLAP_HOURS_MAX}
        />
      </Ask>
      {asked === 'start' && <StartScenario scenario={scenario} onClose={close} />}
    </Group>
  );
}
