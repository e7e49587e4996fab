import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { SecretCipher } from '@app/domain/accounts/secret-cipher.port';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_DIGITS = 8;

/**
 * AES-256-GCM with one key. The sealed text is nonce, tag and ciphertext in one piece, authenticated together with
 * the name of its owner.
 */
export class AesChannelCipher extends SecretCipher {
  private readonly key: Buffer;
  readonly keyId: string;

  /** @param hexKey 32 bytes as 64 hex digits. */
  constructor(hexKey: string) {
    super();
    this.key = Buffer.from(hexKey, 'hex');
    if (this.key.length !== 32) throw new Error('the encryption key must be 32 bytes as 64 hex digits');
    this.keyId = hash('sha256', this.key, 'hex').slice(0, KEY_ID_DIGITS);
  }

  seal(text: string, bound: string): { keyId: string; sealed: Buffer } {
    // A random nonce allows 2^32 texts for one key. Tokens are entered by hand, so that number is never reached.
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(bound));
    const secret = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { keyId: this.keyId, sealed: Buffer.concat([nonce, cipher.getAuthTag(), secret]) };
  }

  open(keyId: string, sealed: Buffer, bound: string): string {
    if (keyId !== this.keyId) {
      throw new Error(
        `a credential is sealed by the key ${keyId}, but ENCRYPTION_KEY is the key ${this.keyId}: set the former key again, or enter the credential anew`,
      );
    }
    const [nonce, tag, secret] = [
      sealed.subarray(0, NONCE_BYTES),
      sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      sealed.subarray(NONCE_BYTES + TAG_BYTES),
    ];
    const decipher = createDecipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(bound));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(secret), decipher.final()]).toString('utf8');
  }
}
