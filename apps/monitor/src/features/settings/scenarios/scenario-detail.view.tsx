import type { ScenarioAnswer } from '@app/client/api-types';
import { Alert, Badge, Button, Group, Stack, Text, Title, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { dateAndTime } from '../../../shared/format/time.format';
import { useIsAdmin } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { spanInWords, weekdayName } from '../parts/forms/span.format';
import { DetailHead } from '../parts/lists/list-detail.view';
import { settingsWords } from '../settings.words';
import { ScenarioActs } from './scenario-acts.view';
import { ScenarioTrial } from './scenario-trial.view';
import { latestRunsQuery } from './scenarios.query';
import { scenariosWords } from './scenarios.words';
import { draftOf } from './steps/step-draft.format';
import { stepRemarks, stepSentence, type StepNames } from './steps/step-sentence.format';
import classes from './scenario-detail.module.css';

/** What became of the latest leads. All of them stand on the page of runs. */
function LatestRuns({ scenarioId }: { scenarioId: string }) {
  const t = scenariosWords.use();
  const { data: runs, error, refetch } = useQuery(latestRunsQuery(scenarioId));
  return (
    <section aria-label={t('runs')}>
      <Group justify="space-between" mb="xs">
        <Title order={3}>{t('runs')}</Title>
        <Anchor
          size="sm"
          lh="24px"
          renderRoot={(props) => <Link to="/runs" search={{ scenario_id: scenarioId }} {...props} />}
        >
          {t('allRuns')}
        </Anchor>
      </Group>
      {!runs ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingState />
        )
      ) : runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noRuns')}
        </Text>
      ) : (
        <ul className={classes.runs}>
          {runs.map((run) => (
            <li key={run.id}>
              <Group justify="space-between" gap="xs">
                <Anchor
                  size="sm"
                  lh="24px"
                  renderRoot={(props) => (
                    <Link
                      to="/dialogs/$threadId"
                      params={{ threadId: run.thread_id }}
                      search={{}}
                      {...props}
                    />
                  )}
                >
                  {`${t('dialog')}, ${dateAndTime(run.started_at)}`}
                </Anchor>
                <Badge variant="default" size="sm" data-run-state={run.state}>
                  {t(`run_${run.state}`)}
                </Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** By which rules a scenario runs, in words. */
function ScenarioRules({ scenario }: { scenario: ScenarioAnswer }) {
  const t = scenariosWords.use();
  const { send_hours: hours, cooldown_seconds: cooldown } = scenario;
  const rows: [string, string][] = [
    [t('onLeave'), t(`onLeave_${scenario.on_leave}`)],
    [t('onReply'), t(`onReply_${scenario.on_reply}`)],
    [t('onTakeover'), t(`onTakeover_${scenario.on_takeover}`)],
    [t('reentry'), t(`reentry_${scenario.reentry}`)],
    [t('cooldown'), cooldown === 0 ? t('cooldownNone') : spanInWords(cooldown)],
    [t('hours'), hours === null ? t('hoursAlways') : hoursInWords(hours)],
  ];
  return (
    <dl className={classes.rules}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function hoursInWords({ timezone, spans, closed }: NonNullable<ScenarioAnswer['send_hours']>): string {
  const say = scenariosWords.say;
  const each = spans.map(({ weekdays, from, to }) => `${daysInWords(weekdays)} ${from}–${to}`);
  const words = say('hoursIn', { zone: timezone, spans: each.join('; ') });
  return closed.length === 0 ? words : words + say('hoursClosed', { count: closed.length });
}

/** Mon–Fri, or Mon, Wed. */
function daysInWords(weekdays: number[]): string {
  const days = [...weekdays].sort((a, b) => a - b);
  const [first = 1, last = 1] = [days[0], days.at(-1)];
  const areInARow = days.length > 2 && last - first === days.length - 1;
  return areInARow
    ? `${weekdayName(first)}–${weekdayName(last)}`
    : days.map((day) => weekdayName(day)).join(', ');
}

interface Props {
  scenario: ScenarioAnswer;
  names: StepNames;
  onEdit: () => void;
  onSecret: (secret: string) => void;
  onDeleted: () => void;
}

/** A scenario to be read: its steps in sentences, its rules, a trial, and its latest runs beside. */
export function ScenarioDetail({ scenario, names, onEdit, onSecret, onDeleted }: Props) {
  const t = scenariosWords.use();
  const common = settingsWords.use();
  const isAdmin = useIsAdmin();
  const steps = useMemo(() => scenario.steps.map(draftOf), [scenario.steps]);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <DetailHead name={scenario.name}>
          <Badge variant={scenario.state === 'on' ? 'light' : 'default'} data-scenario-state={scenario.state}>
            {t(`state_${scenario.state}`)}
          </Badge>
          <Text size="xs" c="dimmed">
            {t('revision', { revision: scenario.revision })}
          </Text>
        </DetailHead>
        {isAdmin && (
          <Button size="xs" onClick={onEdit}>
            {t('edit')}
          </Button>
        )}
      </Group>
      {isAdmin ? (
        scenario.state !== 'on' && (
          <Alert variant="light" p="xs">
            {t(scenario.state === 'off' ? 'offNow' : 'pausedNow')}
          </Alert>
        )
      ) : (
        <Text size="sm" c="dimmed">
          {common('readOnly')}
        </Text>
      )}
      {isAdmin && <ScenarioActs scenario={scenario} onSecret={onSecret} onDeleted={onDeleted} />}
      <div className={classes.both}>
        <Stack gap="md">
          <section aria-label={t('steps')}>
            <Title order={3} mb="xs">
              {t('steps')}
            </Title>
            <ol className={classes.steps}>
              {steps.map((step, index) => (
                <li key={step.uid} className={classes.step}>
                  <Text size="sm">
                    <b>{`${index + 1}. `}</b>
                    <CustomerText text={stepSentence(step, names)} />
                  </Text>
                  {stepRemarks(step) !== '' && (
                    <Text size="xs" c="dimmed">
                      {stepRemarks(step)}
                    </Text>
                  )}
                </li>
              ))}
            </ol>
          </section>
          {isAdmin && <ScenarioTrial scenario={scenario} names={names} />}
          <section aria-label={t('settings')}>
            <Title order={3} mb="xs">
              {t('settings')}
            </Title>
            <ScenarioRules scenario={scenario} />
          </section>
        </Stack>
        <LatestRuns scenarioId={scenario.id} />
      </div>
    </Stack>
  );
}
