import type { TracingSettings } from '@app/config/settings-config';
import type {
  SpanFacts,
  SpanKind as Kind,
  SpanStart,
  TraceRecorder,
  TraceSpan,
} from '@app/contracts/trace-recorder';
import { Logger } from '@nestjs/common';
import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as traces,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TracerProvider,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';

type Done = Parameters<SpanExporter['export']>[1];

/** Says once when a collector does not take spans any more, and once when it does again. */
class WatchedExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private isFailing = false;

  constructor(private readonly inner: SpanExporter) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.inner.export(spans, (result) => {
      const { error, code } = result;
      this.note(error !== undefined || Number(code) > 0);
      // A failure is told here and nowhere else: the processor would raise it once more.
      done({ code: 0 });
    });
  }

  async shutdown(): Promise<void> {
    await this.inner.shutdown();
  }

  private note(hasFailed: boolean): void {
    if (hasFailed && !this.isFailing)
      this.logger.warn('The collector of traces takes none; calls go on, and their spans are dropped.');
    if (!hasFailed && this.isFailing) this.logger.log('The collector of traces takes them again.');
    this.isFailing = hasFailed;
  }
}

/** The sampler by its standard name. What follows from a call is recorded where the call is, by the `parentbased` ones. */
function samplerOf({ name, ratio }: TracingSettings['sampler']): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Spans that wait to be exported. More are dropped: some 4 MiB, whatever the collector does. */
const WAITING_MAX = 4_096;
const EXPORTED_AT_ONCE = 512;
const EXPORT_EVERY_MS = 1_000;
/** Batches under way, each until it is out of time. */
const EXPORTS_AT_ONCE = 4;
/** So long does a stop wait for the collector. */
const LAST_EXPORT_MS = 1_500;
/** No attribute of ours is longer. */
const VALUE_LENGTH_MAX = 200;

const KINDS: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/;
const NOTHING = /^0+$/;

/** Null for what is no W3C `traceparent` of version 00. */
function contextOf(text: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text) ?? [];
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number(flags), isRemote: true };
}

/** The code or the type of an error. Its message may quote a row or what a provider said. */
function typeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const type = typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : name;
  return typeof type === 'string' && /^\w{1,60}$/.test(type) ? type : 'Error';
}

/** Of the span on whose behalf code runs. */
const ACTIVE = createContextKey('leadline span');

class OtlpSpan implements TraceSpan {
  private isOver = false;

  constructor(private readonly span: Span) {}

  get trace(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  get isRecorded(): boolean {
    return !this.isOver && this.span.isRecording();
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(facts: SpanFacts): void {
    this.span.setAttributes({ ...facts });
  }

  fail(error: unknown): void {
    this.span.setAttribute('error.type', typeOf(error));
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.span.end();
  }
}

/**
 * Records traces with OpenTelemetry, and exports them in batches by OTLP over HTTP. A collector that is slow or away
 * delays nothing: spans wait in bounded memory, and what is beyond it is dropped.
 */
export class OtlpRecorder implements TraceRecorder {
  private readonly contexts = new AsyncLocalStorageContextManager().enable();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor({ url, headers, timeoutMs, serviceName, sampler }: TracingSettings) {
    context.setGlobalContextManager(this.contexts);
    const exporter = new WatchedExporter(
      new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs, concurrencyLimit: EXPORTS_AT_ONCE }),
    );
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName }),
      sampler: samplerOf(sampler),
      spanLimits: { attributeValueLengthLimit: VALUE_LENGTH_MAX },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: WAITING_MAX,
          maxExportBatchSize: EXPORTED_AT_ONCE,
          scheduledDelayMillis: EXPORT_EVERY_MS,
          exportTimeoutMillis: timeoutMs + 1_000,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('leadline');
  }

  get active(): TraceSpan | null {
    return (this.contexts.active().getValue(ACTIVE) as TraceSpan | undefined) ?? null;
  }

  begin(trace: string | null, { name, kind, facts, links = [], begunAt }: SpanStart): TraceSpan {
    const above = trace === null ? null : contextOf(trace);
    const parent: Context = above ? traces.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT;
    const linked = links.flatMap((link): Link[] => {
      const linkedTo = contextOf(link);
      return linkedTo ? [{ context: linkedTo }] : [];
    });
    const options = { kind: KINDS[kind], links: linked, ...(facts && { attributes: { ...facts } }) };
    return new OtlpSpan(
      this.tracer.startSpan(
        name,
        begunAt === undefined ? options : { ...options, startTime: begunAt },
        parent,
      ),
    );
  }

  within<T>(span: TraceSpan | null, work: () => T): T {
    return this.contexts.with(span ? ROOT_CONTEXT.setValue(ACTIVE, span) : ROOT_CONTEXT, work);
  }

  /** Exports what waits, for a bounded time. Never throws. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_EXPORT_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
    this.contexts.disable();
    context.disable();
  }
}
