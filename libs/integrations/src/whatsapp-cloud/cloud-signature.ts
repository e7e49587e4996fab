import { createHmac, timingSafeEqual } from 'node:crypto';

/** Strict: only the form that Meta documents. */
const HEADER = /^sha256=([0-9a-f]{64})$/;

/** The digest of an `X-Hub-Signature-256` header; null when its form is not the documented one. */
export function signatureOf(header: unknown): Buffer | null {
  const [, digest] = typeof header === 'string' ? (HEADER.exec(header) ?? []) : [];
  return digest === undefined ? null : Buffer.from(digest, 'hex');
}

/**
 * Whether Meta signed these bytes: HMAC-SHA256 of the body as it arrived, before anything parses it, with the app's
 * secret (Meta: validating payloads). The comparison takes constant time.
 */
export function isSignedBy(appSecret: string, signature: Buffer, body: Buffer): boolean {
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
