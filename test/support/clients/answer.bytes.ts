import type { Answer } from './api.client';

/** An answer as bytes, but for the request's id, the date and the counter: two that are alike tell nothing. */
export function bytesOfAnswer({ status, headers, text }: Answer): string {
  const varying = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];
  const kept = [...headers].filter(([name]) => !varying.includes(name));
  return JSON.stringify([status, kept, text.replaceAll(headers.get('x-request-id') ?? '', 'ID')]);
}
