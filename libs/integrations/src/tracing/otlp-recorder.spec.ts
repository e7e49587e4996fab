import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OtlpRecorder } from './otlp-recorder';

/** Those that wait, and those that are under way. */
const KEPT = 4_096 + 512;

it('of spans that wait for the collector so many are kept, and no more', async () => {
  let exported = 0;
  jest.spyOn(OTLPTraceExporter.prototype, 'export').mockImplementation((spans, done) => {
    exported += spans.length;
    done({ code: 0 });
  });
  const recorder = new OtlpRecorder({
    ...{ url: 'http://127.0.0.1:1/v1/traces', headers: {}, timeoutMs: 1_000, serviceName: 'test' },
    sampler: { name: 'always_on', ratio: 1 },
  });
  // At once, so that the first batch is under way until all have ended.
  for (let spans = 0; spans < 2 * KEPT; spans++)
    recorder.begin(null, { name: 'work', kind: 'internal' }).end();
  await recorder.stop();
  expect(exported).toBe(KEPT);
});
