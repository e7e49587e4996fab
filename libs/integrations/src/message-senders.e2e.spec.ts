import type { Channel } from '@app/contracts/message.words';
import type {
  ChannelConnection,
  MessageSenders,
  OutgoingMessage,
  SendOutcome,
} from '@app/domain/messages/dispatch/message-sender.port';
import { inTime } from '../../../test/support/eventually';
import { StandInProvider, UNUSABLE } from '../../../test/support/stand-ins/provider.stand-in';
import { GupshupMessageSender } from './gupshup/gupshup-message-sender';
import { ProviderClients } from './http/provider-client';
import { ConnectedSenders } from './integrations.module';
import { CloudFileUpload } from './whatsapp-cloud/cloud-file-upload';
import { CloudMessageSender } from './whatsapp-cloud/cloud-message-sender';

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

/** What an unusable answer shows of itself; null where nothing was received. */
const SHOWN: Readonly<Record<string, unknown>> = {
  'no answer': null,
  'a reset': null,
  'an empty 200': '',
  'a redirect': '',
  'a head without its body': '{"messages":[{"id":"wamid.CUT"}]',
  'a refusal that is cut': '{"error":{"code":',
  'a 503': '<html>Bad gateway</html>',
  'a 500': { error: { code: 3, message: 'x' } },
  '100 MB': 'x'.repeat(65_536),
};

let standIn: StandInProvider;
let clients: ProviderClients;
let senders: MessageSenders;

/** The senders as the integrations' module makes them, and their connections. */
function sendersTo(url: string): { clients: ProviderClients; senders: MessageSenders } {
  const cloud = { apiUrl: `${url}/graph`, apiVersion: 'v26.0', appSecrets: [], verifyToken: '' };
  const gupshup = { apiUrl: url, webhookToken: '' };
  const opened = new ProviderClients({ cloud, gupshup, timeoutMs: TIME_LIMIT_MS });
  const files = new CloudFileUpload(cloud.apiUrl, cloud.apiVersion);
  const made = [
    new CloudMessageSender(opened.cloud, cloud.apiVersion, files),
    new GupshupMessageSender(opened.gupshup),
  ];
  return { clients: opened, senders: new ConnectedSenders(made) };
}

const send = (channel: Channel, message: OutgoingMessage = MESSAGE): Promise<SendOutcome> =>
  senders.of(channel).send(CONNECTIONS[channel], message);

beforeAll(async () => {
  standIn = await StandInProvider.open();
  ({ clients, senders } = sendersTo(standIn.url));
});

beforeEach(() => standIn.reset());

afterAll(async () => {
  await clients.onApplicationShutdown();
  await standIn.close();
});

describe.each(['waba_coexistence', 'waba'] as const)('sending by %s', (channel) => {
  it('is unknown after an unusable answer, from one request, within the time limit, and shows what came', async () => {
    expect(Object.keys(UNUSABLE)).toEqual(expect.arrayContaining(Object.keys(SHOWN)));
    for (const [name, behave] of Object.entries(UNUSABLE)) {
      standIn.reset();
      standIn.behave = behave;
      const began = performance.now();
      const outcome = await send(channel);
      const ms = performance.now() - began;
      expect({ name, ...outcome }).toMatchObject({ name, kind: 'unknown' });
      if (name in SHOWN) expect({ name, ...outcome }).toMatchObject({ response: SHOWN[name] });
      expect([name, ms < TIME_LIMIT_MS + inTime(3_000), standIn.ledger.length]).toEqual([name, true, 1]);
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
    const other = sendersTo(url);
    const outcome = await other.senders.of(channel).send(CONNECTIONS[channel], MESSAGE);
    expect(outcome).toEqual({
      kind: 'not_connected',
      message: expect.stringContaining('could not be reached (ECONNREFUSED)') as unknown,
    });
    await other.clients.onApplicationShutdown();
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
    const other = sendersTo(standIn.url);
    const sender = other.senders.of(channel);
    const last = sender.send(CONNECTIONS[channel], MESSAGE);
    await other.clients.onApplicationShutdown();
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
