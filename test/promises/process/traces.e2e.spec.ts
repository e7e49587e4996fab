import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { ENDPOINT_TIMES } from '../../support/programs/test.limits';
import { SECRETS } from '../../support/programs/server.process';
import { extend, type SceneOptions } from '../../support/scenes/base.scene';
import { sceneOf } from '../../support/scenes/scene.opening';
import { makeReplyScene, newCustomer } from '../../support/scenes/reply.scene';
import { EndpointReceiver } from '../../support/stand-ins/endpoint.receiver';
import {
  pathOf,
  SPAN_KINDS,
  TraceCollector,
  type CollectedSpan,
} from '../../support/stand-ins/trace.collector';

const SET_STATUS = 'POST /api/v1/leads/set-status';
const SEND_TEMPLATE = 'POST /api/v1/messages/send-template';
const GET_STATUSES = 'POST /api/v1/leads/get-statuses';
const SET_AI = 'POST /api/v1/leads/set-ai';
const WEBHOOK = 'POST /webhooks/whatsapp';
const COLLECTOR_TOKEN = 'collector-token-31f09a';

/** A reply scene whose server exports its traces. */
function makeTracedScene(options: SceneOptions) {
  let collector: TraceCollector;

  const scene = extend(makeReplyScene({ ...options, ownServer: true }), {
    get collector(): TraceCollector {
      return collector;
    },

    /** The trace of a call by its id. */
    traceOf(requestId: string, ...names: string[]): Promise<CollectedSpan[]> {
      return collector.traceWith(({ facts }) => facts['leadline.request_id'] === requestId, ...names);
    },

    send(phones: string[], requestId: string): Promise<Answer> {
      const all = phones.map((phone) => ({ phone }));
      const to = all.length === 1 ? all[0] : all;
      const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
      return scene.api.sendTemplate({ ...order, to }, { 'X-Request-Id': requestId });
    },
  });

  scene.withStandIns(async () => {
    collector = await TraceCollector.start();
    scene.whenClosed(() => collector.close());
    return {
      ...collector.environment,
      ...injected('loaded-modules'),
      ...injected('on-this-machine'),
      ...ENDPOINT_TIMES,
      // A call that waited for a collector that hangs would not be answered within its test.
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${COLLECTOR_TOKEN}`,
      LOG_LEVEL: 'info',
    };
  });
  return scene;
}

const scene = sceneOf(makeTracedScene).set({ stages: [{}, {}, {}, {}] });

const named = (trace: readonly CollectedSpan[], name: string): CollectedSpan => {
  const span = trace.find((each) => each.name === name);
  if (!span) throw new Error(`no span ${name} among ${trace.map((each) => each.name).join()}`);
  return span;
};

/** Each span but one is below another of its trace, and lies within the time of its server's span or later. */
function expectWhole(trace: readonly CollectedSpan[]): void {
  expect(trace.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1);
  for (const span of trace) pathOf(trace, span);
}

it('a call is one trace, from its request over its statements to the provider’s answer', async () => {
  const requestId = randomUUID();
  expect((await scene.send([`+${newCustomer().phone}`], requestId)).status).toBe(200);
  const trace = await scene.traceOf(requestId, SEND_TEMPLATE, 'POST cloud', 'outbox-store-messages');
  expectWhole(trace);
  expect(named(trace, SEND_TEMPLATE)).toMatchObject({
    kind: SPAN_KINDS.server,
    facts: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/messages/send-template',
      'http.response.status_code': 200,
      'leadline.account_id': scene.account.id,
    },
  });
  expect(pathOf(trace, named(trace, 'outbox-store-messages'))).toEqual([
    ...['outbox-store-messages', 'transaction', SEND_TEMPLATE],
  ]);
  expect(named(trace, 'outbox-store-messages')).toMatchObject({
    kind: SPAN_KINDS.client,
    facts: { 'db.system.name': 'postgresql', 'db.query.summary': 'outbox-store-messages' },
  });
  expect(scene.provider.ledger.filter(({ headers }) => headers.traceparent)).toEqual([]);
  const provider = named(trace, 'POST cloud');
  expect(pathOf(trace, provider)).toEqual(['POST cloud', SEND_TEMPLATE]);
  expect(provider).toMatchObject({
    kind: SPAN_KINDS.client,
    facts: { 'leadline.outcome': 'answered', 'http.response.status_code': 200 },
  });
});

it('a list is sent by its number’s queue in the trace of the call', async () => {
  const requestId = randomUUID();
  await scene.send([`+${newCustomer().phone}`, `+${newCustomer().phone}`], requestId);
  const trace = await scene.traceOf(requestId, SEND_TEMPLATE, 'process send-queues', 'POST cloud');
  expectWhole(trace);
  expect(pathOf(trace, named(trace, 'POST cloud')).slice(0, 2)).toEqual([
    ...['POST cloud', 'process send-queues'],
  ]);
  expect(pathOf(trace, named(trace, 'POST cloud')).at(-1)).toBe(SEND_TEMPLATE);
});

it('each request to an endpoint is a trace of its own, without the address', async () => {
  const endpoint = await EndpointReceiver.start();
  try {
    const admin = scene.admin;
    const given = { account_id: scene.account.id, url: endpoint.url, events: ['lead.ai_switched'] };
    const { body } = await admin.admin('POST', 'webhook-endpoints', given);
    const { id, secret } = body.data as { id: string; secret: string };
    endpoint.secret = secret;
    const thread = await scene.account.addThread({});
    for (const isOn of [false, true]) await scene.api.setAi(thread, isOn);
    await endpoint.until(2);
    const requests = await eventually(
      async () => {
        const sent = scene.collector.spans.filter(({ name }) => name === 'POST webhook');
        return sent.length === 2 ? sent : null;
      },
      10_000,
      'two requests were not recorded',
    );
    for (const request of requests) {
      const trace = await scene.collector.traceWith((span) => span === request, 'process webhooks-out');
      expectWhole(trace);
      expect(pathOf(trace, request)).toEqual(['POST webhook', 'process webhooks-out']);
      expect(request).toMatchObject({
        kind: SPAN_KINDS.client,
        facts: { 'leadline.outcome': 'answered', 'http.response.status_code': 204 },
      });
    }
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(2);
    expect(scene.collector.bodies.join('')).not.toContain(`127.0.0.1:${endpoint.port}`);
    await admin.admin('DELETE', `webhook-endpoints/${id}`);
  } finally {
    await endpoint.stop();
  }
});

it('a webhook, the model’s answer to it and the parts that are sent are one trace', async () => {
  const customer = newCustomer();
  await scene.model.reply({ text: 'Первая часть.\n\nВторая часть.', when: customer.phone });
  await scene.write(customer, `Мой номер ${customer.phone}`);
  await scene.untilSaid(customer, 1);
  const trace = await scene.collector.traceWith(
    ({ name }) => name === 'chat',
    ...[WEBHOOK, 'process inbound-webhooks', 'process replies', 'chat', 'POST cloud'],
  );
  expectWhole(trace);
  const chain = ['process replies', 'process inbound-webhooks', WEBHOOK];
  expect(pathOf(trace, named(trace, 'chat'))).toEqual(['chat', ...chain]);
  expect(pathOf(trace, named(trace, 'POST cloud'))).toEqual(['POST cloud', ...chain]);
  expect(named(trace, 'process replies')).toMatchObject({
    kind: SPAN_KINDS.consumer,
    facts: { 'leadline.account_id': scene.account.id },
  });
});

it('an answer that a call asks for is in the trace of the call', async () => {
  const customer = newCustomer();
  const thread = await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  await scene.write(customer, `Есть кто? ${customer.phone}`);
  const requestId = randomUUID();
  const { status } = await scene.api.call('leads/set-ai', { thread_id: thread, ai_enabled: true }, 'POST', {
    'X-Request-Id': requestId,
  });
  expect(status).toBe(200);
  const trace = await scene.traceOf(requestId, SET_AI, 'chat', 'POST cloud');
  expectWhole(trace);
  expect(pathOf(trace, named(trace, 'POST cloud'))).toEqual(['POST cloud', 'process replies', SET_AI]);
});

it('what an agent’s own move begins is in the trace of the customer’s message', async () => {
  const admin = scene.admin;
  const steps = [{ kind: 'wait', seconds: 1 }];
  const given = { status_id: scene.stage(3), name: 'moved by the agent', steps };
  const { body } = await admin.admin('POST', 'scenarios', given);
  const { id } = body.data as { id: string };
  const customer = newCustomer();
  await scene.model.reply(
    { tool_calls: [{ name: 'move_lead', arguments: { status_id: scene.stage(3) } }], when: customer.phone },
    { text: 'Записали вас.', when: customer.phone },
  );
  await scene.write(customer, `Запишите ${customer.phone}`);
  const trace = await scene.collector.traceWith(
    ({ facts }) => facts['leadline.scenario_id'] === id,
    WEBHOOK,
    'step wait',
  );
  expectWhole(trace);
  expect(pathOf(trace, named(trace, 'step wait')).slice(-2)).toEqual(['process inbound-webhooks', WEBHOOK]);
});

it('a move, and each step of the scenario that it begins, are one trace', async () => {
  const admin = scene.admin;
  const steps = [
    { kind: 'send_text', text: 'Здравствуйте!' },
    { kind: 'wait', seconds: 1 },
    { kind: 'set_status', status_id: scene.stage(2) },
  ];
  const given = { status_id: scene.stage(1), name: 'greeting', steps };
  expect((await admin.admin('POST', 'scenarios', given)).status).toBe(201);
  const customer = newCustomer();
  const thread = await scene.write(customer, 'Добрый день');
  const requestId = randomUUID();
  await scene.api.call(
    'leads/set-status',
    { thread_id: `thread_${thread}`, status_id: scene.stage(1) },
    'POST',
    { 'X-Request-Id': requestId },
  );
  const trace = await scene.traceOf(
    requestId,
    ...[SET_STATUS, 'step send_text', 'step wait', 'step set_status', 'POST cloud'],
  );
  expectWhole(trace);
  for (const name of ['step send_text', 'step wait', 'step set_status'])
    expect(pathOf(trace, named(trace, name))).toEqual([name, SET_STATUS]);
  expect(pathOf(trace, named(trace, 'POST cloud'))).toEqual([
    ...['POST cloud', 'process scenarios', SET_STATUS],
  ]);
});

it('calls that share a statement each have it in their trace, or a link to it', async () => {
  const { account, collector } = scene;
  const threads = await Promise.all(Array.from({ length: 12 }, () => account.addThread({})));
  let ids: string[] = [];
  const move = (thread_id: string, index: number) =>
    scene.api.call('leads/set-status', { thread_id, status_id: scene.stage(0) }, 'POST', {
      'X-Request-Id': ids[index] ?? '',
    });
  // Whether two calls meet is the machine's choice, so they are made until they do.
  const shared = await eventually(
    async () => {
      ids = threads.map(() => randomUUID());
      await Promise.all(threads.map(move));
      await scene.traceOf(ids.at(-1) ?? '', SET_STATUS);
      return collector.spans.find(({ name, links }) => name === 'shared work' && links.length > 1);
    },
    20_000,
    'nothing was shared',
  );
  const traces = await Promise.all(ids.map((id) => scene.traceOf(id, SET_STATUS)));
  const parts = collector.spans.filter(
    ({ name, links }) => name === 'part of shared work' && links[0]?.spanId === shared.spanId,
  );
  expect(parts.map(({ traceId }) => traceId).sort()).toEqual(
    shared.links.map(({ traceId }) => traceId).sort(),
  );
  for (const trace of traces) expectWhole(trace);
});

it('a caller’s own trace is linked, and decides nothing here', async () => {
  const requestId = randomUUID();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await scene.api.call('leads/get-statuses', { assistant_id: scene.account.assistantId }, 'POST', {
    'X-Request-Id': requestId,
    traceparent: `00-${traceId}-00f067aa0ba902b7-00`,
  });
  const span = named(await scene.traceOf(requestId, GET_STATUSES), GET_STATUSES);
  expect(span.traceId).not.toBe(traceId);
  expect(span.links).toMatchObject([{ traceId, spanId: '00f067aa0ba902b7' }]);
});

it('a log line names the trace of its request', async () => {
  const requestId = randomUUID();
  await scene.api.call('leads/get-statuses', { assistant_id: scene.account.assistantId }, 'POST', {
    'X-Request-Id': requestId,
  });
  const [span] = await scene.traceOf(requestId, GET_STATUSES);
  await eventually(
    () =>
      Promise.resolve(
        scene.server
          .output()
          .split('\n')
          .find((line) => line.includes(requestId) && line.includes(`"trace_id":"${span?.traceId}"`)),
      ),
    5_000,
    'no log line names the trace',
  );
});

it('no span has a text, a phone, a name, a key or any other secret', async () => {
  const customer = { ...newCustomer(), name: 'Алия Хранимая' };
  const words = { ours: `Наш ответ ${randomUUID()}`, theirs: `Их вопрос ${randomUUID()}` };
  const thread = await scene.write(customer, words.theirs);
  await scene.api.sendText(`thread_${thread}`, words.ours);
  const hostile = `${customer.phone}-in-an-id`;
  await scene.api.call('leads/get-lead', { thread_id: `thread_${thread}` }, 'POST', {
    'X-Request-Id': hostile,
    'User-Agent': customer.phone,
    traceparent: `00-${customer.phone}`,
    baggage: `phone=${customer.phone}`,
  });
  await fetch(`${scene.server.url}/api/v1/${customer.phone}/${scene.account.key}?q=${customer.phone}`);
  await fetch(`${scene.server.url}/files/${customer.phone}/${scene.account.key}`);
  const requestId = randomUUID();
  await scene.send([`+${customer.phone}`], requestId);
  await scene.traceOf(requestId, 'POST cloud');
  const sent = scene.collector.bodies.join('\n');
  const secrets = [
    ...[customer.phone, customer.name, words.ours, words.theirs, hostile, 'order_ready', 'Здравствуйте'],
    ...[scene.account.key, scene.adminKey, COLLECTOR_TOKEN, ...Object.values(SECRETS)],
    ...[scene.number.phoneNumberId, scene.database.url, 'EAAG-test-token'],
  ];
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  expect(scene.collector.headers[0]).toMatchObject({
    path: '/v1/traces',
    authorization: `Bearer ${COLLECTOR_TOKEN}`,
  });
});

it.each([
  ['hangs', () => undefined],
  ['answers 500', (response: ServerResponse) => void response.writeHead(500).end()],
])('a collector that %s fails and delays no call', async (_, behave) => {
  const { collector } = scene;
  const { behave: usual } = collector;
  const held: ServerResponse[] = [];
  collector.behave = (response) => {
    held.push(response);
    behave(response);
  };
  try {
    for (let calls = 0; calls < 20 || held.length === 0; calls++) {
      const { status } = await scene.api.getLead(await scene.account.addThread({}));
      expect(status).toBe(200);
    }
  } finally {
    collector.behave = usual;
    for (const response of held) response.end();
  }
});

it('OpenTelemetry is loaded where traces are asked for', () => {
  // Elsewhere it is not: worker-role.e2e.spec.ts.
  expect(scene.server.output()).toContain('loaded @opentelemetry/sdk-trace');
});

it('a stop exports what is left', async () => {
  const requestId = randomUUID();
  await scene.api.call('leads/get-statuses', { assistant_id: scene.account.assistantId }, 'POST', {
    'X-Request-Id': requestId,
  });
  expect(await scene.server.stop()).toBe(0);
  expect(scene.collector.spans.some(({ facts }) => facts['leadline.request_id'] === requestId)).toBe(true);
});

it('an endpoint that is served for long is no trace without an end: only its requests are recorded', () => {
  // All is exported by now.
  const names = scene.collector.spans.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('endpoint-queues-'))).toEqual([]);
  const requests = names.filter((name) => name === 'POST webhook');
  expect(names.filter((name) => name === 'process webhooks-out')).toHaveLength(requests.length);
});
