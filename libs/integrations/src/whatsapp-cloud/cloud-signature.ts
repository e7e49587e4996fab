import { createHmac, timingSafeEqual } from 'node:crypto';

/** Strict: the form that Meta documents and no other. */
const HEADER = /^sha256=([0-9a-f]{64})$/;

/** The digest of an `X-Hub-Signature-256` header; null when it has not the documented form. */
export function signatureOf(header: unknown): Buffer | null {
  const [, digest] = typeof header === 'string' ? (HEADER.exec(header) ?? []) : [];
  return digest === undefined ? null : Buffer.from(digest, 'hex');
}

/**
 * Whether Meta signed these bytes: HMAC-SHA256 of the body as it came, before anything reads it, by the app's secret
 * (facts 5.2). Takes the same time whatever the signature.
 */
export function isSignedBy(appSecret: string, signature: Buffer, body: Buffer): boolean {
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
