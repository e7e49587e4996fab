import { lastBoard } from '../../../shared/session/last-board.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { NEW } from './lists/open-entry.hook';
import { useSettingsSearch, type SettingsSearch } from './settings-search.hook';

/** The agent whose things are shown: of the address, or of the last board, or the first. Null: there is none. */
export function useAgent(): string | null {
  const [{ agent }] = useSettingsSearch();
  const { assistants } = useSignedIn();
  const wanted = agent ?? lastBoard.read();
  return (assistants.find(({ id }) => id === wanted) ?? assistants[0])?.id ?? null;
}

/** The agent that the address of a page of the settings names. */
export function agentOf(page: string, { agent, id }: SettingsSearch): string | undefined {
  if (page !== 'assistants') return agent;
  return id === NEW ? undefined : id;
}
