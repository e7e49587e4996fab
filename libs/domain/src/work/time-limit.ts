import { setTimeout as sleep } from 'node:timers/promises';

/** What a promise comes to within a time in milliseconds; undefined where it takes longer. Rejects as the promise does. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal });
  try {
    return await Promise.race([promise, late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}
