import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FileProvider } from './file.provider';
import { ScriptedProvider } from './scripted.provider';

/** One address for both halves of the Cloud API: files are read and put there, everything else that is posted is a message. */
export class FileAndSendProvider {
  private constructor(
    private readonly server: Server,
    readonly files: FileProvider,
    readonly sends: ScriptedProvider,
  ) {}

  static async start(): Promise<FileAndSendProvider> {
    const files = await FileProvider.start();
    const sends = await ScriptedProvider.start();
    const server = createServer((asked, answered) => {
      const isSend = asked.method === 'POST' && !asked.url?.endsWith('/media');
      const to = isSend ? sends.url : files.url;
      const { method, headers } = asked;
      const passed = ask(`${to}${asked.url ?? ''}`, { method, headers }, (told) => {
        answered.writeHead(told.statusCode ?? 500, told.headers);
        told.pipe(answered);
      });
      passed.on('error', () => answered.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FileAndSendProvider(server, files, sends);
  }

  /** The settings of a server whose providers are here. */
  get environment(): Record<string, string> {
    return { CLOUD_API_URL: this.url, GUPSHUP_API_URL: this.url };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Has a file from now on. */
  has(id: string, bytes: Buffer, mimeType: string): void {
    this.files.files.set(id, { bytes, mimeType, url: `${this.url}/bytes/${id}` });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await Promise.all([this.files.stop(), this.sends.stop()]);
  }
}
