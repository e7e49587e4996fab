/** OpenTelemetry's kinds of spans. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Attributes by their names. Ids, states and numbers only: never a body, a text, an address of a customer or a secret. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  name: string;
  kind: SpanKind;
  facts?: SpanFacts;
  /** Spans that it belongs to as well, as W3C `traceparent`. */
  links?: readonly string[];
  /** By the clock, in milliseconds; default: now. */
  begunAt?: number;
}

/** A piece of work in a trace. */
export interface TraceSpan {
  /** Its place as W3C `traceparent`, for rows and requests. */
  readonly trace: string;
  readonly traceId: string;
  /** What is begun on its behalf and goes on after its end belongs to nobody. */
  readonly hasEnded: boolean;
  /** False for one that was not sampled, and for one that has ended. */
  readonly isRecorded: boolean;
  rename(name: string): void;
  set(facts: SpanFacts): void;
  /** The work failed; of an error only its code or type is kept. */
  fail(error: unknown): void;
  end(): void;
}

/** Records what the process does, for a tracing system. */
export interface TraceRecorder {
  /** The span on whose behalf this code runs. */
  readonly active: TraceSpan | null;
  /** @param trace the span above it as `traceparent`; null: a new trace begins */
  begin(trace: string | null, start: SpanStart): TraceSpan;
  /** Runs work on behalf of a span, or of none. */
  within<T>(span: TraceSpan | null, work: () => T): T;
}

/**
 * Of the process, because what is recorded passes all layers, statements of shared batches included. Null: nothing is
 * recorded, and each of the functions below costs a comparison.
 */
let recorder: TraceRecorder | null = null;

/** From here on this process records traces; null: it does not. */
export const recordTraces = (by: TraceRecorder | null): void => void (recorder = by);

/** The span on whose behalf this code runs, as long as it is recorded and has not ended. */
export function activeSpan(): TraceSpan | null {
  const active = recorder?.active ?? null;
  return active?.isRecorded ? active : null;
}

/** Where this code is in a trace, for a row that has work follow; null: nothing is recorded. */
export function activeTrace(): string | null {
  const active = recorder?.active ?? null;
  return active && !active.hasEnded ? active.trace : null;
}

type Work<T> = (span: TraceSpan | null) => Promise<T>;

/** Work as a span of the trace in which it runs. Outside of one nothing is recorded. */
export function asSpan<T>(start: () => SpanStart, work: Work<T>): Promise<T> {
  const above = activeSpan();
  return recorder && above ? record(recorder, recorder.begin(above.trace, start()), work) : work(null);
}

/**
 * Work as a span of the trace of what caused it.
 * @param trace as a row kept it; null: a new trace begins
 */
export function asSpanOf<T>(
  trace: string | null | undefined,
  start: () => SpanStart,
  work: Work<T>,
): Promise<T> {
  return recorder ? record(recorder, recorder.begin(trace ?? null, start()), work) : work(null);
}

/** Work that is over, as a span of the trace of what caused it. */
export function noteSpan(trace: string | null | undefined, start: () => SpanStart): void {
  if (recorder && trace) recorder.begin(trace, start()).end();
}

/**
 * Work that is done once for several calls: a span below the first call's, with links to all others. Each of these has
 * a span in its own trace, which links to the shared one.
 * @param waiting the spans of the calls
 */
export function asSharedSpan<T>(waiting: readonly (TraceSpan | null)[], work: () => Promise<T>): Promise<T> {
  if (!recorder) return work();
  const by = recorder;
  const [first, ...others] = waiting.filter((span) => span?.isRecorded) as TraceSpan[];
  // A batch begins wherever the one before it ended: in the trace of a stranger.
  if (!first || others.length === 0) return by.within(first ?? null, work);
  const links = others.map(({ trace }) => trace);
  const shared = by.begin(first.trace, { name: 'shared work', kind: 'internal', links });
  const parts = others.map(({ trace }) =>
    by.begin(trace, { name: 'part of shared work', kind: 'internal', links: [shared.trace] }),
  );
  return record(by, shared, work).finally(() => {
    for (const part of parts) part.end();
  });
}

async function record<T>(by: TraceRecorder, span: TraceSpan, work: Work<T>): Promise<T> {
  try {
    return await by.within(span, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
