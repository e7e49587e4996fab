import type { ByteRange } from '@app/domain/media/media-store.port';

/** `bytes=0-99`, `bytes=100-`, `bytes=-50`. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part of a file that a Range header asks for. Undefined where the whole file is the answer: no header, several
 * ranges, or another unit. Null: nothing of the file is in the range.
 * @param size of the file, in bytes
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? null : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether a header of entity tags names one, by weak comparison (RFC 9110). */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((given) => ['*', tag].includes(given.trim().replace(/^W\//, ''))) ?? false;
