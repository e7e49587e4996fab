import { hash, timingSafeEqual } from 'node:crypto';

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Hashes have one length, so the comparison takes the same time whatever was sent. */
export function isSameSecret(given: unknown, secret: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digestOf(given), digestOf(secret));
}
