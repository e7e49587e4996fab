import type { Channel } from '@app/contracts/message.words';
import type { EncodingChoice } from '@app/contracts/values/text-encoding';
import type { Api } from '@app/client/api-client';
import type { BatchAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { retry } from '@app/client/call-retry';
import { newRequestId } from '@app/client/api-calls';
import { UnfinishedError, UsageError } from '../cli.errors';
import { bytesOf } from '../input-reader';
import { refuseLost, showInWords, tellBatch, untilSettled } from './batch-action';
import { CountryNeededError, recipientsOf, type Recipient } from './recipient-file';
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
  encoding?: EncodingChoice;
  param?: string[];
  idempotencyKey?: string;
  wait?: boolean;
}

/** Asks for the country only where a phone does not say its own. */
async function readFile(
  api: Api,
  bytes: Buffer,
  { bot, channel, param = [], encoding }: SendGiven,
): Promise<Recipient[]> {
  try {
    return recipientsOf(bytes, param, null, encoding);
  } catch (error) {
    if (!(error instanceof CountryNeededError)) throw error;
    const { phone_country } = await api.post('/api/v1/messages/get-templates', {
      body: { bot_id: bot, channel, status: 'approved' },
    });
    return recipientsOf(bytes, param, phone_country, encoding);
  }
}

async function recipients(api: Api, given: SendGiven): Promise<Recipient[]> {
  const { to = [], csv, param = [] } = given;
  if (csv === undefined) return to.map((phone) => ({ phone, ...(param.length > 0 && { params: param }) }));
  const found = await readFile(api, await bytesOf(csv), given);
  if (found.length === 0) throw new UsageError('The file has no recipients');
  return found;
}

/** The failure of one of the calls, with rows counted from the beginning of the list. */
function countedFrom(first: number, error: unknown): unknown {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return error;
  const counted = (text: string): string =>
    text.replace(/\bto\[(\d+)\]/g, (_, row: string) => `to[${first + Number(row)}]`);
  const details = (error.details as { path: string }[]).map((each) => ({
    ...each,
    path: counted(each.path),
  }));
  return new ApiError({ ...error, message: counted(error.message), details }, error.cause);
}

/**
 * In calls of a thousand. Each has an Idempotency-Key made of one, so that a command that is repeated with it sends nothing
 * twice.
 * @param batches gets what was answered
 */
async function sendAll(
  api: Api,
  all: readonly Recipient[],
  { bot, channel, template, language }: SendGiven,
  key: string,
  batches: BatchAnswer[],
  signal: AbortSignal,
): Promise<void> {
  for (let first = 0; first < all.length; first += RECIPIENTS_MAX) {
    const body = {
      ...{ bot_id: bot, channel, template_id: template },
      ...(language !== undefined && { template_language: language }),
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
      throw countedFrom(first, error);
    }
  }
}

/** Sends to a list. What was answered before something fails is told as well. */
export async function send(given: SendGiven, invocation: Invocation): Promise<void> {
  const { callers, output, interrupted } = invocation;
  const api = callers.byKey();
  const all = await recipients(api, given);
  const key = given.idempotencyKey ?? newRequestId();
  const batches: BatchAnswer[] = [];
  const show = (): void =>
    batches.forEach((batch, call) => showInWords(batch, invocation, call * RECIPIENTS_MAX));
  try {
    await sendAll(api, all, given, key, batches, interrupted());
    if (given.wait)
      for (const [call, batch] of batches.entries())
        batches[call] = await untilSettled(api, batch, invocation);
  } catch (error) {
    if (!output.isJson) show();
    if (batches.length * RECIPIENTS_MAX < all.length)
      output.note(`To repeat the command so that nothing is sent twice: --idempotency-key ${key}`);
    throw new UnfinishedError(error, { idempotency_key: key, batches });
  }
  const [only, ...others] = batches;
  if (only && others.length === 0) tellBatch(only, invocation);
  else output.answer({ batches }, show);
  const waiting = batches.filter(({ queued }) => queued > 0);
  for (const { batch_id } of waiting)
    output.note(`The rest goes out by itself: leadline batch ${batch_id} --wait`);
  refuseLost(batches);
}
