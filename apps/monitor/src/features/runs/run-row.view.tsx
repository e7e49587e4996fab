import type { RunAnswer } from '@app/client/api-types';
import { Accordion, Badge, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { api } from '../../shared/api/page-api';
import { readablePhone } from '../../shared/format/number.format';
import { dateAndTime } from '../../shared/format/time.format';
import { isolated } from '../../shared/format/direction.format';
import { useIsAdmin } from '../../shared/session/session.store';
import { Ask } from '../../shared/ui/ask.view';
import { PassingButton, LinkButton } from '../../shared/ui/buttons.view';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { stepKindWords } from '../../shared/words/step-kind.words';
import { RunSteps } from './run-steps.view';
import { useLead, useRunAct } from './runs.query';
import { runsWords } from './runs.words';
import classes from './runs.module.css';

const COLORS: Record<RunAnswer['state'], string> = {
  running: 'blue',
  waiting: 'blue',
  paused: 'orange',
  done: 'teal',
  failed: 'red',
  cancelled: 'gray',
};

/** One run: what became of it in a line, and its steps on demand. */
export function RunRow({ run }: { run: RunAnswer }) {
  const t = runsWords.use();
  const ofSteps = stepKindWords.use();
  const { id, scenario_name, state, reason, started_at, finished_at, next_at } = run;
  const failed = reason === 'step_failed' ? run.steps.findLast((step) => step.state === 'failed') : undefined;
  return (
    <Accordion.Item value={id} data-run-id={id} className={classes.run}>
      <Accordion.Control>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            <CustomerText text={scenario_name} />
          </Text>
          <Badge variant="light" color={COLORS[state]}>
            {t(state === 'cancelled' ? 'cancelledState' : state)}
          </Badge>
          {reason !== null && (
            <Text size="sm">
              {failed
                ? t('failedStep', { number: failed.index + 1, kind: ofSteps(`kind_${failed.kind}`) })
                : t(`reason_${reason}`)}
            </Text>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {[
            t('startedAt', { at: dateAndTime(started_at) }),
            finished_at !== null ? t('endedAt', { at: dateAndTime(finished_at) }) : null,
            finished_at === null && next_at !== null ? t('nextAt', { at: dateAndTime(next_at) }) : null,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Lead threadId={run.thread_id} />
          <Cause run={run} />
          <RunSteps run={run} />
          <Acts run={run} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Whose run it is. */
function Lead({ threadId }: { threadId: string }) {
  const t = runsWords.use();
  const { data } = useLead(threadId);
  if (!data?.phone) return null;
  return (
    <Text size="sm" fw={600}>
      <CustomerText text={t('ofLead', { phone: readablePhone(data.phone) })} />
    </Text>
  );
}

function Cause({ run: { cause, retried_by } }: { run: RunAnswer }) {
  const t = runsWords.use();
  const { type } = cause;
  const name = isolated(cause.name);
  const said =
    type === 'hand'
      ? t('byHand', { name })
      : type === 'scenario'
        ? t('byScenario', { name })
        : type === 'agent'
          ? t('byAgent')
          : t('by', { name });
  return (
    <Text size="sm">
      <CustomerText text={said} />
      {retried_by !== null && (
        <>
          {' · '}
          <CustomerText text={t('retriedBy', { name: isolated(retried_by.name) })} />
        </>
      )}
    </Text>
  );
}

function Acts({ run: { id, state, thread_id } }: { run: RunAnswer }) {
  const t = runsWords.use();
  const isAdmin = useIsAdmin();
  const cancel = useRunAct(t('cancelled'));
  const retry = useRunAct(t('retried'));
  const params = { path: { id } };
  const acts = useRef<HTMLDivElement>(null);
  const toDialog = () => acts.current?.querySelector('a');
  const [isAsking, asking] = useDisclosure();
  const goOn = (from: 'failed' | 'start') =>
    retry.mutate(() => api.post('/api/v1/admin/scenario-runs/{id}/retry', { params, body: { from } }));
  const isOpen = state === 'running' || state === 'waiting' || state === 'paused';
  return (
    <Group ref={acts} gap="xs">
      <LinkButton to="/dialogs/$threadId" params={{ threadId: thread_id }} size="xs" variant="light">
        {t('openDialog')}
      </LinkButton>
      {isAdmin && isOpen && (
        <PassingButton
          size="xs"
          variant="default"
          loading={cancel.isPending}
          next={toDialog}
          onClick={() => cancel.mutate(() => api.post('/api/v1/admin/scenario-runs/{id}/cancel', { params }))}
        >
          {t('cancel')}
        </PassingButton>
      )}
      {isAdmin && (state === 'failed' || state === 'cancelled') && (
        <>
          <PassingButton
            size="xs"
            variant="default"
            loading={retry.isPending}
            next={toDialog}
            onClick={() => goOn('failed')}
          >
            {t('retry')}
          </PassingButton>
          <PassingButton size="xs" variant="default" next={toDialog} onClick={asking.open}>
            {t('retryFromStart')}
          </PassingButton>
        </>
      )}
      <Ask
        isOpen={isAsking}
        title={t('retryFromStart')}
        text={t('retryFromStartText')}
        action={t('retryFromStart')}
        isGrave={false}
        onAnswer={() => {
          asking.close();
          goOn('start');
        }}
        onClose={asking.close}
      />
    </Group>
  );
}
