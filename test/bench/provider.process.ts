import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderCounts } from './provider.stub';

/**
 * The simplest stand-in for the Cloud API: each message is accepted after a fixed time, or never answered where that
 * time is negative. It counts its requests.
 */
const latencyMs = Number(process.env.PROVIDER_LATENCY_MS);
let counts = { requests: 0, doubles: 0, inFlightMax: 0 };
let inFlight = 0;
let endedAt = 0;
const references = new Set<string>();

function take(text: string, response: ServerResponse): void {
  const { biz_opaque_callback_data: reference, to } = JSON.parse(text) as Record<string, string>;
  counts.requests += 1;
  if (references.has(reference ?? '')) counts.doubles += 1;
  references.add(reference ?? '');
  inFlight += 1;
  counts.inFlightMax = Math.max(counts.inFlightMax, inFlight);
  response.on('close', () => {
    inFlight -= 1;
    endedAt = Date.now();
  });
  if (latencyMs >= 0) setTimeout(() => accept(response, reference ?? '', to ?? ''), latencyMs);
}

function accept(response: ServerResponse, reference: string, to: string): void {
  const contacts = [{ input: to, wa_id: to.slice(1) }];
  const messages = [{ id: `wamid.${reference}`, message_status: 'accepted' }];
  answer(response, JSON.stringify({ messaging_product: 'whatsapp', contacts, messages }));
}

function answer(response: ServerResponse, text: string): void {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
}

/** Tells the counts since it was last asked for them. */
function tell(response: ServerResponse): void {
  const told: ProviderCounts = { ...counts, inFlight, endedAt };
  answer(response, JSON.stringify(told));
  counts = { requests: 0, doubles: 0, inFlightMax: inFlight };
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET') return tell(response);
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => take(text, response));
}

const server = createServer(serve);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`The provider listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
