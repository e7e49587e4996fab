import type { Api } from '@app/client/api-client';
import { retry } from '@app/client/call-retry';
import { interruptedAt, requirePlace, writeStream } from '../output/file-writer';
import { progressOf } from '../output/progress-bar';
import type { Invocation } from './verb';

export interface ExportGiven {
  assistant: string;
  format: 'csv' | 'ndjson';
  out?: string;
}

async function countOf(api: Api, assistant_id: string): Promise<number> {
  const body = { assistant_id, counts: true, limit: 1 };
  const { totals = [] } = await retry(() => api.post('/api/v1/messages/get-threads', { body }));
  return totals.reduce((sum, { total }) => sum + total, 0);
}

/** To stdout, or to a file that is there whole or not at all. */
export async function exportLeads(
  { assistant, format, out }: ExportGiven,
  { callers, output, interrupted }: Invocation,
): Promise<void> {
  requirePlace(out, output);
  const api = callers.byKey();
  const total = output.isWatched && out !== undefined ? await countOf(api, assistant) : 0;
  const body = { assistant_id: assistant, format };
  const signal = interrupted();
  const stream = await api
    .stream('post', '/api/v1/leads/export', { body, signal })
    .catch((error: unknown) => {
      throw signal.aborted ? interruptedAt(out) : error;
    });
  const progress = progressOf(output, 'Exporting');
  const told =
    total > 0 ? (lines: number): void => progress.update(Math.min(lines, total), total) : undefined;
  try {
    await writeStream(stream, out, output, { told, signal });
  } finally {
    progress.stop();
  }
  if (out !== undefined) output.note(`Written: ${out}`);
}
