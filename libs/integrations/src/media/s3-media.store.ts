import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { S3Settings } from '@app/config/settings-config';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import {
  MediaStore,
  StoreUnavailableError,
  type ByteRange,
  type MediaKey,
  type SpooledFile,
} from '@app/domain/media/media-store.port';
import type { OnApplicationShutdown } from '@nestjs/common';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher } from 'undici';
import { pathOf, MediaSpool } from './media-spool';

const SPOOL = '.incoming';
/** Each account has its share: a request lasts until whoever reads a file has taken all of it. */
const CONNECTIONS = 32;
/** Whose share deletions take, so that no account's readers hold up those of all. */
const DELETIONS = 'deletions';
const CONNECT_MS = 5_000;
/** Without a byte for so long the store is taken to hang. */
const SILENCE_MS = 30_000;
const TRIES = 3;
const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type Answer = Dispatcher.ResponseData;

interface Asked {
  headers?: Record<string, string>;
  upload?: SpooledFile;
  /** Ends the request, and that it is tried again. */
  signal?: AbortSignal;
}

/**
 * Keeps files in a bucket of an S3-compatible store: one object each, which is there whole or not at all. The SHA-256 of
 * its bytes is signed, so the store refuses others.
 */
export class S3MediaStore extends MediaStore implements OnApplicationShutdown {
  private readonly files: MediaSpool;
  private readonly limiter = new InFlightLimiter(CONNECTIONS);
  private readonly agent = new Agent({
    connections: CONNECTIONS,
    allowH2: false,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connect: { timeout: CONNECT_MS },
  });

  /** @param folder of this machine, for temporary files */
  constructor(
    private readonly settings: S3Settings,
    folder: string,
  ) {
    super();
    this.files = new MediaSpool(join(folder, SPOOL));
  }

  spool(bytes: AsyncIterable<Uint8Array>, sizeMax: number): Promise<SpooledFile> {
    return this.files.write(bytes, sizeMax);
  }

  async put(key: MediaKey, file: SpooledFile): Promise<void> {
    await this.limiter.run(key.accountId, async () => {
      const { body } = await this.call('PUT', key, [200], { upload: file });
      await body.dump();
    });
  }

  open(key: MediaKey, range?: ByteRange): Promise<Readable | null> {
    return new Promise((resolve, reject) => {
      const read = async (): Promise<void> => {
        const bytes = await this.get(key, range);
        resolve(bytes);
        if (bytes) await finished(bytes).catch(() => undefined);
      };
      this.limiter.run(key.accountId, read).catch(reject);
    });
  }

  async remove(key: MediaKey, signal?: AbortSignal): Promise<void> {
    await this.limiter.run(DELETIONS, async () => {
      const { body } = await this.call('DELETE', key, [200, 204, 404], { signal });
      await body.dump();
    });
  }

  removeLeftovers(): Promise<void> {
    return this.files.removeLeftovers();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  private async get(key: MediaKey, range?: ByteRange): Promise<Readable | null> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const { statusCode, body } = await this.call('GET', key, [range ? 206 : 200, 404], { headers });
    if (statusCode !== 404) return body;
    await body.dump();
    return null;
  }

  /** Every request may be repeated: it leaves the same object, or none. @throws StoreUnavailableError */
  private async call(
    method: 'GET' | 'PUT' | 'DELETE',
    key: MediaKey,
    expected: readonly number[],
    what: Asked,
  ): Promise<Answer> {
    const path = pathOf(key);
    for (let tried = 1; ; tried += 1) {
      try {
        const answer = await this.ask(method, path, what);
        if (expected.includes(answer.statusCode)) return answer;
        await answer.body.dump();
        throw new Error(`the store answered ${answer.statusCode} to ${method}`);
      } catch (error) {
        if (tried === TRIES || what.signal?.aborted) throw new StoreUnavailableError(error);
      }
    }
  }

  private async ask(
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    { headers, upload, signal }: Asked,
  ): Promise<Answer> {
    const { endpoint, bucket, region, accessKey, secretKey } = this.settings;
    const signer = new AwsV4Signer({
      ...{ method, url: `${endpoint}/${bucket}/${path}`, service: 's3', region },
      ...{ accessKeyId: accessKey, secretAccessKey: secretKey },
      headers: { ...headers, 'x-amz-content-sha256': upload?.sha256 ?? NO_BYTES },
    });
    const { url, headers: signed } = await signer.sign();
    return this.agent.request({
      ...{ method, origin: url.origin, path: url.pathname, signal },
      headers: {
        ...Object.fromEntries(signed),
        ...(upload && { 'content-length': String(upload.size) }),
      },
      body: upload ? createReadStream(upload.path) : null,
    });
  }
}
