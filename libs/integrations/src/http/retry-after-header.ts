import type { IncomingHttpHeaders } from 'node:http';

/** Longest wait that is accepted, so that a wrong header delays nothing for longer. */
const LONGEST_MS = 24 * 3_600_000;

/** A header's value; the first where it was sent several times. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const bounded = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), LONGEST_MS);

/** A header's seconds as milliseconds; null when it has none. */
export function secondsOf(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(value)
    ? bounded(Number(value) * 1000)
    : null;
}

/** Minutes as milliseconds. */
export const minutes = (count: number): number => bounded(count * 60_000);

/**
 * How long a Retry-After asks to wait, in milliseconds; null when it says nothing. It holds seconds or a date. A date
 * is compared with the answer's date, because our clock may be wrong.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const value = headerOf(headers, 'retry-after');
  const seconds = secondsOf(value);
  if (seconds !== null || value === undefined) return seconds;
  // Date.parse accepts much that is no date, such as -1.
  const at = /^[A-Za-z]{3,9}, .* GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return null;
  const answeredAt = Date.parse(headerOf(headers, 'date') ?? '');
  return bounded(at - (Number.isNaN(answeredAt) ? Date.now() : answeredAt));
}
