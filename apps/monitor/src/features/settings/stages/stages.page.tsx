import type { StageSettingsAnswer } from '@app/client/api-types';
import { Badge, Group, Stack, Text, List } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { leadWords } from '../../../shared/leads/lead.words';
import { tellError } from '../../../shared/notices/notice.store';
import { useIsAdmin } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState } from '../../../shared/ui/states.view';
import { AgentChoice } from '../parts/agent-choice.view';
import { scenariosQuery, stagesQuery } from '../parts/funnel.query';
import { NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, ListPending, DetailHead } from '../parts/lists/list-detail.view';
import { PageLink } from '../parts/page-link.view';
import { useSettingsSearch, NEW, useAgent } from '../parts/settings-search.hook';
import { SortableRow, moved, positionsFor } from '../parts/lists/sortable-row.view';
import { settingsWords } from '../settings.words';
import { StageForm } from './stage-form';
import { stagesWords } from './stages.words';
import classes from './stages.module.css';

/** Moves stages within their funnel: at once on the page, then on the server, one after the other. */
function useStageOrder(assistantId: string): {
  move: (from: number, to: number) => void;
  /** What a screen reader hears of the last move. */
  said: string;
} {
  const queries = useQueryClient();
  const query = stagesQuery(assistantId);
  const [said, setSaid] = useState('');
  const line = useRef<Promise<void>>(Promise.resolve());
  const waiting = useRef(0);

  const save = async (positions: { id: string; order: number }[]): Promise<void> => {
    try {
      for (const { id, order } of positions)
        await api.patch('/api/v1/admin/statuses/{id}', { params: { path: { id } }, body: { order } });
    } catch (error) {
      tellError(error);
    }
    waiting.current -= 1;
    // Not between two moves, whose second is on the page already.
    if (waiting.current === 0) await queries.invalidateQueries(query);
  };

  const move = (from: number, to: number): void => {
    const stages = queries.getQueryData(query.queryKey);
    const stage = stages?.[from];
    if (!stages || !stage || to < 0 || to >= stages.length) return;
    void queries.cancelQueries(query);
    const sequence = moved(stages, from, to);
    const positions = positionsFor(sequence, to);
    const orders = new Map(positions.map(({ id, order }) => [id, order]));
    const placed = (each: StageSettingsAnswer) => ({ ...each, order: orders.get(each.id) ?? each.order });
    queries.setQueryData(query.queryKey, sequence.map(placed));
    setSaid(settingsWords.say('movedTo', { name: stage.name, place: to + 1, count: stages.length }));
    waiting.current += 1;
    line.current = line.current.then(() => save(positions));
  };
  return { move, said };
}

/** What a stage does to the leads in it, in sentences. @param scenarios how many it starts */
const stageSentences = (stage: StageSettingsAnswer, scenarios: number): string[] => [
  ...(stage.on_enter === null ? [stagesWords.say('says_nothing')] : []),
  ...specialSentences(stage, scenarios),
];

/** Those of them that are not true of a usual stage. */
function specialSentences(stage: StageSettingsAnswer, scenarios: number): string[] {
  const say = stagesWords.say;
  return [
    ...(stage.on_enter === null ? [] : [say(`says_${stage.on_enter}`)]),
    ...(stage.ai_enabled ? [] : [say('says_silent')]),
    ...(stage.ai_transition_locked ? [say('says_locked')] : []),
    ...(scenarios > 0 ? [say('says_scenarios', { count: scenarios })] : []),
  ];
}

/** A stage for those who may not change it. */
function StageReading({ stage, scenarios }: { stage: StageSettingsAnswer; scenarios: number }) {
  const t = stagesWords.use();
  const common = settingsWords.use();
  const ofLeads = leadWords.use();
  return (
    <Stack gap="sm" maw={640}>
      <DetailHead name={stage.name} />
      <Text size="sm" c="dimmed">
        {common('readOnly')}
      </Text>
      <Text size="sm">{`${t('kind')}: ${ofLeads(`kind_${stage.kind}`)}`}</Text>
      {stage.description !== null && (
        <div>
          <Text size="sm" c="dimmed">
            {t('description')}
          </Text>
          <CustomerText text={stage.description} component="p" />
        </div>
      )}
      <List size="sm">
        {stageSentences(stage, scenarios).map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {scenarios > 0 && (
        <PageLink page="scenarios" search={{ agent: stage.assistant_id }}>
          {t('scenarios')}
        </PageLink>
      )}
    </Stack>
  );
}

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
