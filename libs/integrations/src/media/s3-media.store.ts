import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Settings } from '@app/config/settings.config';
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
import { pathOf } from './media.path';
import { MediaSpool } from './media.spool';

const SPOOL = '.incoming';
const CONNECTIONS = 32;
const CONNECT_MS = 5_000;
/** Without a byte for so long the store is taken to hang. */
const SILENCE_MS = 30_000;
const TRIES = 3;
const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type Answer = Dispatcher.ResponseData;

/**
 * Keeps files in a bucket of an S3-compatible store: one object each, which is there whole or not at all. The SHA-256 of
 * its bytes is signed, so the store refuses others.
 */
export class S3MediaStore extends MediaStore implements OnApplicationShutdown {
  private readonly files: MediaSpool;
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
    const { body } = await this.call('PUT', key, [200], {}, file);
    await body.dump();
  }

  async open(key: MediaKey, range?: ByteRange): Promise<Readable | null> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const { statusCode, body } = await this.call('GET', key, [range ? 206 : 200, 404], headers);
    if (statusCode !== 404) return body;
    await body.dump();
    return null;
  }

  async remove(key: MediaKey): Promise<void> {
    const { body } = await this.call('DELETE', key, [200, 204, 404]);
    await body.dump();
  }

  removeLeftovers(): Promise<void> {
    return this.files.removeLeftovers();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  /** Every request may be repeated: it leaves the same object, or none. @throws StoreUnavailableError */
  private async call(
    method: 'GET' | 'PUT' | 'DELETE',
    key: MediaKey,
    expected: readonly number[],
    headers: Record<string, string> = {},
    upload?: SpooledFile,
  ): Promise<Answer> {
    const path = pathOf(key);
    for (let tried = 1; ; tried += 1) {
      try {
        const answer = await this.ask(method, path, headers, upload);
        if (expected.includes(answer.statusCode)) return answer;
        await answer.body.dump();
        throw new Error(`the store answered ${answer.statusCode} to ${method}`);
      } catch (error) {
        if (tried === TRIES) throw new StoreUnavailableError(error);
      }
    }
  }

  private async ask(
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    upload?: SpooledFile,
  ): Promise<Answer> {
    const { endpoint, bucket, region, accessKey, secretKey } = this.settings;
    const signer = new AwsV4Signer({
      ...{ method, url: `${endpoint}/${bucket}/${path}`, service: 's3', region },
      ...{ accessKeyId: accessKey, secretAccessKey: secretKey },
      headers: { ...headers, 'x-amz-content-sha256': upload?.sha256 ?? NO_BYTES },
    });
    const { url, headers: signed } = await signer.sign();
    return this.agent.request({
      ...{ method, origin: url.origin, path: url.pathname },
      headers: {
        ...Object.fromEntries(signed),
        ...(upload && { 'content-length': String(upload.size) }),
      },
      body: upload ? createReadStream(upload.path) : null,
    });
  }
}
