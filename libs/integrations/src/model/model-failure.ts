import { cutText } from '@app/contracts/values/free-text';

import { isObject } from '@app/contracts/json-object';
import { InvalidArgumentError, InvalidPromptError, StreamProviderError, ToolChoiceViolationError } from 'ai';

/** The code of what the network threw, in brackets; empty where there is none. Its message names addresses, so it is not shown. */
export function networkCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
}

/** Statuses below 500 for a temporary condition, not a wrong request. */
export const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Why a request to a model gave no reply, in words that are safe to show and to log. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';

  /**
   * @param mayRetry whether the same request may succeed later
   * @param retryAfterMs how long the endpoint asks to wait first, if it does
   * @param words the endpoint's own, for admins only: they may repeat the dialog
   */
  constructor(
    readonly reason: string,
    readonly mayRetry: boolean,
    readonly retryAfterMs: number | null = null,
    readonly words: string | null = null,
  ) {
    super(reason);
  }
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'check AI_API_KEY',
  403: 'check AI_API_KEY',
  404: 'check AI_BASE_URL and the name of the model',
  429: 'it is too busy, or its quota is used up',
};

/** Most characters of an endpoint's words that are kept. */
const WORDS_MAX = 1_000;

/** Where endpoints put their words: OpenAI's and its kin's, FastAPI's, LM Studio's and Ollama's. */
function saidIn(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { error, message, detail, errors } = body;
  return saidIn(error ?? message ?? detail ?? (Array.isArray(errors) ? errors[0] : errors)) ?? body;
}

/**
 * What an endpoint says of its refusal, in one line.
 * @param body of its answer
 * @param key which some endpoints repeat
 * @returns null where it says nothing
 */
export function refusalWords(body: string, key: string | null): string | null {
  const parsed = parsedJson(body);
  const said = parsed === undefined ? body.replace(/<[^>]*>/g, ' ') : saidIn(parsed);
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  const line = (key ? text.replaceAll(key, '…') : text).replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line === '' ? null : cutText(line, WORDS_MAX);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param status of an answer that is no stream
 * @param words see {@link refusalWords}
 */
export function refusedWith(
  status: number,
  waitMs: number | null = null,
  words: string | null = null,
): ModelFailure {
  if (status >= 300 && status < 400) {
    return new ModelFailure(
      `The model's endpoint redirects (${status}): set AI_BASE_URL to where it leads.`,
      false,
      null,
      words,
    );
  }
  const remedy = REMEDIES[status];
  const reason = `The model's endpoint answered with the status ${status}${remedy ? `: ${remedy}` : ''}.`;
  return new ModelFailure(reason, status >= 500 || PASSING_STATUSES.has(status), waitMs, words);
}

/** @param error what the network threw */
export function unreachable(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  return new ModelFailure(`The connection to the model's endpoint failed${networkCode(error)}.`, true);
}

/** How many nested causes are searched. */
const DEEPEST_CAUSE = 5;

function ownFailure(error: unknown): ModelFailure | null {
  let current = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && current instanceof Error; depth += 1) {
    if (current instanceof ModelFailure) return current;
    current = current.cause;
  }
  return null;
}

/**
 * @param error what ended the stream: an error of the network, of the SDK, or one that the endpoint sent inside the
 * stream
 * @param key see {@link refusalWords}
 */
export function failureOf(error: unknown, key: string | null): ModelFailure {
  const own = ownFailure(error);
  if (own) return own;
  if (InvalidPromptError.isInstance(error) || InvalidArgumentError.isInstance(error)) {
    return new ModelFailure('The request cannot be put to a model.', false);
  }
  if (ToolChoiceViolationError.isInstance(error)) {
    return new ModelFailure('The model called tools instead of answering.', true);
  }
  if (StreamProviderError.isInstance(error)) {
    const words = refusalWords(JSON.stringify(error.data ?? error.message), key);
    if (error.statusCode !== undefined) return refusedWith(error.statusCode, null, words);
    return new ModelFailure("The model's endpoint reported a failure in its answer.", true, null, words);
  }
  return new ModelFailure("The model's answer cannot be understood.", true);
}
