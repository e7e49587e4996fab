import { Logger } from '@nestjs/common';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Done = Parameters<SpanExporter['export']>[1];

/** Says once when a collector does not take spans any more, and once when it does again. */
export class WatchedExporter implements SpanExporter {
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
