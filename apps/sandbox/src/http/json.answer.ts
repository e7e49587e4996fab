import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** What a provider answers. */
export interface Answer {
  status: number;
  /** A string is sent as it is, all else as JSON. */
  body: unknown;
  headers?: OutgoingHttpHeaders;
}

export function answer(response: ServerResponse, { status, body, headers }: Answer): void {
  if (response.destroyed) return;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export const answerJson = (response: ServerResponse, status: number, body: unknown): void =>
  answer(response, { status, body: body ?? null });

/** The object that a JSON body holds, or null. */
export function objectOf(body: Buffer): Record<string, unknown> | null {
  try {
    return record(JSON.parse(body.toString('utf8')));
  } catch {
    return null;
  }
}

/** The value if it is an object, else null. */
export const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;

/** The value if it is a text, else null. */
export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
