import type { Channel } from '@app/contracts/message.words';
import {
  MessageSenders,
  type ChannelConnection,
  type OutgoingMessage,
  type SendOutcome,
} from '@app/domain/messages/message-sender.port';
import { TemplateGateways } from '@app/domain/templates/template-gateway.port';
import { NestFactory } from '@nestjs/core';
import { StandInProvider, UNUSABLE } from '../../../test/support/stand-ins/provider.stand-in';
import { IntegrationsModule } from './integrations.module';
import { inTime } from '../../../test/support/eventually';

const TIME_LIMIT_MS = 1_000;
const TOKEN = 'EAABsecretTokenOfOurs';

const CONNECTIONS: Record<Channel, ChannelConnection> = {
  waba_coexistence: {
    accountId: 'a',
    botId: 'b',
    channel: 'waba_coexistence',
    sender: '100000000000001',
    settings: { waba_id: '9001' },
    credential: TOKEN,
  },
  waba: {
    accountId: 'a',
    botId: 'b',
    channel: 'waba',
    sender: '77010000001',
    settings: { app_id: 'a1a1', app_name: 'ClinicApp' },
    credential: TOKEN,
  },
};

const MESSAGE: OutgoingMessage = {
  reference: '0198c0de',
  to: { phone: '+77020000002' },
  permit: { isValid: () => true, used: () => undefined },
  content: { type: 'template', name: 'visit', language: 'ru', params: ['Аида', '15:30'] },
};

const ACCEPTED: Record<Channel, object> = {
  waba_coexistence: { messages: [{ id: 'wamid.A' }] },
  waba: { status: 'submitted', messageId: 'wamid.A' },
};

let standIn: StandInProvider;
let app: Awaited<ReturnType<typeof NestFactory.createApplicationContext>>;
let senders: MessageSenders;

const settingsFor = (url: string) => ({
  messengers: {
    cloud: { apiUrl: `${url}/graph`, apiVersion: 'v26.0', appSecrets: [], verifyToken: '' },
    gupshup: { apiUrl: url, webhookToken: '' },
    timeoutMs: TIME_LIMIT_MS,
  },
  model: {
    baseUrl: null,
    apiKey: null,
    name: null,
    firstByteMs: 30_000,
    replyDelayMs: 0,
    repliesPerAccount: 200,
  },
  media: { folder: '', s3: null },
  transcription: null,
  toolsReachThisMachine: false,
});

const contextFor = (url: string) =>
  NestFactory.createApplicationContext(IntegrationsModule.forSettings(settingsFor(url)), { logger: false });

const send = (channel: Channel, message: OutgoingMessage = MESSAGE): Promise<SendOutcome> =>
  senders.of(channel).send(CONNECTIONS[channel], message);

beforeAll(async () => {
  standIn = await StandInProvider.open();
  app = await contextFor(standIn.url);
  senders = app.get(MessageSenders);
});

beforeEach(() => standIn.reset());

afterAll(async () => {
  await app.close();
  await standIn.close();
});

it('finds the adapter of each channel', () => {
  for (const channel of ['waba_coexistence', 'waba'] as const) {
    expect(senders.of(channel).channels).toEqual([channel]);
    expect(app.get(TemplateGateways).of(channel).channels).toEqual([channel]);
  }
});

describe.each(['waba_coexistence', 'waba'] as const)('sending by %s', (channel) => {
  it.each(Object.keys(UNUSABLE).filter((name) => name !== 'a refusal that is cut'))(
    'is unknown after %s, from one request, within the time limit',
    async (name) => {
      standIn.behave = UNUSABLE[name]!;
      const began = performance.now();
      const outcome = await send(channel);
      expect(outcome.kind).toBe('unknown');
      expect(performance.now() - began).toBeLessThan(TIME_LIMIT_MS + inTime(3_000));
      expect(standIn.ledger).toHaveLength(1);
    },
  );

  it('shows of an unusable answer what was received, and null only for nothing', async () => {
    const received: [string, unknown][] = [
      ['no answer', null],
      ['a reset', null],
      ['an empty 200', ''],
      ['a redirect', ''],
      ['a head without its body', '{"messages":[{"id":"wamid.CUT"}]'],
      ['a refusal that is cut', '{"error":{"code":'],
      ['a 503', '<html>Bad gateway</html>'],
      ['a 500', { error: { code: 3, message: 'x' } }],
      ['100 MB', 'x'.repeat(65_536)],
    ];
    for (const [name, response] of received) {
      standIn.behave = UNUSABLE[name]!;
      expect(await send(channel)).toMatchObject({ kind: 'unknown', response });
    }
  });

  it('is accepted with the provider’s id', async () => {
    for (const status of [200, 202]) {
      standIn.answer(status, ACCEPTED[channel], { 'content-type': 'text/html' });
      expect(await send(channel)).toEqual({
        kind: 'accepted',
        providerId: 'wamid.A',
      });
    }
  });

  it('is not connected when nothing listens, and says so', async () => {
    const gone = await StandInProvider.open();
    const { url } = gone;
    await gone.close();
    const other = await contextFor(url);
    const outcome = await other.get(MessageSenders).of(channel).send(CONNECTIONS[channel], MESSAGE);
    expect(outcome).toEqual({
      kind: 'not_connected',
      message: expect.stringContaining('could not be reached (ECONNREFUSED)') as unknown,
    });
    await other.close();
  });

  it('waits as long as the provider asks', async () => {
    standIn.answer(429, '', { 'retry-after': '4' });
    expect(await send(channel)).toMatchObject({ kind: 'throttled', scope: 'number', retryAfterMs: 4000 });
  });

  it('shows our credential to the provider alone', async () => {
    standIn.behave = (response, request) =>
      void response.writeHead(400).end(JSON.stringify({ error: request.headers, message: TOKEN }));
    const outcome = await send(channel);
    expect(JSON.stringify(standIn.ledger)).toContain(TOKEN);
    expect(JSON.stringify(outcome)).toContain('***');
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });

  it('ends the requests under way at a stop, and makes no more', async () => {
    standIn.behave = (response) => void setTimeout(() => response.end(JSON.stringify(ACCEPTED[channel])), 50);
    const other = await contextFor(standIn.url);
    const sender = other.get(MessageSenders).of(channel);
    const last = sender.send(CONNECTIONS[channel], MESSAGE);
    await other.close();
    expect(await last).toMatchObject({ kind: 'accepted' });
    expect(await sender.send(CONNECTIONS[channel], MESSAGE)).toMatchObject({ kind: 'not_connected' });
    expect(standIn.ledger).toHaveLength(1);
  });

  it('never throws for a read receipt', async () => {
    for (const name of ['no answer', 'a reset', 'a 500']) {
      standIn.behave = UNUSABLE[name]!;
      await senders.of(channel).markRead(CONNECTIONS[channel], 'wamid.IN/1', true);
    }
    expect(standIn.ledger).toHaveLength(3);
  });
});

it('addresses the Cloud API by version and number, with the token as bearer', async () => {
  await send('waba_coexistence');
  await senders.of('waba_coexistence').markRead(CONNECTIONS.waba_coexistence, 'wamid.IN', true);
  expect(standIn.ledger).toMatchObject(
    ['"to":"+77020000002"', '"typing_indicator":{"type":"text"}'].map((part) => ({
      method: 'POST',
      url: '/graph/v26.0/100000000000001/messages',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: expect.stringContaining(part) as unknown,
    })),
  );
});

it('addresses Gupshup by kind of message and app, with the API key in its header', async () => {
  await send('waba');
  await send('waba', { ...MESSAGE, content: { type: 'text', text: 'Hello' } });
  await senders.of('waba').markRead(CONNECTIONS.waba, 'wamid.IN/1', false);
  const form = { 'content-type': 'application/x-www-form-urlencoded', apikey: TOKEN };
  expect(standIn.ledger).toMatchObject([
    { method: 'POST', url: '/wa/api/v1/template/msg', headers: form },
    { method: 'POST', url: '/wa/api/v1/msg', headers: form },
    { method: 'PUT', url: '/wa/app/a1a1/msg/wamid.IN%2F1/read', headers: { apikey: TOKEN } },
  ]);
});

it('refuses a customer without a phone on Gupshup, without a request', async () => {
  expect(await send('waba', { ...MESSAGE, to: { userId: 'KZ.1' } })).toEqual({
    kind: 'refused',
    code: 'PROVIDER_ERROR',
    providerCode: null,
    message: expect.stringContaining('phones only') as unknown,
    response: null,
  });
  expect(standIn.ledger).toHaveLength(0);
});
