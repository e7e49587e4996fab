import { ApiError } from '@app/client/api.errors';
import type { BatchAnswer, RecipientRequest } from '@app/client/api-types';
import { newRequestId } from '@app/client/api-calls';
import { api } from '../../../shared/api/page-api';
import { csvOf } from '../../../shared/format/csv-file';
import { tellError } from '../../../shared/notices/notice.store';
import { session } from '../../../shared/session/session.store';
import type { SendOrder } from '../send-types';
import { sendWords } from '../send.words';

/** What one call takes. */
const RECIPIENTS_MAX = 1_000;
const BYTES_MAX = 900_000;

/** A part that was handed over cannot be called back, so a stop is felt the sooner the smaller they are. */
export const RECIPIENTS_LEAST = 100;
/** Each part is a list of its own with the service, and all of their ids stand in the address of the page. */
const PARTS_WANTED = 50;

const bytesOf = (recipient: RecipientRequest): number =>
  new TextEncoder().encode(JSON.stringify(recipient)).length + 1;

/** The recipients in parts, of which each goes into one call. */
export function inParts(recipients: readonly RecipientRequest[]): RecipientRequest[][] {
  const wanted = Math.ceil(recipients.length / PARTS_WANTED);
  const most = Math.min(RECIPIENTS_MAX, Math.max(RECIPIENTS_LEAST, wanted));
  const parts: RecipientRequest[][] = [];
  let bytes = 0;
  for (const recipient of recipients) {
    const size = bytesOf(recipient);
    const part = parts.at(-1);
    if (part && part.length < most && bytes + size <= BYTES_MAX) {
      part.push(recipient);
      bytes += size;
    } else {
      parts.push([recipient]);
      bytes = size;
    }
  }
  return parts;
}

/** After these the same call is made again, with the same key: it may have been taken, and is not taken twice. */
const PASSING = new Set<ApiError['code']>([
  ...(['NETWORK', 'NOT_JSON', 'UNAVAILABLE', 'INTERNAL_ERROR'] as const),
  ...(['IDEMPOTENCY_IN_PROGRESS', 'RATE_LIMITED', 'UNAUTHORIZED', 'CSRF'] as const),
]);
const WAIT_MS = { first: 500, longest: 10_000 };
const ASK_AGAIN_MS = 1_000;

/** Whether a refusal leaves open if the part was taken. */
export const isPassing = (error: unknown): boolean => error instanceof ApiError && PASSING.has(error.code);

/** Waits, or until it is stopped. */
const pause = (milliseconds: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    stop.addEventListener('abort', end);
  });

/** Until somebody is signed in on the page, or it is stopped. */
const signedIn = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (session.state().status !== 'in' && !stop.aborted) return;
      unsubscribe();
      stop.removeEventListener('abort', look);
      resolve();
    };
    const unsubscribe = session.subscribe(look);
    stop.addEventListener('abort', look);
    look();
  });

/**
 * Hands a part over, once: a call without an answer is repeated as it was, by the same key.
 * @param earlier the lists of the parts before it
 * @param onTrouble null: it goes on
 * @throws what refuses the part, or the last trouble when it is stopped meanwhile
 */
export async function handOver(
  { botId, channel, templateId, language, leavesDuplicates }: SendOrder,
  part: readonly RecipientRequest[],
  earlier: readonly string[],
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<BatchAnswer> {
  const key = newRequestId();
  const body = {
    bot_id: botId,
    channel,
    template_id: templateId,
    template_language: language,
    to: [...part],
    // Only the service knows all addresses that lead to one dialog. A process of the former version knows the first alone.
    ...(leavesDuplicates && { skip_duplicates: true, earlier_batch_ids: [...earlier] }),
  };
  for (let tries = 0; ; tries++) {
    try {
      const params = { header: { 'Idempotency-Key': key } };
      const answer = await api.post('/api/v1/messages/send-template', { params, body });
      onTrouble(null);
      return answer as BatchAnswer;
    } catch (error) {
      if (!isPassing(error) || stop.aborted) throw error;
      onTrouble(error);
      const { code, retryAfter } = error as ApiError;
      if (code === 'UNAUTHORIZED' || code === 'CSRF') await signedIn(stop);
      await pause(
        retryAfter ? retryAfter * 1_000 : Math.min(WAIT_MS.first * 2 ** tries, WAIT_MS.longest),
        stop,
      );
      if (stop.aborted) throw error;
    }
  }
}

/** Until nothing of a part waits in line any more, or it is stopped. */
export async function untilSent(answer: BatchAnswer, stop: AbortSignal): Promise<BatchAnswer> {
  let latest = answer;
  while (latest.queued > 0 && !stop.aborted) {
    await pause(ASK_AGAIN_MS, stop);
    try {
      latest = await api.post('/api/v1/messages/get-batch', { body: { batch_id: latest.batch_id } });
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }
  return latest;
}

/**
 * Gives customers that were sent to the names of the list, as an import does: their dialogs are there from the moment the
 * part was taken, so it makes none. The sending does not wait for it, and goes on where it fails.
 */
export async function nameCustomers(order: SendOrder, part: readonly RecipientRequest[]): Promise<void> {
  const rows = part.flatMap(({ phone = '' }) => {
    const name = order.names.get(phone);
    return name === undefined ? [] : [{ phone, name }];
  });
  if (rows.length === 0) return;
  const body = new FormData();
  body.set('assistant_id', order.assistantId);
  body.set('bot_id', order.botId);
  body.set('channel', order.channel);
  body.set('file', new Blob([csvOf(rows)], { type: 'text/csv' }), 'names.csv');
  try {
    await api.post('/api/v1/leads/import', { body });
  } catch (error) {
    tellError(error, { detail: sendWords.say('notNamed') });
  }
}
