import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import type { ShownContent } from '../../../apps/sandbox/src/chats/chat.words';
import type { RunningSandbox } from '../../../apps/sandbox/src/sandbox-server';
import type { SandboxTemplate } from '../../../apps/sandbox/src/sandbox-options';
import type { Answer } from '../clients/api.client';
import { CREDENTIAL } from '../database/fixture';
import { eventually } from '../eventually';
import { holdPort } from '../faults/held.port';
import { SECRETS } from '../programs/server.process';
import { shared } from '../worker/shared';
import { extend, makeScene, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';

export const CLOUD_SENDER = '100000000000077';
const GUPSHUP_SENDER = '77270000077';

/** What the message of a template became, as get-message tells it. */
export interface SentMessage {
  status: string;
  error: { code: string; provider_code: number | null } | null;
}

/** Templates without variables, and one with two. At Gupshup they go by their ids. */
const TEMPLATE_ID = { waba_coexistence: 'order_ready', waba: '3f0c1d52-0000-4a11-8c11-7f2d1b2c0077' };
export const VISIT_ID = '3f0c1d52-0000-4a11-8c11-7f2d1b2c0078';

/** An account with a number on each channel at the sandbox, which tells the service of what it takes, and knows the account. */
function makeSandboxSendingScene(options?: SceneOptions) {
  let sandbox: RunningSandbox;

  const scene = extend(makeScene({ ...options, ownServer: true }), {
    get sandbox(): RunningSandbox {
      return sandbox;
    },

    send(channel: Channel, to: object, more: object = {}): Promise<Answer> {
      const order = { bot_id: scene.account.botId, channel, template_id: TEMPLATE_ID[channel], to, ...more };
      return scene.api.sendTemplate(order);
    },

    /** What a customer's phone shows. */
    async chatOf(channel: Channel, phone: string): Promise<ShownContent[]> {
      const sender = channel === 'waba' ? GUPSHUP_SENDER : CLOUD_SENDER;
      const query = new URLSearchParams({ sender, phone });
      const answer = await fetch(`${sandbox.url}/handset/api/chat?${query.toString()}`);
      return ((await answer.json()) as { messages: ShownContent[] }).messages;
    },

    /** A customer writes, so that free text may be sent for 24 hours. @returns the dialog's id */
    async customerWrites(channel: Channel, phone: string): Promise<string> {
      await fetch(`${sandbox.url}/handset/api/messages`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          sender: channel === 'waba' ? GUPSHUP_SENDER : CLOUD_SENDER,
          phone,
          text: 'Привет',
        }),
      });
      return eventually(
        async () => {
          const { rows } = await scene.database.pool.query<{ id: string }>(
            'SELECT id FROM threads WHERE account_id = $1 AND phone = $2 AND channel = $3',
            [scene.account.id, phone, channel],
          );
          return rows[0] && `thread_${rows[0].id}`;
        },
        15_000,
        'the customer was not heard',
      );
    },

    async fileOnPhone(id: string): Promise<Buffer> {
      const answer = await fetch(`${sandbox.url}/handset/api/files/${id}`);
      return Buffer.from(await answer.arrayBuffer());
    },

    async messageOf(id: string): Promise<SentMessage> {
      return (await scene.api.getMessage(id)).body.data as SentMessage;
    },

    /** The id of the newest message to a phone, also where the answer did not tell it. */
    async newestTo(phone: string, channel: Channel): Promise<string> {
      const { rows } = await scene.database.pool.query<{ id: string }>(
        `SELECT m.id FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
          WHERE t.account_id = $1 AND t.contact = $2 AND t.channel = $3 AND NOT m.inbound ORDER BY m.created_at DESC LIMIT 1`,
        [scene.account.id, phone, channel],
      );
      return rows[0]?.id ?? randomUUIDv7();
    },

    async untilStatus(id: string, statuses: readonly string[]): Promise<SentMessage> {
      return eventually(
        async () => {
          const message = await scene.messageOf(id);
          return statuses.includes(message.status) && message;
        },
        15_000,
        `the message did not become ${statuses.join(' or ')}`,
      );
    },
  });

  scene.withStandIns(async () => {
    await scene.account.connect('waba_coexistence', { sender: CLOUD_SENDER });
    await scene.account.connect('waba', { sender: GUPSHUP_SENDER });
    const { rows } = await scene.database.pool.query<{ app_id: string }>(
      `SELECT settings ->> 'app_id' AS app_id FROM bot_channels WHERE account_id = $1 AND channel = 'waba'`,
      [scene.account.id],
    );
    const appId = rows[0]?.app_id ?? '';
    // The sandbox must know the service's address before the service is there.
    const held = await holdPort();
    const service = `http://127.0.0.1:${held.port}`;
    const token = `token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}`;
    sandbox = await shared.startSandbox({
      cloud: {
        appSecret: SECRETS.CLOUD_API_APP_SECRET,
        verifyToken: SECRETS.CLOUD_API_VERIFY_TOKEN,
        webhookUrl: `${service}/webhooks/whatsapp`,
      },
      gupshup: {
        webhooks: { [GUPSHUP_SENDER]: `${service}/webhooks/gupshup/${scene.account.botId}?${token}` },
      },
      numbers: [
        {
          channel: 'waba_coexistence',
          sender: CLOUD_SENDER,
          displayPhone: '+77270000078',
          businessId: `7${CLOUD_SENDER}`,
          token: CREDENTIAL,
        },
        {
          channel: 'waba',
          sender: GUPSHUP_SENDER,
          displayPhone: `+${GUPSHUP_SENDER}`,
          appId,
          appName: 'TestApp',
          token: CREDENTIAL,
        },
      ],
      templates: templatesOf(appId),
      statusDelays: { enqueued: 5, sent: 10, delivered: 40, lost: 10 },
      readAfterMs: 30,
      moderationMs: 20,
      webhookRetry: { firstMs: 20, longestMs: 100 },
    });
    scene.whenClosed(() => sandbox.stop());
    held.close();
    // Gupshup fetches files from there.
    const addresses = {
      PUBLIC_URL: service,
      CLOUD_API_URL: sandbox.url,
      GUPSHUP_API_URL: sandbox.url,
    };
    return { PORT: held.port, ...addresses };
  });
  return scene;
}

const templatesOf = (appId: string): SandboxTemplate[] => {
  const alike = { language: 'ru', category: 'utility', status: 'approved' } as const;
  const atGupshup = { ...alike, channel: 'waba', owner: appId } as const;
  return [
    {
      ...alike,
      channel: 'waba_coexistence',
      owner: `7${CLOUD_SENDER}`,
      providerId: '7001',
      name: TEMPLATE_ID.waba_coexistence,
      body: 'Заказ собран.',
    },
    { ...atGupshup, providerId: TEMPLATE_ID.waba, name: 'order_ready', body: 'Заказ собран.' },
    { ...atGupshup, providerId: VISIT_ID, name: 'visit', body: 'Здравствуйте, {{1}}! Ждём вас {{2}}.' },
  ];
};

export const { set: setSandboxSendingScene } = sceneOf(makeSandboxSendingScene);
