import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { ChatBook } from './chats/chat.book';
import type { Chat } from './chats/chat.words';
import { CloudApi } from './cloud/cloud.api';
import { CloudFormatter, composeCloudWebhook, type CloudItem } from './cloud/cloud.formatter';
import { CloudMediaApi } from './cloud/cloud-media.api';
import { SendBodyReader } from './cloud/send.body';
import type { ProviderFormatter } from './exchange/provider.formatter';
import { SendExchange } from './exchange/send.exchange';
import { StateReporter } from './exchange/state.reporter';
import { FileFetcher } from './files/file.fetcher';
import { FileStore } from './files/file.store';
import { addGupshupFiles } from './gupshup/gupshup-media.api';
import { GupshupApi } from './gupshup/gupshup.api';
import { composeGupshupWebhook, GupshupFormatter, type GupshupEvent } from './gupshup/gupshup.formatter';
import { CustomerPhone } from './handset/customer.phone';
import { HandsetApi } from './handset/handset.api';
import { addHandsetFiles } from './handset/handset.files';
import { HandsetFeed } from './handset/handset.feed';
import { addHandsetPages } from './handset/handset.pages';
import { CallRouter } from './http/call.router';
import { LedgerBuffer } from './ledger.buffer';
import { addModelControl } from './model/model.control';
import { ScriptedModel } from './model/scripted.model';
import { PendingTimers } from './pending.timers';
import {
  completeOptions,
  type CloudNumber,
  type GupshupNumber,
  type SandboxMemory,
  type SandboxNumber,
  type SandboxOptions,
  type SandboxWebhooks,
} from './sandbox.options';
import { TemplateStore } from './templates/template.store';
import { addControlApi } from './control.api';
import { verifyCloudWebhook } from './webhooks/cloud.verification';
import { WebhookQueue } from './webhooks/webhook.queue';

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
