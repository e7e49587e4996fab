import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file as a provider has it. */
export interface ProvidedFile {
  bytes: Buffer;
  mimeType?: string;
  /** What the description says of its size; by default the truth, null: nothing. */
  size?: number | null;
  /** Answers the request for the bytes; by default with them. */
  behave?: (response: ServerResponse, file: ProvidedFile) => void;
  /** Where the description says that the bytes are; by default here. */
  url?: string;
}

interface SeenRequest {
  path: string;
  authorization: string | undefined;
}

/** Meta's description of files and their bytes, and Gupshup's addresses of files, with faults of every kind. */
export class FileProvider {
  readonly files = new Map<string, ProvidedFile>();
  readonly ledger: SeenRequest[] = [];
  inFlight = 0;
  inFlightMax = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => this.receive(request, response));
  }

  static async start(): Promise<FileProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FileProvider(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a server whose providers are here. */
  get environment(): Record<string, string> {
    return { CLOUD_API_URL: this.url, GUPSHUP_API_URL: this.url };
  }

  /** Requests for a file, for its description or its bytes. */
  asked(id: string): SeenRequest[] {
    return this.ledger.filter(({ path }) => path.endsWith(`/${id}`));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '', this.url);
    const id = pathname.split('/').at(-1) ?? '';
    this.ledger.push({ path: pathname, authorization: request.headers.authorization });
    const file = this.files.get(id);
    if (!file) return void response.writeHead(404).end('{}');
    if (!pathname.startsWith('/bytes/')) return this.describe(id, file, response);
    this.inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.inFlight);
    response.on('close', () => void (this.inFlight -= 1));
    if (file.behave) return file.behave(response, file);
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.bytes);
  }

  private describe(id: string, file: ProvidedFile, response: ServerResponse): void {
    const { bytes, mimeType, size = bytes.length, url = `${this.url}/bytes/${id}` } = file;
    const described = { messaging_product: 'whatsapp', id, url, mime_type: mimeType, file_size: size };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described));
  }
}
