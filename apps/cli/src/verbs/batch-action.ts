import type { Api } from '@app/client/api-client';
import type { BatchAnswer } from '@app/client/api-types';
import { retry } from '@app/client/call-retry';
import { setTimeout as pause } from 'node:timers/promises';
import { InterruptedError, RefusedError } from '../cli.errors';
import { progressOf } from '../output/progress-bar';
import type { Invocation } from './verb';

/** Twenty calls a minute, of the thirty that a key has. */
export const ASK_AGAIN_MS = 3_000;

const ask = (api: Api, batch_id: string): Promise<BatchAnswer> =>
  api.post('/api/v1/messages/get-batch', { body: { batch_id } });

/** Asks until nothing of the list waits any more. @throws InterruptedError */
export async function untilSettled(
  api: Api,
  batch: BatchAnswer,
  { output, interrupted }: Invocation,
): Promise<BatchAnswer> {
  const signal = interrupted();
  const progress = progressOf(output, 'Sending');
  let now = batch;
  try {
    for (;;) {
      const { queued, total, failed, unknown } = now;
      progress.update(
        total - queued,
        total,
        failed + unknown > 0 ? `${failed} failed, ${unknown} unknown` : '',
      );
      if (queued === 0) return now;
      await pause(ASK_AGAIN_MS, undefined, { signal });
      now = await retry(() => ask(api, batch.batch_id), { attempts: Infinity, signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new InterruptedError(`The list goes on. Look again: leadline batch ${batch.batch_id} --wait`);
  } finally {
    progress.stop();
  }
}

/**
 * Words for each recipient that got nothing, and how many got it.
 * @param first the row of its first recipient, of a list that went out in several calls, from 0
 */
export function showInWords(batch: BatchAnswer, { output }: Invocation, first = 0): void {
  output.facts([
    ['batch', batch.batch_id],
    ['recipients', batch.total],
    ['sent', batch.sent],
    ['queued', batch.queued],
    ['failed', batch.failed],
    ['unknown', batch.unknown],
  ]);
  const lost = batch.results.filter(({ ok }) => !ok);
  if (lost.length > 0)
    output.table(
      ['ROW', 'PHONE', 'STATUS', 'ERROR', 'MESSAGE'],
      lost.map(({ index, phone, status, error, message }) => [
        ...[first + index + 1, phone, status, error, message],
      ]),
    );
}

/** Tells of each recipient that got nothing, and how many got it. */
export function tellBatch(batch: BatchAnswer, invocation: Invocation): void {
  invocation.output.answer(batch, () => showInWords(batch, invocation));
}

/** The exit code tells that some got nothing. @throws RefusedError */
export function refuseLost(batches: readonly BatchAnswer[]): void {
  const lost = batches.reduce((sum, { failed, unknown }) => sum + failed + unknown, 0);
  const total = batches.reduce((sum, batch) => sum + batch.total, 0);
  if (lost > 0) throw new RefusedError(`${lost} of ${total} did not get it`);
}

export async function showBatch(
  { id, wait }: { id: string; wait?: boolean },
  invocation: Invocation,
): Promise<void> {
  const api = invocation.callers.byKey();
  const asked = await ask(api, id);
  const batch = wait ? await untilSettled(api, asked, invocation) : asked;
  tellBatch(batch, invocation);
  refuseLost([batch]);
}
