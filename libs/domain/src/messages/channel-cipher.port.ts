import type { Channel } from '@app/contracts/message.words';

/** Keeps tenants' provider tokens encrypted at rest. The key has an id, so that keys can be changed. */
export abstract class ChannelCipher {
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

/** The owner of a number's sealed credential: it cannot be opened for another bot or channel. */
export const boundTo = (accountId: string, botId: string, channel: Channel): string =>
  `${accountId}/${botId}/${channel}`;
