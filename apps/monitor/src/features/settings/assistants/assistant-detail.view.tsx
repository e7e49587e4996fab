import type { AssistantAnswer } from '@app/client/api-types';
import { Group, Tabs, Alert, Text, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { botsQuery } from '../../../shared/leads/bots.query';
import { IconArrowLeft, IconPlus } from '../../../shared/ui/icons.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { EntryList } from '../parts/lists/entry-list.view';
import { DetailHead } from '../parts/lists/list-detail.view';
import { PageLink } from '../parts/page-link.view';
import { useSettingsSearch, NEW } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { AssistantForm } from './assistant-form';
import { toolsQuery } from './assistants.query';
import { assistantsWords } from './assistants.words';
import { ToolForm } from './tool-form';
import { toolsWords } from './tools.words';
import { TryOut } from './try-out.view';

/** The tools of an agent, or the one that is open. */
function ToolsTab({ assistantId }: { assistantId: string }) {
  const t = toolsWords.use();
  const common = settingsWords.use();
  const [{ id, tab, tool: open }, change] = useSettingsSearch();
  const { data: tools, error, refetch } = useQuery(toolsQuery(assistantId));
  if (!tools) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState />;

  if (open !== undefined) {
    const tool = tools.find((each) => each.id === open);
    return (
      <Stack gap="sm" maw={760}>
        <Group>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={() => change({ tool: undefined })}
          >
            {t('back')}
          </Button>
        </Group>
        {open === NEW || tool ? (
          <ToolForm key={open} assistantId={assistantId} tool={tool ?? null} />
        ) : (
          <EmptyState title={common('gone')} />
        )}
      </Stack>
    );
  }
  const entries = tools.map(({ id: toolId, name, description, enabled }) => ({
    id: toolId,
    name,
    detail: description,
    mark: enabled ? undefined : t('off'),
  }));
  return (
    <Stack gap="sm" maw={760}>
      <Text size="sm" c="dimmed">
        {t('hint')}
      </Text>
      {entries.length > 0 ? (
        <EntryList label={t('list')} entries={entries} search={(tool) => ({ id, tab, tool })} />
      ) : (
        <Text size="sm">{t('none')}</Text>
      )}
      <Group>
        <Button
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => change({ tool: NEW })}
        >
          {t('new')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Tells that nobody can write to an agent yet, and leads to what it lacks. */
function NoBot({ assistantId }: { assistantId: string }) {
  const t = assistantsWords.use();
  const { data: bots } = useQuery(botsQuery);
  const own = bots?.filter(({ assistant_id }) => assistant_id === assistantId);
  if (!own || own.some(({ channels }) => channels.some(({ connected }) => connected))) return null;
  const [bot] = own;
  return (
    <Alert color="orange" p="xs" mb="md">
      <Group gap="xs">
        <Text size="sm">{t('noBot')}</Text>
        <PageLink page="bots" search={bot ? { id: bot.id } : { id: NEW, agent: assistantId }}>
          {t(bot ? 'connectBot' : 'makeBot')}
        </PageLink>
      </Group>
    </Alert>
  );
}

/** An agent: its settings, its tools, and a trial of both. */
export function AssistantDetail({ assistant }: { assistant: AssistantAnswer }) {
  const t = assistantsWords.use();
  const [{ tab = 'settings' }, change] = useSettingsSearch();
  return (
    <>
      <DetailHead name={assistant.name}>
        <Group gap="md" ms="auto">
          <PageLink page="stages" search={{ agent: assistant.id }}>
            {t('toStages')}
          </PageLink>
          <PageLink page="scenarios" search={{ agent: assistant.id }}>
            {t('toScenarios')}
          </PageLink>
        </Group>
      </DetailHead>
      <NoBot assistantId={assistant.id} />
      <Tabs
        value={tab}
        onChange={(next) =>
          change({ tab: next === 'settings' ? undefined : (next ?? undefined), tool: undefined })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="settings">{t('tabSettings')}</Tabs.Tab>
          <Tabs.Tab value="tools">{t('tabTools')}</Tabs.Tab>
          <Tabs.Tab value="try">{t('tabTry')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <AssistantForm assistant={assistant} />
        </Tabs.Panel>
        <Tabs.Panel value="tools">{tab === 'tools' && <ToolsTab assistantId={assistant.id} />}</Tabs.Panel>
        <Tabs.Panel value="try">
          <TryOut assistantId={assistant.id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
