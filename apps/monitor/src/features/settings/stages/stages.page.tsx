import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { leadWords } from '../../../shared/leads/lead.words';
import { useIsAdmin } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState } from '../../../shared/ui/states.view';
import { AgentChoice } from '../parts/agent-choice.view';
import { useAgent } from '../parts/agent.hook';
import { scenariosQuery, stagesQuery } from '../parts/funnel.query';
import { ListDetail } from '../parts/lists/list-detail.view';
import { ListPending } from '../parts/lists/list-pending.view';
import { NewButton } from '../parts/lists/new-button.view';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { SortableRow } from '../parts/lists/sortable-row.view';
import { NEW } from '../parts/lists/open-entry.hook';
import { settingsWords } from '../settings.words';
import { StageForm } from './stage-form';
import { useStageOrder } from './stage-order.hook';
import { specialSentences } from './stage-sentence.format';
import { StageReading } from './stage-reading.view';
import { stagesWords } from './stages.words';
import classes from './stages.module.css';

/** `/settings/stages`: the funnel of an agent, and the stage that is open. */
export function StagesPage() {
  const common = settingsWords.use();
  const agent = useAgent();
  return agent === null ? (
    <EmptyState title={common('noAgents')} hint={common('noAgentsHint')} />
  ) : (
    <Funnel key={agent} assistantId={agent} />
  );
}

function Funnel({ assistantId }: { assistantId: string }) {
  const t = stagesWords.use();
  const common = settingsWords.use();
  const ofLeads = leadWords.use();
  const isAdmin = useIsAdmin();
  const [{ id }, change] = useSettingsSearch();
  const { data: stages, error, refetch } = useQuery(stagesQuery(assistantId));
  const { data: scenarios } = useQuery(scenariosQuery(assistantId));
  const { move, said } = useStageOrder(assistantId);
  if (!stages) return <ListPending title={t('title')} error={error} onRetry={() => void refetch()} />;

  const startedBy = (stageId: string): number =>
    (scenarios ?? []).filter(({ status_id }) => status_id === stageId).length;
  const open = stages.find((stage) => stage.id === id);
  return (
    <ListDetail
      title={t('title')}
      action={
        isAdmin && <NewButton label={t('new')} onClick={() => change({ agent: assistantId, id: NEW })} />
      }
      list={
        <Stack gap="sm">
          <AgentChoice value={assistantId} onChange={(agent) => change({ agent, id: undefined })} />
          <Text size="sm" c="dimmed">
            {isAdmin ? t('hint') : common('readOnly')}
          </Text>
          {stages.length === 0 && <EmptyState title={t('none')} hint={t('noneHint')} />}
          <ol className={classes.stages} aria-label={t('title')}>
            {stages.map((stage, index) => (
              <SortableRow
                key={stage.id}
                list="stages"
                index={index}
                count={stages.length}
                name={stage.name}
                canMove={isAdmin}
                onMove={move}
                mark={stage.id === id ? 'open' : undefined}
              >
                <Group gap="xs" justify="space-between">
                  <Link
                    to="."
                    search={{ agent: assistantId, id: stage.id }}
                    className={classes.name}
                    aria-current={stage.id === id ? 'true' : undefined}
                  >
                    <CustomerText text={stage.name} />
                  </Link>
                  <Badge variant="default" size="sm">
                    {ofLeads(`kind_${stage.kind}`)}
                  </Badge>
                </Group>
                <Special sentences={specialSentences(stage, startedBy(stage.id))} />
              </SortableRow>
            ))}
          </ol>
          <p className="ll-hidden" aria-live="polite">
            {said}
          </p>
        </Stack>
      }
      detail={
        id === undefined ? null : isAdmin && id === NEW ? (
          <StageForm key={NEW} assistantId={assistantId} stage={null} stages={stages} />
        ) : !open ? (
          <EmptyState title={common('gone')} />
        ) : isAdmin ? (
          <StageForm key={open.id} assistantId={assistantId} stage={open} stages={stages} />
        ) : (
          <StageReading stage={open} scenarios={startedBy(open.id)} />
        )
      }
      onBack={() => change({ id: undefined })}
    />
  );
}

/** What is not as usual. */
function Special({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {sentences.join(' ')}
    </Text>
  );
}
