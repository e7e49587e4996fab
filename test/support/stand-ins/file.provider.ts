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
  /** What the description says of their SHA-256; by default nothing. */
  sha256?: string;
  /** Answers the request for the description; by default with it. */
  tell?: (response: ServerResponse, description: string) => void;
}

interface SeenRequest {
  path: string;
  authorization: string | undefined;
}

/** A file that the service gave to Meta. */
export interface TakenFile {
  id: string;
  sender: string;
  authorization: string | undefined;
  fields: Record<string, string>;
  bytes: Buffer;
  name: string;
  type: string;
}

/** Meta's description of files and their bytes, and Gupshup's addresses of files, with faults of every kind. */
export class FileProvider {
  readonly files = new Map<string, ProvidedFile>();
  /** Files that it was given, and messages that it was asked to send. */
  readonly taken: TakenFile[] = [];
  readonly sends: Record<string, any>[] = [];
  /** Answers the next requests that give a file, one each, instead of taking it. */
  readonly uploadFaults: ((response: ServerResponse) => void)[] = [];
  readonly sendFaults: ((response: ServerResponse) => void)[] = [];
  /** Numbers whose files are read and never answered. */
  readonly hangsFor = new Set<string>();
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
    if (request.method === 'POST') return void this.take(pathname, request, response);
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

  private async take(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const answer = (value: object): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const [, , sender = '', what] = path.split('/');
    if (what === 'media') {
      if (this.hangsFor.has(sender)) return;
      const fault = this.uploadFaults.shift();
      if (fault) return fault(response);
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
      const file = form.get('file') as File;
      const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Record<
        string,
        string
      >;
      const id = `given-${this.taken.length + 1}`;
      const { authorization } = request.headers;
      const bytes = Buffer.from(await file.arrayBuffer());
      this.taken.push({ id, sender, authorization, fields, bytes, name: file.name, type: file.type });
      return answer({ id });
    }
    const message = JSON.parse(body.toString()) as Record<string, any>;
    this.sends.push(message);
    const fault = this.sendFaults.shift();
    if (fault) return fault(response);
    answer({
      messaging_product: 'whatsapp',
      contacts: [{ input: message.to, wa_id: String(message.to).slice(1) }],
      messages: [{ id: `wamid.${message.biz_opaque_callback_data}` }],
    });
  }

  private describe(id: string, file: ProvidedFile, response: ServerResponse): void {
    const { bytes, mimeType, size = bytes.length, url = `${this.url}/bytes/${id}` } = file;
    const { sha256, tell } = file;
    const described = {
      messaging_product: 'whatsapp',
      id,
      url,
      mime_type: mimeType,
      sha256,
      file_size: size,
    };
    if (tell) return tell(response, JSON.stringify(described));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described));
  }
}
