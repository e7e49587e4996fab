import { api } from '../../shared/api/page.api';
import type { GivenImport } from './import.store';

/** Has a file taken in, or only checked. @returns the import's id */
export async function sendImport(given: GivenImport, isCheck: boolean): Promise<string> {
  const body = new FormData();
  body.set('assistant_id', given.assistantId);
  body.set('bot_id', given.botId);
  body.set('channel', given.channel);
  body.set('dry_run', String(isCheck));
  body.set('start_scenarios', String(given.startScenarios));
  if (given.encoding !== null) body.set('encoding', given.encoding);
  body.set('file', given.file, given.file.name);
  const { import_id } = await api.post('/api/v1/leads/import', { body });
  return import_id;
}
