import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useIsAdmin } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState } from '../../../shared/ui/states.view';
import { AgentChoice } from '../parts/agent-choice.view';
import { EntryList, NewButton } from '../parts/lists/entry-list.view';
import { scenariosQuery, stagesQuery } from '../parts/funnel.query';
import { ListDetail, ListPending } from '../parts/lists/list-detail.view';
import { useSettingsSearch, NEW, useAgent } from '../parts/settings-search.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { settingsWords } from '../settings.words';
import { ScenarioDetail } from './scenario-detail.view';
import { ScenarioForm } from './scenario-form';
import { peopleQuery } from './scenarios.query';
import { scenariosWords } from './scenarios.words';
import { stepKindWords } from '../../../shared/words/step-kind.words';

const NOBODY: ReadonlyMap<string, string> = new Map();

/** `/settings/scenarios`: what the stages of an agent start, and the scenario that is open. */
export function ScenariosPage() {
  const common = settingsWords.use();
  const agent = useAgent();
  return agent === null ? (
    <EmptyState title={common('noAgents')} hint={common('noAgentsHint')} />
  ) : (
    <Scenarios key={agent} assistantId={agent} />
  );
}

function Scenarios({ assistantId }: { assistantId: string }) {
  const t = scenariosWords.use();
  const common = settingsWords.use();
  const ofSteps = stepKindWords.use();
  const isAdmin = useIsAdmin();
  const [{ id, stage: stageId, edit }, change] = useSettingsSearch();
  const stages = useQuery(stagesQuery(assistantId));
  const scenarios = useQuery(scenariosQuery(assistantId));
  const { data: people = NOBODY } = useQuery({ ...peopleQuery, enabled: isAdmin });
  const [secret, setSecret] = useState<string | null>(null);
  const names = useMemo(
    () => ({ stages: new Map(stages.data?.map((stage) => [stage.id, stage.name])), people }),
    [stages.data, people],
  );
  const failed = [stages, scenarios].find(({ error, data }) => error !== null && data === undefined);
  if (!stages.data || !scenarios.data)
    return (
      <ListPending title={t('title')} error={failed?.error ?? null} onRetry={() => void failed?.refetch()} />
    );

  const open = scenarios.data.find((scenario) => scenario.id === id);
  const search = (next: string) => ({ agent: assistantId, id: next });
  const groups = stages.data
    .map((stage) => ({ stage, entries: scenarios.data.filter(({ status_id }) => status_id === stage.id) }))
    .filter(({ entries }) => entries.length > 0);
  const [firstStage] = stages.data;
  const close = () => change({ id: undefined, edit: undefined, stage: undefined }, { anyway: true });
  const saved = (savedId: string, newSecret: string | null): void => {
    setSecret(newSecret);
    change({ id: savedId, edit: undefined, stage: undefined }, { anyway: true });
  };

  return (
    <>
      <ListDetail
        title={t('title')}
        action={
          isAdmin && (
            <NewButton
              label={t('new')}
              onClick={() => change({ agent: assistantId, id: NEW, edit: undefined })}
            />
          )
        }
        list={
          <Stack gap="sm">
            <AgentChoice
              value={assistantId}
              onChange={(agent) => change({ agent, id: undefined, edit: undefined, stage: undefined })}
            />
            <Text size="sm" c="dimmed">
              {isAdmin ? t('hint') : common('readOnly')}
            </Text>
            {groups.length === 0 && <EmptyState title={t('none')} hint={t('noneHint')} />}
            {groups.map(({ stage, entries }) => (
              <div key={stage.id}>
                <Title order={2} size="h3" mb={4}>
                  <CustomerText text={stage.name} />
                </Title>
                <EntryList
                  label={stage.name}
                  entries={entries.map(({ id: scenarioId, name, state, steps }) => ({
                    id: scenarioId,
                    name,
                    detail: steps.map(({ kind }) => ofSteps(`kind_${kind}`)).join(' · '),
                    mark: state === 'on' ? undefined : t(`state_${state}`),
                  }))}
                  openId={id}
                  search={search}
                />
              </div>
            ))}
          </Stack>
        }
        detail={
          id === undefined ? null : isAdmin && id === NEW ? (
            firstStage ? (
              <ScenarioForm
                key={NEW}
                assistantId={assistantId}
                scenario={null}
                stages={stages.data}
                stageId={names.stages.has(stageId ?? '') ? (stageId ?? '') : firstStage.id}
                names={names}
                onSaved={saved}
                onDiscard={close}
              />
            ) : (
              <EmptyState title={t('noStages')} />
            )
          ) : !open ? (
            <EmptyState title={common('gone')} />
          ) : isAdmin && edit !== undefined ? (
            <ScenarioForm
              key={`${open.id} edit`}
              assistantId={assistantId}
              scenario={open}
              stages={stages.data}
              stageId={open.status_id}
              names={names}
              onSaved={saved}
              onDiscard={close}
            />
          ) : (
            <ScenarioDetail
              key={open.id}
              scenario={open}
              names={names}
              onEdit={() => change({ edit: 'yes' })}
              onSecret={setSecret}
              onDeleted={close}
            />
          )
        }
        onBack={() => change({ id: undefined, edit: undefined, stage: undefined })}
      />
      <ShownOnce
        secret={secret}
        {...{ title: t('secretTitle'), text: t('secretText'), label: t('secretTitle') }}
        onClose={() => setSecret(null)}
      />
    </>
  );
}
