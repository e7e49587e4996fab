import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  FileTooLargeError,
  StoreUnavailableError,
  type MediaKey,
  type MediaStore,
} from '@app/domain/media/media-store.port';
import { eventually } from '../../../../test/support/eventually';
import { S3Store } from '../../../../test/support/stand-ins/s3.store';
import { mediaStoreOf } from './media-stores';

let folder: string;
let bucket: S3Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadline-media-'));
  bucket = await S3Store.start();
});

afterAll(async () => {
  await bucket.stop();
  await rm(folder, { recursive: true, force: true });
});

const s3 = (given: object = {}) => ({
  ...{ endpoint: bucket.url, bucket: 'leadline', region: 'us-east-1' },
  ...{ accessKey: 'S3RVER', secretKey: 'S3RVER', ...given },
});

describe.each(['on disk', 'in a bucket'])('files %s', (where) => {
  let store: MediaStore;
  const accountId = randomUUID();
  const spooled = () => readdir(join(folder, '.incoming'));

  beforeAll(() => {
    store = mediaStoreOf({ folder, s3: where === 'on disk' ? null : s3() });
  });

  const keep = async (bytes: Buffer, more: Partial<MediaKey> = {}): Promise<MediaKey> => {
    const file = await store.spool(Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]), 1_000_000);
    const key = { accountId, sha256: file.sha256, ...more };
    await store.put(key, file);
    await file.discard();
    return key;
  };

  it('are read whole and in parts, and are gone when they are removed', async () => {
    const bytes = randomBytes(100_000);
    const key = await keep(bytes);
    expect(await buffer((await store.open(key))!)).toEqual(bytes);
    expect(await buffer((await store.open(key, { start: 5, end: 9 }))!)).toEqual(bytes.subarray(5, 10));
    await keep(bytes);
    expect(await store.open({ ...key, variant: 'preview' })).toBeNull();
    expect(await store.open({ ...key, accountId: randomUUID() })).toBeNull();
    await store.remove(key);
    await store.remove(key);
    expect(await store.open(key)).toBeNull();
    expect(await spooled()).toEqual([]);
  });

  it('have a preview of their own, which goes without them', async () => {
    const [bytes, small] = [randomBytes(1_000), randomBytes(100)];
    const key = await keep(bytes);
    const preview = await keep(small, { sha256: key.sha256, variant: 'preview' });
    expect(await buffer((await store.open(preview))!)).toEqual(small);
    await store.remove(preview);
    expect(await store.open(preview)).toBeNull();
    expect(await buffer((await store.open(key))!)).toEqual(bytes);
  });

  it('leave nothing where they are too large, or do not come whole', async () => {
    const large = store.spool(Readable.from([randomBytes(60), randomBytes(41)]), 100);
    await expect(large).rejects.toThrow(FileTooLargeError);
    const largest = await store.spool(Readable.from([randomBytes(60), randomBytes(40)]), 100);
    expect(largest.size).toBe(100);
    await largest.discard();
    const broken = store.spool(
      new Readable({
        read() {
          this.push(randomBytes(50));
          this.destroy(new Error('broken off'));
        },
      }),
      100,
    );
    await expect(broken).rejects.toThrow('broken off');
    expect(await spooled()).toEqual([]);
  });

  it('may be empty', async () => {
    expect(await buffer((await store.open(await keep(Buffer.alloc(0))))!)).toHaveLength(0);
  });

  it('are under names that lead nowhere else', async () => {
    const sha256 = 'a'.repeat(64);
    for (const key of [
      { accountId: '../../etc', sha256 },
      { accountId, sha256: '../passwd' },
    ])
      await expect(store.open(key)).rejects.toThrow('names no file');
  });
});

it('a disk that refuses makes the service unavailable, not wrong, and the stream’s own errors stay', async () => {
  const place = join(folder, 'refusing');
  const store = mediaStoreOf({ folder: place, s3: null });
  const spool = () => store.spool(Readable.from([randomBytes(10)]), 100);
  const file = await spool();
  const key = { accountId: randomUUID(), sha256: file.sha256 };
  await writeFile(join(place, key.accountId), 'no folder');
  await expect(store.put(key, file)).rejects.toThrow(StoreUnavailableError);
  await expect(store.open(key)).rejects.toThrow(StoreUnavailableError);
  await expect(store.remove(key)).rejects.toThrow(StoreUnavailableError);
  await file.discard();
  await rm(join(place, '.incoming'), { recursive: true });
  await writeFile(join(place, '.incoming'), 'no folder');
  await expect(spool()).rejects.toThrow(StoreUnavailableError);
  await rm(join(place, '.incoming'));
  const broken = Object.assign(new Error('the caller left'), { code: 'EIO', syscall: 'read' });
  const stream = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from('half'));
    throw broken;
  };
  await expect(store.spool(stream(), 100)).rejects.toBe(broken);
});

it('a bucket that cannot be reached, or refuses the key, makes the service unavailable, not wrong', async () => {
  for (const given of [{ endpoint: 'http://127.0.0.1:1' }, { secretKey: 'another' }, { bucket: 'missing' }]) {
    const store = mediaStoreOf({ folder, s3: s3(given) });
    const file = await store.spool(Readable.from([randomBytes(10)]), 100);
    const key = { accountId: randomUUID(), sha256: file.sha256 };
    await expect(store.put(key, file)).rejects.toThrow(StoreUnavailableError);
    if (!('bucket' in given)) await expect(store.open(key)).rejects.toThrow(StoreUnavailableError);
    await file.discard();
  }
});

it('a deletion in a bucket that hangs is given up when its time is over, and none begins after it', async () => {
  const asked: string[] = [];
  let open = 0;
  const hanging = createServer(({ method = '' }, response) => {
    asked.push(method);
    open += 1;
    response.on('close', () => (open -= 1));
  });
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = hanging.address() as AddressInfo;
    const store = mediaStoreOf({ folder, s3: s3({ endpoint: `http://127.0.0.1:${port}` }) });
    const key = { accountId: randomUUID(), sha256: 'a'.repeat(64) };
    const over = AbortSignal.timeout(500);
    await expect(store.remove(key, over)).rejects.toThrow(StoreUnavailableError);
    await expect(store.remove(key, over)).rejects.toThrow(StoreUnavailableError);
    await eventually(async () => open === 0, 5_000, 'the request is still open');
    expect(asked).toEqual(['DELETE']);
  } finally {
    hanging.closeAllConnections();
    hanging.close();
  }
});
