import type { ScenarioAnswer, TriedStepAnswer, TryScenarioAnswer } from '@app/client/api-types';
import { Alert, Button, Checkbox, Code, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { dateAndTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { explain } from '../../../shared/words/error.words';
import { SpanInput } from '../parts/forms/fields.view';
import { threadIdsIn } from '../parts/thread-id.format';
import { draftOf } from './steps/step-draft.format';
import { stepSentence, type StepNames } from './steps/step-sentence.format';
import { trialWords } from './trial.words';
import classes from './scenario-detail.module.css';

/** Plays a scenario for an imagined customer, or for a dialog: nothing is written and nothing is sent. */
export function ScenarioTrial({ scenario, names }: { scenario: ScenarioAnswer; names: StepNames }) {
  const t = trialWords.use();
  const [doesReply, setReplies] = useState(false);
  const [after, setAfter] = useState<number | null>(3_600);
  const [starts, setStarts] = useState('');
  const [thread, setThread] = useState('');
  const [found, setFound] = useState<TryScenarioAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const play = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const [threadId = thread.trim()] = threadIdsIn(thread);
    try {
      const body = {
        ...(starts !== '' && { starts_at: new Date(starts).toISOString() }),
        ...(doesReply && after !== null && { replies: [after] }),
        ...(threadId !== '' && { thread_id: threadId }),
      };
      setFound(
        await api.post('/api/v1/admin/scenarios/{id}/try', { params: { path: { id: scenario.id } }, body }),
      );
    } catch (refusal) {
      setFound(null);
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section aria-label={t('title')}>
      <Title order={3} mb="xs">
        {t('title')}
      </Title>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {t('hint')}
        </Text>
        <TextInput
          label={t('startsAt')}
          description={t('startsAtHint')}
          type="datetime-local"
          value={starts}
          onChange={(event) => setStarts(event.currentTarget.value)}
        />
        <Checkbox
          label={t('replies')}
          checked={doesReply}
          onChange={(event) => setReplies(event.currentTarget.checked)}
        />
        {doesReply && <SpanInput label={t('repliesAfter')} value={after} onChange={setAfter} />}
        <TextInput
          label={t('thread')}
          description={t('threadHint')}
          value={thread}
          onChange={(event) => setThread(event.currentTarget.value)}
        />
        <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void play()}>
          {t('play')}
        </Button>
        {error !== null && (
          <Alert color="red" role="alert" p="xs">
            {explain(error)}
          </Alert>
        )}
      </Stack>
      {found && (
        <div role="status" aria-label={t('outcome')}>
          <Text size="sm" fw={600} my="xs">
            {found.ends_at === null
              ? t(`ends_${found.state}`)
              : `${t(`ends_${found.state}`)} ${dateAndTime(found.ends_at)}`}
          </Text>
          <ol className={classes.steps}>
            {found.steps.map((tried) => {
              const step = scenario.steps[tried.index];
              return (
                step && (
                  <li key={tried.index} className={classes.step} data-outcome={tried.outcome}>
                    <Text size="sm">
                      <b>{`${tried.index + 1}. `}</b>
                      <CustomerText text={stepSentence(draftOf(step), names)} />
                    </Text>
                    <Tried tried={tried} />
                  </li>
                )
              );
            })}
          </ol>
        </div>
      )}
    </section>
  );
}

function Tried({ tried }: { tried: TriedStepAnswer }) {
  const t = trialWords.use();
  const remarks = [
    t(`outcome_${tried.outcome}`),
    ...(tried.at === null ? [] : [dateAndTime(tried.at)]),
    ...(tried.met === undefined ? [] : [t(tried.met ? 'met' : 'notMet')]),
    ...(tried.replied === undefined ? [] : [t(tried.replied ? 'replied' : 'notReplied')]),
    ...(typeof tried.next === 'number' ? [t('next', { number: tried.next + 1 })] : []),
    ...(tried.next === null ? [t('nextNone')] : []),
    ...(tried.waits_until ? [t('waitsUntil', { time: dateAndTime(tried.waits_until) })] : []),
  ];
  return (
    <>
      <Text size="xs" c="dimmed">
        {remarks.join(' · ')}
      </Text>
      {tried.text !== undefined && <CustomerText text={tried.text} component="div" />}
      {tried.request && (
        <Code block>
          {[
            `${tried.request.method} ${tried.request.url}`,
            ...(tried.request.body === null ? [] : [JSON.stringify(tried.request.body, null, 2)]),
          ].join('\n')}
        </Code>
      )}
    </>
  );
}
