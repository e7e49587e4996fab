import Module from 'node:module';
import { override } from './fault.injection';

/** Loads the API of OpenTelemetry by itself, for exemplars, traced or not. */
const METRICS = /[\\/]prom-client[\\/]/;

type Load = (request: string, parent?: { filename?: string }, isMain?: boolean) => unknown;

/** No fault: the process says when it, or a package, loads one of OpenTelemetry's or the SDK of models. */
export function inject(): void {
  const loaded = new Set<string>();
  override(
    Module as unknown as { _load: Load },
    '_load',
    (own) =>
      function (this: unknown, request, parent, isMain) {
        const isTracing = request.startsWith('@opentelemetry/') && !METRICS.test(parent?.filename ?? '');
        if ((isTracing || request === 'ai') && !loaded.has(request)) {
          loaded.add(request);
          process.stdout.write(`loaded ${request}\n`);
        }
        return own.call(this, request, parent, isMain);
      },
  );
}
