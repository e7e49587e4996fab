/** Keeps tenants' provider tokens encrypted at rest, under a key that has an id, so that keys can be changed. */
export abstract class ChannelCipher {
  /** @param bound what the text belongs to: it opens nowhere else. */
  abstract seal(text: string, bound: string): { keyId: string; sealed: Buffer };

  /** @throws Error when the key is not known, or the bytes are not what {@link seal} made for it. */
  abstract open(keyId: string, sealed: Buffer, bound: string): string;
}
