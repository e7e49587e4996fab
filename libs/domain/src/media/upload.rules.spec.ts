import type { MediaKind } from '@app/contracts/media.words';
import { requireSize } from './upload.rules';

const KIB = 1024;
const MIB = 1024 * KIB;

it.each<[MediaKind, boolean, number]>([
  ['image', false, 5 * MIB],
  ['video', false, 16 * MIB],
  ['audio', false, 16 * MIB],
  ['voice', false, 16 * MIB],
  ['sticker', false, 100 * KIB],
  ['sticker', true, 500 * KIB],
  ['document', false, 100 * MIB],
])('%s (animated: %s) may have %i bytes, and not one more', (kind, isAnimated, limit) => {
  expect(() => requireSize(kind, limit, isAnimated)).not.toThrow();
  expect(() => requireSize(kind, limit + 1, isAnimated)).toThrow(`of the kind ${kind}`);
  expect(() => requireSize(kind, limit + 1, isAnimated)).toThrow(`${limit} bytes at most`);
});

it('a file without bytes is refused', () => {
  expect(() => requireSize('document', 0, false)).toThrow('must not be empty');
});
