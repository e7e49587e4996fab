import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually';

interface Value {
  stringValue?: string;
  intValue?: number | string;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  links: { traceId: string; spanId: string }[];
  status: { code: number };
}

/** A span as the collector got it. */
export interface CollectedSpan extends Omit<SentSpan, 'attributes'> {
  facts: Record<string, string | number | undefined>;
}

/** OpenTelemetry's numbers of kinds. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

const DEADLINE_MS = 10_000;

/** A collector that takes spans by OTLP over HTTP, as JSON, and keeps them. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** All that was sent, byte for byte. */
  readonly bodies: string[] = [];
  readonly headers: Record<string, string | string[] | undefined>[] = [];
  /** What it does with a request. */
  behave: (response: ServerResponse) => void = (response) => void response.end('{}');

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        this.bodies.push(body);
        this.headers.push({ ...request.headers, path: request.url });
        this.spans.push(...spansIn(body));
        this.behave(response);
      });
    });
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TraceCollector(server);
  }

  /** The settings of a server that shall export here. */
  get environment(): Record<string, string> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.url };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The trace of which a span is, once all of the named spans have come, and whatever is above one of them. */
  async traceWith(isIts: (span: CollectedSpan) => boolean, ...names: string[]): Promise<CollectedSpan[]> {
    let trace: CollectedSpan[] = [];
    return eventually(
      () => {
        const traceId = this.spans.find(isIts)?.traceId;
        trace = this.spans.filter((span) => span.traceId === traceId);
        const ids = new Set(trace.map(({ spanId }) => spanId));
        const isWhole =
          trace.length > 0 &&
          names.every((name) => trace.some((span) => span.name === name)) &&
          trace.every(({ parentSpanId }) => !parentSpanId || ids.has(parentSpanId));
        return Promise.resolve(isWhole && trace);
      },
      DEADLINE_MS,
      'the trace was not whole',
    ).catch((error: unknown) => {
      throw new Error(
        `${String(error)}: wanted ${names.join()}, got ${trace.map(({ name }) => name).join()}`,
      );
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function spansIn(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
  };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, ...span }) => ({
      ...span,
      facts: Object.fromEntries(
        attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
      ),
    }));
}

/** The spans from one up to the first of its trace, by their names. */
export function pathOf(trace: readonly CollectedSpan[], from: CollectedSpan): string[] {
  const names: string[] = [];
  for (let span: CollectedSpan | undefined = from; span;) {
    names.push(span.name);
    const above: string | undefined = span.parentSpanId;
    if (!above) return names;
    const next: CollectedSpan | undefined = trace.find(({ spanId }) => spanId === above);
    if (!next) throw new Error(`the span above ${names.join(' < ')} is missing`);
    span = next;
  }
  return names;
}
