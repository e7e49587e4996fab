import type { BotAnswer, ImportAnswer } from '@app/client/api.types';
import type { Channel } from '@app/contracts/message.words';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/page.api';
import type { GivenImport } from './import.store';

const EVERY_MS = 1_000;

/** How far an import is; once it has ended, with its faults. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['import', importId],
    queryFn: async ({ signal }): Promise<ImportAnswer> => {
      const ask = (faults_limit?: number) =>
        api.post('/api/v1/leads/get-import', { body: { import_id: importId, faults_limit }, signal });
      const progress = await ask(0);
      return progress.state !== 'running' && progress.faulty > 0 ? ask() : progress;
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? EVERY_MS : false),
  });

/** Has a file taken in, or only checked. @returns the import's id */
export async function startImport(given: GivenImport, isCheck: boolean): Promise<string> {
  const body = new FormData();
  body.set('assistant_id', given.assistantId);
  body.set('bot_id', given.botId);
  body.set('channel', given.channel);
  body.set('dry_run', String(isCheck));
  body.set('start_scenarios', String(given.startScenarios));
  body.set('file', given.file, given.file.name);
  const { import_id } = await api.post('/api/v1/leads/import', { body });
  return import_id;
}

/** A connected number of a bot. */
export interface ConnectedNumber {
  botId: string;
  assistantId: string;
  channel: Channel;
  name: string;
}

const numbersOf = ({ id, name, assistant_id, channels }: BotAnswer): ConnectedNumber[] =>
  channels
    .filter(({ connected }) => connected)
    .map(({ channel }) => ({ botId: id, assistantId: assistant_id, channel, name }));

/** The connected numbers of the bots that the person sees. */
export const numbersQuery = queryOptions({
  queryKey: ['import-numbers'],
  queryFn: async ({ signal }) => {
    const found: ConnectedNumber[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.get('/api/v1/admin/bots', { params: { query: { limit: 200, cursor } }, signal });
      found.push(...page.bots.flatMap(numbersOf));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  },
});
