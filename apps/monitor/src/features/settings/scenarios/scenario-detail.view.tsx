import type { ScenarioAnswer } from '@app/client/api-types';
import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useIsAdmin } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { DetailHead } from '../parts/lists/detail-head.view';
import { settingsWords } from '../settings.words';
import { LatestRuns } from './latest-runs.view';
import { ScenarioActs } from './scenario-acts.view';
import { ScenarioRules } from './scenario-rules.view';
import { ScenarioTrial } from './scenario-trial.view';
import { scenariosWords } from './scenarios.words';
import { draftOf } from './steps/step-draft.format';
import { stepRemarks, stepSentence, type StepNames } from './steps/step-sentence.format';
import classes from './scenario-detail.module.css';

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
