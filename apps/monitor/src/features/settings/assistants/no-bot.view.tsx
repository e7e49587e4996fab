import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { botsQuery } from '../../../shared/leads/bots.query';
import { PageLink } from '../parts/page-link.view';
import { NEW } from '../parts/open-entry.hook';
import { assistantsWords } from './assistants.words';

/** Tells that nobody can write to an agent yet, and leads to what it lacks. */
export function NoBot({ assistantId }: { assistantId: string }) {
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
