import type { Channel } from '@app/contracts/message.words';
import type { BatchAnswer } from '@app/client/api.types';
import { retry } from '@app/client/call.retry';
import { newRequestId } from '@app/client/request-id.format';
import { UsageError } from '../cli.errors';
import { bytesOf } from '../input.reader';
import { refuseLost, tellBatch, untilSettled } from './batch.action';
import { recipientsOf, type Recipient } from './recipient.file';
import type { Invocation } from './verb';

/** Of one call. */
const RECIPIENTS_MAX = 1_000;
const ATTEMPTS = 3;

interface SendGiven {
  bot: string;
  channel: Channel;
  template: string;
  language?: string;
  to?: string[];
  csv?: string;
  param?: string[];
  idempotencyKey?: string;
  wait?: boolean;
}

async function recipients({ to = [], csv, param = [] }: SendGiven): Promise<Recipient[]> {
  if (csv === undefined) return to.map((phone) => ({ phone, ...(param.length > 0 && { params: param }) }));
  const found = recipientsOf(await bytesOf(csv), param);
  if (found.length === 0) throw new UsageError('The file has no recipients');
  return found;
}

/**
 * Sends to a list in calls of a thousand. Each has an Idempotency-Key made of one, so that a command that is repeated with
 * it sends nothing twice.
 */
export async function send(given: SendGiven, invocation: Invocation): Promise<void> {
  const { callers, output, interrupted } = invocation;
  const api = callers.byKey();
  const all = await recipients(given);
  const key = given.idempotencyKey ?? newRequestId();
  const signal = interrupted();
  const batches: BatchAnswer[] = [];
  for (let first = 0; first < all.length; first += RECIPIENTS_MAX) {
    const body = {
      ...{ bot_id: given.bot, channel: given.channel, template_id: given.template },
      ...(given.language !== undefined && { template_language: given.language }),
      to: all.slice(first, first + RECIPIENTS_MAX),
    };
    const header = { 'Idempotency-Key': first === 0 ? key : `${key}-${first / RECIPIENTS_MAX}` };
    try {
      signal.throwIfAborted();
      const answer = await retry(
        () => api.post('/api/v1/messages/send-template', { body, params: { header }, signal }),
        { attempts: ATTEMPTS, signal },
      );
      batches.push(answer as BatchAnswer);
    } catch (error) {
      output.note(`To repeat the command so that nothing is sent twice: --idempotency-key ${key}`);
      throw error;
    }
  }
  const ends: BatchAnswer[] = [];
  for (const batch of batches) ends.push(given.wait ? await untilSettled(api, batch, invocation) : batch);
  const [only, ...others] = ends;
  if (only && others.length === 0) tellBatch(only, invocation);
  else output.answer({ batches: ends }, () => ends.forEach((batch) => tellBatch(batch, invocation)));
  const waiting = ends.filter(({ queued }) => queued > 0);
  for (const { batch_id } of waiting)
    output.note(`The rest goes out by itself: leadline batch ${batch_id} --wait`);
  refuseLost(ends);
}
