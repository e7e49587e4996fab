import type { MediaKey } from '@app/domain/media/media-store.port';

const ACCOUNT = /^[0-9a-f-]{36}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The place of bytes in a store, relative to its root. @throws Error for a key that is none. */
export function pathOf({ accountId, sha256, variant }: MediaKey): string {
  if (!ACCOUNT.test(accountId) || !SHA256.test(sha256)) throw new Error('this names no file');
  return `${accountId}/${sha256.slice(0, 2)}/${sha256}${variant ? `.${variant}` : ''}`;
}
