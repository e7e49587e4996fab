import { BodyMemoryPool } from './body-reader';

const KIB = 1024;

describe('the memory for bodies', () => {
  it('takes so much and no more, and all of it again when it is free', () => {
    const pool = new BodyMemoryPool(100 * KIB, 100 * KIB);
    const [first, second] = [pool.open(), pool.open()];
    expect(first.grow(60 * KIB)).toBe(true);
    expect(second.grow(41 * KIB)).toBe(false);
    expect(second.grow(40 * KIB)).toBe(true);
    first.free();
    first.free();
    expect(second.grow(60 * KIB)).toBe(true);
    expect(pool.open().grow(1)).toBe(false);
  });

  it('of the small bodies is not taken up by large ones', () => {
    const pool = new BodyMemoryPool(1_000 * KIB, 500 * KIB);
    const large = pool.open();
    expect(large.grow(400 * KIB)).toBe(true);
    const another = pool.open();
    // A body counts as small as long as it is small.
    expect(another.grow(64 * KIB)).toBe(true);
    expect(another.grow(50 * KIB)).toBe(false);
    another.free();
    large.free();
    expect(pool.open().grow(500 * KIB)).toBe(true);
    expect(pool.open().grow(65 * KIB)).toBe(false);
  });
});
