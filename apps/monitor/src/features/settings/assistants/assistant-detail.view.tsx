import type { AssistantAnswer } from '@app/client/api.types';
import { Group, Tabs } from '@mantine/core';
import { DetailHead } from '../parts/detail-head.view';
import { PageLink } from '../parts/page-link.view';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { AssistantForm } from './assistant.form';
import { assistantsWords } from './assistants.words';
import { NoBot } from './no-bot.view';
import { ToolsTab } from './tools-tab.view';
import { TryOut } from './try-out.view';

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
