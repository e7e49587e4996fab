import { randomBytes } from 'node:crypto';

/**
 * Keeps secrets encrypted at rest: tenants' provider tokens, headers, second factors. The key has an id, so that keys can
 * be changed.
 */
export abstract class SecretCipher {
  /** The id of the key that seals, and the only one that opens. */
  abstract readonly keyId: string;

  /**
   * @param bound names the owner of the text: it cannot be opened for another one
   */
  abstract seal(text: string, bound: string): { keyId: string; sealed: Buffer };

  /**
   * @throws Error when the key is unknown, or {@link seal} did not make the bytes for this owner.
   */
  abstract open(keyId: string, sealed: Buffer, bound: string): string;
}

const SECRET_BYTES = 32;

/** By Standard Webhooks: a prefix and 24 to 64 random bytes in Base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
