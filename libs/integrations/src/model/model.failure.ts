import { InvalidArgumentError, InvalidPromptError, StreamProviderError, ToolChoiceViolationError } from 'ai';

/** Why a request to a model gave no reply, in words that are safe to show and to log. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';

  /**
   * @param mayRetry whether the same request may succeed later
   * @param retryAfterMs how long the endpoint asks to wait first, if it does
   */
  constructor(
    readonly reason: string,
    readonly mayRetry: boolean,
    readonly retryAfterMs: number | null = null,
  ) {
    super(reason);
  }
}

/** Statuses below 500 for a temporary condition, not a wrong request. */
const PASSING = new Set([408, 409, 425, 429]);

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'check AI_API_KEY',
  403: 'check AI_API_KEY',
  404: 'check AI_BASE_URL and the name of the model',
  429: 'it is too busy, or its quota is used up',
};

/**
 * @param status of an answer that is no stream. Its body is not shown, because it may repeat the key or the dialog.
 */
export function refusedWith(status: number, waitMs: number | null = null): ModelFailure {
  if (status >= 300 && status < 400) {
    return new ModelFailure(
      `The model's endpoint redirects (${status}): set AI_BASE_URL to where it leads.`,
      false,
    );
  }
  const remedy = REMEDIES[status];
  const reason = `The model's endpoint answered with the status ${status}${remedy ? `: ${remedy}` : ''}.`;
  return new ModelFailure(reason, status >= 500 || PASSING.has(status), waitMs);
}

/**
 * @param error what the network threw. Only its code is shown, because its message names addresses.
 */
export function unreachable(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  const word = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return new ModelFailure(`The connection to the model's endpoint failed${word}.`, true);
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
 */
export function failureOf(error: unknown): ModelFailure {
  const own = ownFailure(error);
  if (own) return own;
  if (InvalidPromptError.isInstance(error) || InvalidArgumentError.isInstance(error)) {
    return new ModelFailure('The request cannot be put to a model.', false);
  }
  if (ToolChoiceViolationError.isInstance(error)) {
    return new ModelFailure('The model called tools instead of answering.', true);
  }
  if (StreamProviderError.isInstance(error)) {
    if (error.statusCode !== undefined) return refusedWith(error.statusCode);
    return new ModelFailure("The model's endpoint reported a failure in its answer.", true);
  }
  return new ModelFailure("The model's answer cannot be understood.", true);
}
