import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TracingSettings } from '@app/config/settings-config';
import { asSpan, asSpanOf, activeTrace, recordTraces, type SpanStart } from '@app/contracts/trace-recorder';
import { OtlpRecorder } from './otlp-recorder';

let server: Server;
let recorder: OtlpRecorder;
let arrived = 0;
const held: ServerResponse[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived += Buffer.concat(chunks).toString().split('"spanId"').length - 1;
      held.push(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

const settings = (sampler: TracingSettings['sampler']): TracingSettings => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
  headers: {},
  timeoutMs: 1_000,
  serviceName: 'test',
  sampler,
});

beforeEach(() => {
  arrived = 0;
  recorder = new OtlpRecorder(settings({ name: 'parentbased_always_on', ratio: 1 }));
  recordTraces(recorder);
});

afterEach(() => recordTraces(null));

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

// How many spans wait for it is in otlp-recorder.spec.ts.
it('a collector that hangs holds up no stop', async () => {
  for (let spans = 0; spans < 5_000; spans++)
    recorder.begin(null, { name: 'work', kind: 'internal', facts: { 'leadline.work': 'x' } }).end();
  await recorder.stop();
  expect(arrived).toBeGreaterThan(0);
});

it('what goes on after its span has ended belongs to no trace', async () => {
  const later: Promise<unknown>[] = [];
  const goOn = async (): Promise<unknown[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    return [
      activeTrace(),
      await asSpan(
        () => ({ name: 'late', kind: 'client' }),
        (span) => Promise.resolve(span),
      ),
    ];
  };
  const work = (): Promise<string | null> => {
    later.push(goOn());
    return Promise.resolve(activeTrace());
  };
  expect(await asSpanOf(null, () => ({ name: 'work', kind: 'consumer' }), work)).toMatch(/^00-.*-01$/);
  expect(await Promise.all(later)).toEqual([[null, null]]);
  held.forEach((response) => response.end());
  await recorder.stop();
});

it('what follows from a call that is not sampled is not recorded either, whoever does it later', async () => {
  await recorder.stop();
  recorder = new OtlpRecorder(settings({ name: 'parentbased_traceidratio', ratio: 0 }));
  recordTraces(recorder);
  const start = (): SpanStart => ({ name: 'work', kind: 'consumer' });
  const kept = await asSpanOf(null, start, () => Promise.resolve(activeTrace()));
  expect(kept).toMatch(/^00-.*-00$/);
  // By another process, which would record by itself.
  await recorder.stop();
  recorder = new OtlpRecorder(settings({ name: 'parentbased_always_on', ratio: 1 }));
  recordTraces(recorder);
  const spans = await asSpanOf(kept, start, async (span) => [
    span,
    await asSpan(start, (inner) => Promise.resolve(inner)),
  ]);
  expect(spans).toMatchObject([{ isRecorded: false }, null]);
  await recorder.stop();
  expect(arrived).toBe(0);
});

it('of an error a span has the code or the type, never the message', async () => {
  const span = recorder.begin(null, { name: 'work', kind: 'internal' });
  const facts = jest.spyOn((span as unknown as { span: { setAttribute(): void } }).span, 'setAttribute');
  span.fail(Object.assign(new Error('Дана +77010000000'), { code: '23505' }));
  span.fail(new TypeError('Дана'));
  span.fail({ code: 'two words', name: 'Дана' });
  expect(facts.mock.calls).toEqual([
    ['error.type', '23505'],
    ['error.type', 'TypeError'],
    ['error.type', 'Error'],
  ]);
  span.end();
  const stopping = recorder.stop();
  held.forEach((response) => response.end());
  await stopping;
});
