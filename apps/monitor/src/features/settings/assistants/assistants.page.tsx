import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../shared/ui/states.view';
import { EntryList, NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, ListPending } from '../parts/lists/list-detail.view';
import { useSettingsSearch, NEW } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { AssistantDetail } from './assistant-detail.view';
import { AssistantForm } from './assistant-form';
import { assistantsQuery } from './assistants.query';
import { assistantsWords } from './assistants.words';

/** `/settings/assistants`: the agents, and the one that is open. */
export function AssistantsPage() {
  const t = assistantsWords.use();
  const common = settingsWords.use();
  const [{ id }, change] = useSettingsSearch();
  const { data: assistants, error, refetch } = useQuery(assistantsQuery);
  if (!assistants) return <ListPending title={t('title')} error={error} onRetry={() => void refetch()} />;

  const open = assistants.find((assistant) => assistant.id === id);
  const entries = assistants.map((assistant) => ({
    id: assistant.id,
    name: assistant.name,
    detail: assistant.model ?? t('defaultModel'),
  }));
  const detail =
    id === undefined ? null : id === NEW ? (
      <AssistantForm key={NEW} assistant={null} />
    ) : open ? (
      <AssistantDetail key={open.id} assistant={open} />
    ) : (
      <EmptyState title={common('gone')} />
    );
  return (
    <ListDetail
      title={t('title')}
      action={
        <NewButton label={t('new')} onClick={() => change({ id: NEW, tab: undefined, tool: undefined })} />
      }
      list={
        entries.length > 0 ? (
          <EntryList label={t('title')} entries={entries} openId={id} search={(next) => ({ id: next })} />
        ) : (
          <EmptyState title={t('none')} hint={t('noneHint')} />
        )
      }
      detail={detail}
      onBack={() => change({ id: undefined, tab: undefined, tool: undefined })}
    />
  );
}
