import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@app/client/api-client';
import type { ImportAnswer } from '@app/client/api-types';
import { retry } from '@app/client/call-retry';
import type { Channel } from '@app/contracts/message.words';
import type { EncodingChoice } from '@app/contracts/values/text-encoding';
import { InterruptedError, RefusedError, UsageError } from '../cli.errors';
import { addFile } from '../input-reader';
import { interruptedAt, requirePlace, writeStream } from '../output/file-writer';
import { progressOf } from '../output/progress-bar';
import type { Invocation } from './verb';

interface ExportGiven {
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

/** Forty calls a minute, of the sixty that a key has. */
const ASK_AGAIN_MS = 1_500;

interface ImportGiven {
  file?: string;
  assistant?: string;
  bot?: string;
  channel?: Channel;
  dryRun?: boolean;
  startScenarios?: boolean;
  encoding?: EncodingChoice;
  resume?: string;
}

/** Where the file, or the import to look at, is not given as a whole. @throws UsageError */
export function checkImport({ file, resume, assistant, bot, channel }: ImportGiven): true {
  if ((file === undefined) === (resume === undefined))
    throw new UsageError('Give a file, or --resume with an id');
  if (file !== undefined && [assistant, bot, channel].includes(undefined))
    throw new UsageError('A file needs --assistant, --bot and --channel');
  return true;
}

async function begin(api: Api, file: string, given: ImportGiven, signal: AbortSignal): Promise<string> {
  const body = new FormData();
  const { assistant = '', bot = '', channel = '', dryRun = false, startScenarios = false } = given;
  body.append('assistant_id', assistant);
  body.append('bot_id', bot);
  body.append('channel', channel);
  body.append('dry_run', String(dryRun));
  body.append('start_scenarios', String(startScenarios));
  if (given.encoding !== undefined) body.append('encoding', given.encoding);
  await addFile(body, 'file', file);
  try {
    const { import_id } = await api.post('/api/v1/leads/import', { body, signal });
    return import_id;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new InterruptedError(
      'Interrupted before the answer. Import the file again: no row is taken in twice',
    );
  }
}

/** Shows how far it is until it has ended. It goes on by itself, whatever becomes of us. @throws InterruptedError */
async function untilEnded(api: Api, import_id: string, { output, interrupted }: Invocation) {
  const signal = interrupted();
  const progress = progressOf(output, 'Importing');
  const ask = (faults_limit?: number): Promise<ImportAnswer> => {
    const body = { import_id, faults_limit };
    return retry(() => api.post('/api/v1/leads/get-import', { body }), { attempts: Infinity, signal });
  };
  try {
    for (;;) {
      const { state, done, rows, faulty } = await ask(0);
      progress.update(done, rows, faulty > 0 ? `${faulty} with faults` : '');
      if (state !== 'running') return await ask();
      await pause(ASK_AGAIN_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new InterruptedError(`The import goes on. Look again: leadline import --resume ${import_id}`);
  } finally {
    progress.stop();
  }
}

function tell(end: ImportAnswer, { output }: Invocation): void {
  output.answer(end, () => {
    output.facts([
      ['import', end.import_id],
      ['state', end.failure === null ? end.state : `${end.state}: ${end.failure}`],
      ['dry run', end.dry_run],
      ['rows', end.rows],
      ['created', end.created],
      ['moved', end.moved],
      ['unchanged', end.unchanged],
      ['with faults', end.faulty],
    ]);
    if (end.ignored_columns.length > 0)
      output.line(`Columns that are not known were not read: ${end.ignored_columns.join(', ')}`);
    if (end.would_start) output.line(`It would start ${end.would_start.runs} runs of scenarios`);
    if (end.faults.length > 0)
      output.table(
        ['ROW', 'COLUMN', 'FAULT'],
        end.faults.map(({ row, column, message }) => [row, column, message]),
      );
  });
}

/** @throws RefusedError: rows were not taken in */
export async function importLeads(given: ImportGiven, invocation: Invocation): Promise<void> {
  const { callers, output } = invocation;
  const api = callers.byKey();
  const { file, resume } = given;
  const id = file === undefined ? (resume ?? '') : await begin(api, file, given, invocation.interrupted());
  if (file !== undefined) output.note(`Import ${id}`);
  const end = await untilEnded(api, id, invocation);
  tell(end, invocation);
  if (end.state !== 'done')
    throw new RefusedError(`The import is ${end.state}: ${end.rows - end.done} rows are left`);
  if (end.faulty > 0) throw new RefusedError(`${end.faulty} of ${end.rows} rows have faults`);
}
