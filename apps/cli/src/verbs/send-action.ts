import type { Channel } from '@app/contracts/message.words';
import {
  type EncodingChoice,
  ENCODING_CHOICES,
  findEncoding,
  isWorkbook,
  namedEncoding,
} from '@app/contracts/values/text-encoding';
import type { Api } from '@app/client/api-client';
import type { BatchAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { retry } from '@app/client/call-retry';
import { newRequestId } from '@app/client/api-calls';
import { readPhone } from '@app/contracts/values/phone-reader';
import type { PhoneFault } from '@app/contracts/values/phone.words';
import { findTableFault, type TableFaultKind } from '@app/contracts/transfer.words';
import Papa from 'papaparse';
import { UsageError, UnfinishedError } from '../cli.errors';
import { bytesOf } from '../input-reader';
import { refuseLost, showInWords, tellBatch, untilSettled } from './batch-action';
import type { Invocation } from './verb';

/** What goes to one phone. */
interface Recipient {
  phone: string;
  params?: string[];
}

const PHONE = 'phone';

const FAULTS: Readonly<Record<TableFaultKind, string>> = {
  quotes: 'has misplaced quotes',
  tooManyCells: 'has more cells than the header',
  unreadable: 'has bytes that are no text: the file is damaged there, or in several encodings',
};

const PHONE_FAULTS: Readonly<Record<PhoneFault, string>> = {
  empty: 'is missing',
  letters: 'has letters',
  too_short: 'has too few digits',
  too_long: 'has too many digits',
  not_valid: 'is no phone number that anybody can have, or has an extension',
  no_country:
    'does not say its country: begin it with + and the country code, or set the country of the account',
  ambiguous: 'could be a number of two countries: begin it with + and the country code',
};

/** A phone can be read only in a country. */
class CountryNeededError extends UsageError {}

/** `{name}` is the column of that name. @throws UsageError: there is none */
const filledIn = (param: string, cells: ReadonlyMap<string, string>): string =>
  param.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const cell = cells.get(name.trim().toLowerCase());
    if (cell === undefined) throw new UsageError(`The file has no column ${name}`);
    return cell;
  });

/**
 * The recipients of a CSV: the column `phone`, and the values of the text by `params` or, without, the other columns that
 * have a name, in their order.
 * @param country in which phones are read that do not say theirs; null: they are refused
 * @param choice how the file is written; null: it is found
 * @throws UsageError with the row or the column: nothing is sent of a file that may be read wrong
 */
export function recipientsOf(
  bytes: Buffer,
  params: readonly string[],
  country: string | null = null,
  choice: EncodingChoice | null = null,
): Recipient[] {
  if (isWorkbook(bytes)) throw new UsageError('The file is a workbook: save it as CSV');
  const encoding = choice === null ? findEncoding(bytes) : namedEncoding(choice, bytes);
  if (encoding === null)
    throw new UsageError(
      `The encoding of the file cannot be told by its words: give --encoding ${ENCODING_CHOICES.join(' or ')}`,
    );
  const text = new TextDecoder(encoding).decode(bytes);
  // A line end behind the last row would count as a row of one cell, and hide the separator of a short list.
  const { data, errors } = Papa.parse<string[]>(text.trimEnd(), { delimitersToGuess: [',', ';', '\t', '|'] });
  const fault = findTableFault(data, errors);
  if (fault) throw new UsageError(`Row ${fault.row} of the file ${FAULTS[fault.kind]}`);
  const [header = [], ...rows] = data;
  const names = header.map((name) => name.trim().toLowerCase());
  const twice = names.find((name, column) => name !== '' && names.indexOf(name) !== column);
  if (twice !== undefined) throw new UsageError(`The file has the column ${twice} twice`);
  if (!names.includes(PHONE)) throw new UsageError('The first row of the file must name a column phone');
  return rows.flatMap((row, index) => {
    const cells = new Map(names.map((name, column) => [name, (row[column] ?? '').trim()]));
    if (row.every((cell) => cell.trim() === '')) return [];
    const { phone, fault } = readPhone(cells.get(PHONE) ?? '', country);
    if (phone === null) throw faultyPhone(index + 2, fault);
    const values =
      params.length > 0
        ? params.map((param) => filledIn(param, cells))
        : names.filter((name) => name !== PHONE && name !== '').map((name) => cells.get(name) ?? '');
    return [{ phone, ...(values.length > 0 && { params: values }) }];
  });
}

function faultyPhone(row: number, fault: PhoneFault): UsageError {
  const Fault = fault === 'no_country' ? CountryNeededError : UsageError;
  return new Fault(`Row ${row} of the file: its phone ${PHONE_FAULTS[fault]}`);
}

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
