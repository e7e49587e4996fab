import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloudNumbersAsked, gupshupAppAsked } from './provider.numbers';

/** A request for sending a message, as a provider got it. */
export interface ReceivedSend {
  /** When its head was read. */
  begunAt: number;
  /** When it was whole. */
  at: number;
  /** With its plus. */
  to: string;
  reference: string | null;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** Answers one request; whatever it leaves open stays open. */
export type Script = (response: ServerResponse, received: ReceivedSend, n: number) => void | Promise<void>;

/**
 * The sending end of the Cloud API with a script for each recipient: what a provider may do that no good one does. Its
 * ledger has every request in the order in which they came, whole ones only.
 */
export class ScriptedProvider {
  readonly ledger: ReceivedSend[] = [];
  /** Ids of messages that were marked as read, in the order in which they came. */
  readonly reads: string[] = [];
  private readonly scripts = new Map<string, Script>();
  private readonly times = new Map<string, number>();
  /** The number of each app at Gupshup. */
  readonly apps = new Map<string, string>();
  /** Tokens and API keys that it does not take any more. */
  readonly revoked = new Set<string>();
  /** Customers' voice notes by their ids, with what a model at the same address hears in them. */
  readonly voices = new Map<string, { bytes: Buffer; text: string }>();
  private inFlight = 0;
  inFlightMax = 0;
  latencyMs = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedProvider> {
    const server = createServer();
    server.keepAliveTimeout = 60_000;
    const provider = new ScriptedProvider(server);
    server.on('request', (request, response) => void provider.receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a server that shall send here. */
  get environment(): Record<string, string> {
    return { CLOUD_API_URL: this.url, GUPSHUP_API_URL: this.url };
  }

  /** As if it had just started, but for its address. */
  forget(): void {
    this.ledger.length = 0;
    this.reads.length = 0;
    this.scripts.clear();
    this.times.clear();
    this.apps.clear();
    this.revoked.clear();
    this.voices.clear();
    this.inFlightMax = this.inFlight;
    this.latencyMs = 0;
  }

  /** What happens to requests for a phone from now on. */
  on(phone: string, script: Script): void {
    this.scripts.set(phone, script);
  }

  /** How often each phone was asked for. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { to } of this.ledger) counts.set(to, (counts.get(to) ?? 0) + 1);
    return counts;
  }

  sendsTo(phone: string): ReceivedSend[] {
    return this.ledger.filter(({ to }) => to === phone);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Whose a number is. @returns whether that was asked */
  private tellOfNumber({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
    const [numbers, app] = [cloudNumbersAsked(url), gupshupAppAsked(url)];
    if (!numbers && app === null) return false;
    const isRevoked = this.revoked.has(
      String(headers.apikey ?? headers.authorization?.replace('Bearer ', '')),
    );
    const phoneNumber = this.apps.get(app ?? '');
    if (numbers && isRevoked) refuseToken(response);
    else if (numbers) answer(response, 200, numbers);
    else if (isRevoked) answer(response, 401, { status: 'error', message: 'Authentication Failed' });
    else if (phoneNumber === undefined)
      answer(response, 400, { status: 'error', message: 'Invalid app id provided' });
    else answer(response, 200, { status: 'success', phoneNumber });
    return true;
  }

  /** @returns whether a voice note was asked for, or what is said in one */
  private tellOfVoice(path: string, body: Buffer, response: ServerResponse): boolean {
    const id = path.split('?', 1)[0]?.split('/').at(-1) ?? '';
    const said = [...this.voices.values()].find(({ bytes }) => body.includes(bytes));
    const voice = this.voices.get(id);
    if (id === 'transcriptions' && said) answer(response, 200, { text: said.text, language: 'russian' });
    else if (voice && path.startsWith('/bytes/')) response.writeHead(200).end(voice.bytes);
    else if (voice) answer(response, 200, { id, url: `${this.url}/bytes/${id}`, mime_type: 'audio/ogg' });
    else return false;
    return true;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begunAt = performance.now();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const whole = Buffer.concat(chunks);
    const text = whole.toString();
    if (this.tellOfVoice(request.url ?? '', whole, response)) return;
    if (request.method === 'GET' && this.tellOfNumber(request, response)) return;
    // It knows messages and numbers only, no templates.
    if (request.method !== 'POST' || !text.startsWith('{'))
      return answer(response, 404, {
        error: { message: '(#100) Unknown path', type: 'OAuthException', code: 100 },
      });
    const body = JSON.parse(text) as Record<string, unknown>;
    if (body.status === 'read') {
      this.reads.push(String(body.message_id));
      return answer(response, 200, { success: true });
    }
    const to = String(body.to ?? body.recipient);
    const received: ReceivedSend = {
      begunAt,
      at: performance.now(),
      to,
      reference: typeof body.biz_opaque_callback_data === 'string' ? body.biz_opaque_callback_data : null,
      path: request.url ?? '',
      headers: request.headers,
      body,
    };
    this.ledger.push(received);
    const n = (this.times.get(to) ?? 0) + 1;
    this.times.set(to, n);
    this.inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.inFlight);
    response.on('close', () => (this.inFlight -= 1));
    if (this.latencyMs > 0) await sleep(this.latencyMs);
    await (this.scripts.get(to) ?? accept)(response, received, n);
  }
}

export function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}

const refuseToken = (response: ServerResponse): void =>
  answer(response, 401, {
    error: { message: 'Error validating access token', type: 'OAuthException', code: 190, fbtrace_id: 'A' },
  });

/** As the Cloud API accepts a message. */
export const accept: Script = (response, { to, reference }) =>
  answer(response, 200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: to, wa_id: to.slice(1) }],
    messages: [{ id: `wamid.${reference}`, message_status: 'accepted' }],
  });

/** As the Cloud API refuses one. */
export const refuse =
  (status: number, code: number, headers = {}): Script =>
  (response) =>
    answer(
      response,
      status,
      { error: { message: `(#${code}) refused`, type: 'OAuthException', code, fbtrace_id: 'A' } },
      headers,
    );
