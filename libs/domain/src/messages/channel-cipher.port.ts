import type { Channel } from '@app/contracts/message.words';

/** Keeps tenants' provider tokens encrypted at rest, under a key that has an id, so that keys can be changed. */
export abstract class ChannelCipher {
  /** @param bound what the text belongs to: it opens nowhere else. */
  abstract seal(text: string, bound: string): { keyId: string; sealed: Buffer };

  /** @throws Error when the key is not known, or the bytes are not what {@link seal} made for it. */
  abstract open(keyId: string, sealed: Buffer, bound: string): string;
}

/** What a number's sealed credential belongs to: it opens for no other bot and no other channel. */
export const boundTo = (accountId: string, botId: string, channel: Channel): string =>
  `${accountId}/${botId}/${channel}`;
