const BYTES = 16;

/** A new X-Request-Id, by which a client knows the events of its own calls. Unlike randomUUID it needs no https. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
