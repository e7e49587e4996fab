import type { AssistantAnswer } from '@app/client/api-types';
import { Group, Tabs, Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { botsQuery } from '../../../shared/leads/bots.query';
import { DetailHead } from '../parts/lists/detail-head.view';
import { NEW } from '../parts/lists/open-entry.hook';
import { PageLink } from '../parts/page-link.view';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { AssistantForm } from './assistant-form';
import { assistantsWords } from './assistants.words';
import { ToolsTab } from './tools-tab.view';
import { TryOut } from './try-out.view';

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
