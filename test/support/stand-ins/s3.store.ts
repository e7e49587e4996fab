import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

const BUCKET = 'leadline';

/**
 * An S3-compatible store. This one comes from npm, speaks the protocol over HTTP and checks signatures as others do;
 * what it does not check is that the bytes have the signed SHA-256.
 */
export class S3Store {
  private constructor(
    private readonly server: S3rver,
    /** Where its objects are. */
    readonly folder: string,
    readonly url: string,
  ) {}

  static async start(): Promise<S3Store> {
    const folder = await mkdtemp(join(tmpdir(), 'leadline-s3-'));
    const server = new S3rver({
      ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
      configureBuckets: [{ name: BUCKET, configs: [] }],
    });
    const { port } = await server.run();
    return new S3Store(server, folder, `http://127.0.0.1:${port}`);
  }

  /** The settings of a server that keeps its files here. */
  get environment(): Record<string, string> {
    return {
      MEDIA_S3_ENDPOINT: this.url,
      MEDIA_S3_BUCKET: BUCKET,
      MEDIA_S3_ACCESS_KEY: 'S3RVER',
      MEDIA_S3_SECRET_KEY: 'S3RVER',
    };
  }

  async stop(): Promise<void> {
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
