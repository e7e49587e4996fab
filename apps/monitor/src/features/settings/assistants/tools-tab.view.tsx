import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconArrowLeft, IconPlus } from '../../../shared/ui/icons.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { EntryList } from '../parts/lists/entry-list.view';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { NEW } from '../parts/lists/open-entry.hook';
import { settingsWords } from '../settings.words';
import { toolsQuery } from './assistants.query';
import { ToolForm } from './tool-form';
import { toolsWords } from './tools.words';

/** The tools of an agent, or the one that is open. */
export function ToolsTab({ assistantId }: { assistantId: string }) {
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
