import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileLinks, LinkedFile } from '@app/domain/media/media-store.port';

const LIVES_SECONDS = 3_600;
const FORM = /^[A-Za-z0-9_-]{92}$/;
const ID_BYTES = 16;
const UNTIL_AT = 2 * ID_BYTES;
const SIGNED_BYTES = UNTIL_AT + 5;
const DIGEST_BYTES = 32;

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Signed addresses of files. A token has the account, the file, the second of its end, and an HMAC of these.
 * @param secret of which the key is made
 */
export function fileLinks(address: string | null, secret: string, now = () => Date.now()): FileLinks {
  const key = createHmac('sha256', secret).update('leadline file links').digest();
  const digestOf = (signed: Buffer): Buffer => createHmac('sha256', key).update(signed).digest();
  return {
    address,
    linkOf({ accountId, id }) {
      if (this.address === null) return null;
      const signed = Buffer.alloc(SIGNED_BYTES);
      bytesOf(accountId).copy(signed, 0);
      bytesOf(id).copy(signed, ID_BYTES);
      signed.writeUIntBE(Math.floor(now() / 1_000) + LIVES_SECONDS, UNTIL_AT, 5);
      return `${this.address}/files/${Buffer.concat([signed, digestOf(signed)]).toString('base64url')}`;
    },
    read: (token) => {
      if (!FORM.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const signed = bytes.subarray(0, SIGNED_BYTES);
      const isOurs =
        bytes.length === SIGNED_BYTES + DIGEST_BYTES &&
        timingSafeEqual(digestOf(signed), bytes.subarray(SIGNED_BYTES));
      if (!isOurs || signed.readUIntBE(UNTIL_AT, 5) * 1_000 <= now()) return null;
      const file: LinkedFile = {
        accountId: idOf(signed.subarray(0, ID_BYTES)),
        id: idOf(signed.subarray(ID_BYTES, UNTIL_AT)),
      };
      return file;
    },
  };
}
