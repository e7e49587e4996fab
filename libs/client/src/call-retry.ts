import { ApiError } from './api.errors';

/** How often and how long a call is repeated. */
export interface RetryOptions {
  /** Of all attempts, the first included; 5 by default. */
  attempts?: number;
  /** Ends the waiting between attempts, with its reason. */
  signal?: AbortSignal;
}

const ATTEMPTS = 5;
const LONGEST_PAUSE_SECONDS = 60;

/** A provider that is too fast has its answer kept by the Idempotency-Key: that key is used up. */
const KEEPS_ITS_ANSWER = new Set(['PROVIDER_ERROR', 'BILLING_ERROR']);

/**
 * Whether the same call may succeed a little later: the service says after how many seconds, did not answer, or failed by
 * itself. Nothing else changes by itself.
 */
export function isPassing(error: unknown): boolean {
  // What AbortSignal.timeout() says.
  if (!(error instanceof ApiError)) return (error as Error | null)?.name === 'TimeoutError';
  if (KEEPS_ITS_ANSWER.has(error.code)) return false;
  const isOfAProxy = error.code === 'NOT_JSON' && error.status >= 500;
  return error.retryAfter !== undefined || isOfAProxy || ['NETWORK', 'INTERNAL_ERROR'].includes(error.code);
}

/**
 * Repeats a call that failed for a passing reason, after as long as the service asks, else 1, 2, 4 … seconds and a random
 * part. Only for what may be done twice: send-template needs an Idempotency-Key, the same in each attempt.
 * @throws the last failure
 */
export async function retry<Data>(
  call: () => Promise<Data>,
  { attempts = ATTEMPTS, signal }: RetryOptions = {},
): Promise<Data> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= attempts || !isPassing(error)) throw error;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
      const seconds = Math.max(asked, Math.min(2 ** (attempt - 1), LONGEST_PAUSE_SECONDS));
      await pause(1_000 * (seconds + Math.random()), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
