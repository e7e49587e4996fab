import { once } from 'node:events';
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERT, KEY } from '../faults/tls.front';

/** A host that is nobody's provider. It keeps all that it is sent, and has one file. */
export class RecordingHost {
  /** Address and headers of each request, as they came. */
  readonly heads: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
    private readonly address: string,
    bytes: Buffer,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.heads.push([request.url, ...request.rawHeaders].join('\n'));
      response.end(bytes);
    });
  }

  static async start(address: string, isSecure: boolean, bytes: Buffer): Promise<RecordingHost> {
    const server = isSecure ? createSecure({ key: KEY, cert: CERT }) : createPlain();
    await once(server.listen(0, address), 'listening');
    return new RecordingHost(server, isSecure ? 'https' : 'http', address, bytes);
  }

  /** Host and port. */
  get host(): string {
    return `${this.address}:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.scheme}://${this.host}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
