import { crc32 } from 'node:zlib';

/**
 * Ends a backup's file: a gzip member of its own that says the SHA-256 of all bytes before it. Programs that read gzip and
 * tar pass over it. It always has the same length, so it is found from the end of the file.
 */
export function sealOf(sha256: string): Buffer {
  const text = Buffer.from(`sha256 ${sha256}\n`);
  // Not compressed, so that the same hash has the same bytes by any zlib: RFC 1951 (3.2.4) and RFC 1952.
  const stored = Buffer.alloc(5);
  stored.writeUInt8(1, 0);
  stored.writeUInt16LE(text.length, 1);
  stored.writeUInt16LE(~text.length & 0xffff, 3);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(text), 0);
  end.writeUInt32LE(text.length, 4);
  return Buffer.concat([Buffer.from('1f8b08000000000000ff', 'hex'), stored, text, end]);
}

export const SEAL_BYTES = sealOf('0'.repeat(64)).length;
