import type { RunAnswer, RunStepAnswer } from '@app/client/api-types';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { api } from '../../shared/api/page-api';
import { dateAndTime } from '../../shared/format/time.format';
import { providerRule } from '../../shared/messages/provider-rule.format';
import { providerRuleWords } from '../../shared/messages/provider-rule.words';
import { useIsAdmin } from '../../shared/session/session.store';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { errorWords } from '../../shared/words/error.words';
import { stepKindWords } from '../../shared/words/step-kind.words';
import { useRunAct } from './runs.query';
import { runsWords } from './runs.words';
import classes from './runs.module.css';

/** Each step of a run, reached or not, and what became of it. */
export function RunSteps({ run }: { run: RunAnswer }) {
  const t = runsWords.use();
  return (
    <ol className={classes.steps} aria-label={t('steps')}>
      {run.steps.map((step) => (
        <li key={step.index} className={classes.step} data-state={step.state}>
          <Step run={run} step={step} />
        </li>
      ))}
    </ol>
  );
}

function Step({ run, step }: { run: RunAnswer; step: RunStepAnswer }) {
  const t = runsWords.use();
  const ofSteps = stepKindWords.use();
  const { kind, label, state, attempts, error, message, started_at, finished_at } = step;
  const at = finished_at ?? started_at;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {ofSteps(`kind_${kind}`)}
        </Text>
        {label !== null && (
          <Text size="sm" c="dimmed">
            <CustomerText text={label} />
          </Text>
        )}
        <Badge variant="light" color={COLORS[state]} size="sm">
          {t(state)}
        </Badge>
      </Group>
      <Group gap="xs">
        {at !== null && (
          <Text size="xs" c="dimmed">
            {dateAndTime(at)}
          </Text>
        )}
        {attempts > 1 && (
          <Text size="xs" c="dimmed">
            {t('attempts', { count: attempts })}
          </Text>
        )}
        {message !== null && (
          <Text size="xs" c="dimmed">
            {t(`message_${message.status}`)}
          </Text>
        )}
      </Group>
      {error !== null && <StepError error={error} isFailed={state === 'failed'} />}
      {state === 'unknown' && <Resolve run={run} index={step.index} />}
    </Stack>
  );
}

/** By which rule the messenger refused it, the messenger's words behind it; or else those of the service. */
function StepError({ error, isFailed }: { error: NonNullable<RunStepAnswer['error']>; isFailed: boolean }) {
  const ofRules = providerRuleWords.use();
  const rule = providerRule(error);
  if (rule === null)
    return (
      <Text size="xs" c="var(--ll-danger)">
        {isFailed && `${errorWords.has(error.code) ? errorWords.say(error.code) : error.code} `}
        <CustomerText text={error.message} />
      </Text>
    );
  return (
    <Text size="xs" c="var(--ll-danger)" component="div">
      {rule}
      <details>
        <summary>{ofRules('theirWords')}</summary>
        <CustomerText text={error.message} component="div" />
      </details>
    </Text>
  );
}

const COLORS: Record<RunStepAnswer['state'], string> = {
  pending: 'gray',
  running: 'blue',
  waiting: 'blue',
  done: 'teal',
  skipped: 'gray',
  failed: 'red',
  unknown: 'orange',
};

/** For a step of which nobody knows whether it was done. */
function Resolve({ run, index }: { run: RunAnswer; index: number }) {
  const t = runsWords.use();
  const isAdmin = useIsAdmin();
  const act = useRunAct(t('resolved'));
  if (!isAdmin) return null;
  const say = (sent: boolean) =>
    act.mutate(() =>
      api.post('/api/v1/admin/scenario-runs/{id}/steps/{index}/resolve', {
        params: { path: { id: run.id, index } },
        body: { sent },
      }),
    );
  return (
    <Stack gap={4}>
      <Text size="xs">{t('resolveHint')}</Text>
      <Group gap="xs">
        <Button size="compact-sm" variant="light" loading={act.isPending} onClick={() => say(true)}>
          {t('wasSent')}
        </Button>
        <Button size="compact-sm" variant="default" loading={act.isPending} onClick={() => say(false)}>
          {t('wasNotSent')}
        </Button>
      </Group>
    </Stack>
  );
}
