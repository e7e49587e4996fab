import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import { ChatBook } from './chats/chat-book';
import type { Chat } from './chats/chat.words';
import { CloudApi } from './cloud/cloud-api';
import { CloudFormatter, composeCloudWebhook, type CloudItem } from './cloud/cloud-formatter';
import { CloudMediaApi } from './cloud/cloud-media-api';
import { SendBodyReader } from './cloud/send-body';
import type { ProviderFormatter } from './exchange/provider-formatter';
import { SendExchange } from './exchange/send-exchange';
import { StateReporter } from './exchange/state-reporter';
import { serveFile } from './files/file-acts';
import { FileFetcher } from './files/file-fetcher';
import { FileStore } from './files/file.store';
import { GupshupApi } from './gupshup/gupshup-api';
import { composeGupshupWebhook, GupshupFormatter, type GupshupEvent } from './gupshup/gupshup-formatter';
import { CustomerPhone } from './handset/customer-phone';
import { HandsetApi } from './handset/handset-api';
import { addHandsetFiles } from './handset/handset-files';
import { HandsetFeed } from './handset/handset-feed';
import { CallRouter } from './http/call-router';
import { answerJson, answer } from './http/json.answer';
import { LedgerBuffer } from './ledger-buffer';
import { addModelControl } from './model/model-control';
import { ScriptedModel } from './model/scripted-model';
import { PendingTimers } from './pending-timers';
import { projectFolder } from './files/file-kinds';
import {
  completeOptions,
  type CloudNumber,
  type GupshupNumber,
  type SandboxMemory,
  type SandboxNumber,
  type SandboxOptions,
  type SandboxWebhooks,
} from './sandbox-options';
import { TemplateStore } from './templates/template.store';
import { addControlApi } from './control-api';
import { WebhookQueue } from './webhooks/webhook-queue';

const FOLDER = 'apps/sandbox/page';
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const FILES = [
  { path: /^\/handset\/?$/, file: 'handset.html', type: 'text/html' },
  { path: /^\/handset\/handset\.css$/, file: 'handset.css', type: 'text/css' },
  { path: /^\/handset\/handset\.js$/, file: 'handset.js', type: 'text/javascript' },
];

/** Serves the handset's page from memory. */
function addHandsetPages(router: CallRouter): void {
  const folder = join(projectFolder(), FOLDER);
  for (const { path, file, type } of FILES) {
    const body = readFileSync(join(folder, file), 'utf8');
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    };
    router.on('GET', path, ({ response }) => answer(response, { status: 200, body, headers }));
  }
  router.on('GET', /^\/favicon\.ico$/, ({ response }) => answer(response, { status: 204, body: '' }));
  router.on('GET', /^\/$/, ({ response }) =>
    answer(response, { status: 302, body: '', headers: { location: '/handset' } }),
  );
}

/** The GET by which Meta confirms a receiver. The receiver must return the challenge unchanged. */
async function verifyCloudWebhook(
  client: Dispatcher,
  address: string | null,
  verifyToken: string,
): Promise<boolean> {
  if (address === null) return false;
  const challenge = String(randomInt(10 ** 9, 10 ** 10));
  const url = new URL(address);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.verify_token', verifyToken);
  url.searchParams.set('hub.challenge', challenge);
  try {
    const { statusCode, body } = await client.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
    });
    return (await body.text()) === challenge && statusCode === 200;
  } catch {
    return false;
  }
}

/** The addresses of customers' files at Gupshup. Whoever has one may fetch the file. */
function addGupshupFiles(router: CallRouter, files: FileStore, timers: PendingTimers): void {
  router.on('GET', /^\/wa\/([^/]+)\/wa\/media\/(\d+)$/, ({ response, params: [secret, id = ''] }) => {
    const file = files.find(id);
    if (file?.secret !== secret || !file) return answerJson(response, 404, { status: 'error' });
    serveFile(file, response, timers);
  });
}

const CONNECTIONS_MAX = 16;
const CLOUD_ITEMS_MAX = 100;

export interface RunningSandbox {
  /** Where both providers' paths, the ledger and the handset are. */
  url: string;
  /** The address of the scripted model for an OpenAI-compatible client, with /v1. */
  modelUrl: string;
  port: number;
  ledger: LedgerBuffer;
  /** Plays customers, as the handset's page does. */
  customer: CustomerPhone;
  /** Stores the given facts as if they had happened here. Nothing is reported. */
  recall(memory: SandboxMemory): void;
  /** Lets moderation decide about a pending template that was given at the start, as about a new one. */
  moderate(providerId: string): void;
  /** Replaces the given settings. Absent ones stay. */
  setWebhooks(webhooks: SandboxWebhooks): void;
  /** Asks the Cloud API's receiver to confirm its address, as Meta does when an address is registered. */
  verifyWebhook(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Stand-ins for Meta's Cloud API and Gupshup, with their customers' phones, and for a model, in this process. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const settings = completeOptions(options);
  const { numbers, cloud, webhookRetry: retry } = settings;
  let webhooks = settings.webhooks;
  const client = new Agent({ connections: CONNECTIONS_MAX });
  const timers = new PendingTimers();
  const ledger = new LedgerBuffer();
  const book = new ChatBook();
  const files = new FileStore();
  const templates = new TemplateStore(settings.templates, timers, settings.moderationMs);

  const cloudQueue = new WebhookQueue<CloudItem>({
    client,
    timers,
    retry,
    address: () => webhooks.cloud ?? null,
    compose: (items) => composeCloudWebhook(items, cloud.appSecret),
    isAcknowledged: (status) => status === 200,
    itemsMax: CLOUD_ITEMS_MAX,
  });
  const gupshupQueues = new Map<string, WebhookQueue<GupshupEvent>>();
  for (const { sender } of numbers.filter(isGupshup))
    gupshupQueues.set(
      sender,
      new WebhookQueue({
        client,
        timers,
        retry,
        address: () => webhooks.gupshup?.[sender] ?? null,
        compose: composeGupshupWebhook,
        isAcknowledged: (status) => status >= 200 && status < 300,
        itemsMax: 1,
      }),
    );
  const cloudFormatter = new CloudFormatter(cloudQueue);
  const gupshupFormatter = new GupshupFormatter((source) => gupshupQueues.get(source) ?? null, files);
  const formatterOf = ({ channel }: SandboxNumber): ProviderFormatter =>
    channel === 'waba' ? gupshupFormatter : cloudFormatter;
  templates.listen('waba_coexistence', (template) => cloudFormatter.reportTemplate(template));
  templates.listen('waba', (template) =>
    gupshupFormatter.reportTemplate(
      template,
      numbers.filter(isGupshup).filter(({ appId }) => appId === template.owner),
    ),
  );

  const reporter = new StateReporter(book, timers, settings.statusDelays, settings.readAfterMs, ({ chat }) =>
    formatterOf(chat.number),
  );
  const exchange = new SendExchange(book, ledger, reporter, timers, new FileFetcher(client, files), settings);
  const feed = new HandsetFeed(timers);
  book.listen(feed);
  reporter.isOpen = (chat) => feed.isOpen(chat);
  const customer = new CustomerPhone(numbers, book, files, cloudFormatter, formatterOf);
  const onRead = (chat: Chat, typing: boolean): void => {
    for (const message of chat.messages) {
      if (message.from !== 'customer' || message.state === 'read') continue;
      message.state = 'read';
      book.changed(chat, message);
    }
    if (typing) feed.typing(chat);
  };

  const router = new CallRouter();
  const bodies = new SendBodyReader(book, templates, files);
  const cloudNumbers = numbers.filter(isCloud);
  const media = new CloudMediaApi(cloudNumbers, files, ledger, timers);
  media.addTo(router);
  new CloudApi(cloudNumbers, book, templates, ledger, exchange, bodies, cloudFormatter, media, onRead).addTo(
    router,
  );
  const gupshupNumbers = numbers.filter(isGupshup);
  new GupshupApi(gupshupNumbers, book, templates, ledger, exchange, gupshupFormatter, onRead).addTo(router);
  addGupshupFiles(router, files, timers);
  new HandsetApi(numbers, book, customer, feed, reporter).addTo(router);
  addHandsetFiles(router, files, customer);
  addControlApi(router, ledger, templates);
  const model = new ScriptedModel(settings.wordDelayMs);
  model.addTo(router);
  addModelControl(router, model);
  addHandsetPages(router);

  const server = createServer({ keepAliveTimeout: 65_000 }, router.handle);
  const port = await listen(server, settings.port, settings.host);
  const url = `http://${settings.host}:${port}`;
  files.base = url;
  return {
    url,
    modelUrl: `${url}/v1`,
    port,
    ledger,
    customer,
    recall: (memory) => {
      for (const template of memory.templates) templates.recall(template);
      for (const one of memory.customers) customer.recall(one);
    },
    moderate: (providerId) => templates.moderate(providerId),
    setWebhooks: (given) => {
      webhooks = { ...webhooks, ...given };
    },
    verifyWebhook: async () => verifyCloudWebhook(client, webhooks.cloud ?? null, cloud.verifyToken),
    stop: async () => {
      timers.stop();
      feed.stop();
      for (const queue of [cloudQueue, ...gupshupQueues.values()]) queue.stop();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, client.destroy()]);
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const isCloud = (number: SandboxNumber): number is CloudNumber => number.channel === 'waba_coexistence';
const isGupshup = (number: SandboxNumber): number is GupshupNumber => number.channel === 'waba';
