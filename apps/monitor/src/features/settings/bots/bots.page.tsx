import type { BotAnswer } from '@app/client/api-types';
import { CHANNELS } from '@app/contracts/message.words';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { leadWords } from '../../../shared/leads/lead.words';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState } from '../../../shared/ui/states.view';
import { DetailHead } from '../parts/lists/detail-head.view';
import { EntryList } from '../parts/lists/entry-list.view';
import { ListDetail } from '../parts/lists/list-detail.view';
import { ListPending } from '../parts/lists/list-pending.view';
import { Mark } from '../parts/mark.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { NewButton } from '../parts/lists/new-button.view';
import { NEW, useOpenEntry } from '../parts/lists/open-entry.hook';
import { settingsWords } from '../settings.words';
import { BotForm } from './bot-form.view';
import { botWords } from './bot.words';
import { Channel } from './channel.view';

/** `/settings/bots` */
export function BotsPage() {
  const t = botWords.use();
  const settings = settingsWords.use();
  const bots = useQuery(botsQuery);
  const { assistants } = useSignedIn();
  const { id, open, reopen, close } = useOpenEntry();
  if (!bots.data)
    return <ListPending title={t('title')} error={bots.error} onRetry={() => void bots.refetch()} />;
  const shown = bots.data.find((bot) => bot.id === id);
  const agentOf = (bot: BotAnswer): string =>
    assistants.find((assistant) => assistant.id === bot.assistant_id)?.name ?? '';
  const detail =
    id === undefined ? null : id === NEW ? (
      <Stack gap="md" maw={560}>
        <DetailHead name={t('new')} />
        <BotForm bot={null} onMade={reopen} />
      </Stack>
    ) : shown ? (
      <BotDetail key={id} bot={shown} />
    ) : (
      <EmptyState title={settings('gone')} />
    );
  return (
    <ListDetail
      title={t('title')}
      action={<NewButton label={t('new')} onClick={() => open(NEW)} />}
      list={
        bots.data.length === 0 ? (
          <EmptyState title={t('none')} hint={t('noneHint')} />
        ) : (
          <EntryList
            label={t('title')}
            entries={bots.data.map((bot) => ({
              ...{ id: bot.id, name: bot.name },
              detail: <CustomerText text={agentOf(bot)} />,
              mark: <States bot={bot} />,
            }))}
            openId={id}
            search={(next) => ({ id: next })}
          />
        )
      }
      detail={detail}
      onBack={close}
    />
  );
}

function States({ bot }: { bot: BotAnswer }) {
  const t = botWords.use();
  const ofLeads = leadWords.use();
  if (!bot.channels.some(({ connected, stopped_reason }) => connected || stopped_reason))
    return <Mark text={t('notConnected')} />;
  return bot.channels.map(({ channel, connected, stopped_reason }) =>
    connected || stopped_reason ? (
      <Mark
        key={channel}
        tone={connected ? 'good' : 'bad'}
        text={connected ? ofLeads(`channel_${channel}`) : `${ofLeads(`channel_${channel}`)}: ${t('stopped')}`}
      />
    ) : null,
  );
}

function BotDetail({ bot }: { bot: BotAnswer }) {
  const t = botWords.use();
  return (
    <Stack gap="md" maw={640}>
      <DetailHead name={bot.name} />
      <BotForm bot={bot} />
      {CHANNELS.map((name) => (
        <Channel key={name} bot={bot} name={name} />
      ))}
      <Text size="sm" c="dimmed">
        {t('noDelete')}
      </Text>
    </Stack>
  );
}
