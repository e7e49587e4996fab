import type { RunningSandbox } from '../../../apps/sandbox/src/sandbox-server';
import type { SandboxOptions, SandboxTemplate } from '../../../apps/sandbox/src/sandbox-options';
import { WebhookReceiver } from '../stand-ins/webhook.receiver';
import { shared } from '../worker/shared';
import { sceneOf } from './scene.opening';

export const CLOUD = {
  channel: 'waba_coexistence',
  sender: '100000000000001',
  displayPhone: '+77270000001',
  businessId: '900000000000001',
  token: 'cloud-token',
  name: 'Aurora Clinic',
} as const;

export const GUPSHUP = {
  channel: 'waba',
  sender: '77270000002',
  displayPhone: '+77270000002',
  appId: 'a1a1a1a1-0000-4000-8000-000000000001',
  appName: 'AuroraApp',
  token: 'gupshup-key',
  name: 'Aurora Clinic',
} as const;

export const APP_SECRET = 'app-secret-1';

const ALIKE = {
  language: 'ru',
  category: 'utility',
  status: 'approved',
  header: { format: 'text', text: 'Запись' },
  body: 'Здравствуйте, {{1}}! Ждём вас {{2}}.',
  footer: 'Клиника «Аврора»',
  buttons: [
    { type: 'quick_reply', text: 'Приду' },
    { type: 'url', text: 'Карта', url: 'https://example.com/{{1}}' },
  ],
} as const satisfies Omit<SandboxTemplate, 'channel' | 'owner' | 'providerId' | 'name'>;

const cloudTemplate = (
  given: Partial<SandboxTemplate> & { name: string; providerId: string },
): SandboxTemplate => ({
  ...ALIKE,
  channel: 'waba_coexistence',
  owner: CLOUD.businessId,
  ...given,
});
const PLAIN = { header: null, footer: null, buttons: [] } as const;

export const GUPSHUP_TEMPLATE = '3f0c1d52-0000-4a11-8c11-7f2d1b2c0001';
export const GUPSHUP_PLAIN = '3f0c1d52-0000-4a11-8c11-7f2d1b2c0002';
export const GUPSHUP_PAUSED = '3f0c1d52-0000-4a11-8c11-7f2d1b2c0003';

export const TEMPLATES: SandboxTemplate[] = [
  cloudTemplate({ name: 'visit_reminder', providerId: '1001' }),
  cloudTemplate({ name: 'plain', providerId: '1002', ...PLAIN, body: 'Без переменных' }),
  cloudTemplate({ name: 'offer', providerId: '1003', ...PLAIN, category: 'marketing', body: 'Скидка' }),
  cloudTemplate({ name: 'picture', providerId: '1004', ...PLAIN, header: { format: 'image' }, body: 'Фото' }),
  cloudTemplate({
    name: 'named',
    providerId: '1005',
    ...PLAIN,
    parameterFormat: 'named',
    body: 'Привет, {{first_name}}!',
  }),
  cloudTemplate({ name: 'paused', providerId: '1006', ...PLAIN, status: 'paused', body: 'Пауза' }),
  cloudTemplate({ name: 'disabled', providerId: '1007', ...PLAIN, status: 'disabled', body: 'Нет' }),
  cloudTemplate({ name: 'pending', providerId: '1008', ...PLAIN, status: 'pending', body: 'Ждёт' }),
  { ...ALIKE, channel: 'waba', owner: GUPSHUP.appId, providerId: GUPSHUP_TEMPLATE, name: 'visit_reminder' },
  {
    ...ALIKE,
    ...PLAIN,
    channel: 'waba',
    owner: GUPSHUP.appId,
    providerId: GUPSHUP_PLAIN,
    name: 'plain',
    body: 'Просто',
  },
  {
    ...ALIKE,
    ...PLAIN,
    channel: 'waba',
    owner: GUPSHUP.appId,
    providerId: GUPSHUP_PAUSED,
    name: 'paused',
    status: 'paused',
    body: 'Пауза',
  },
];

export type SandboxScene = ReturnType<typeof makeSandboxScene>;

/** A sandbox with fast states, whose webhooks go to a receiver of ours. */
function makeSandboxScene(options: Partial<SandboxOptions> = {}) {
  let receiver: WebhookReceiver;
  let sandbox: RunningSandbox;

  return {
    get receiver(): WebhookReceiver {
      return receiver;
    },

    get sandbox(): RunningSandbox {
      return sandbox;
    },

    async start(): Promise<void> {
      receiver = await WebhookReceiver.start();
      sandbox = await shared.startSandbox({
        cloud: { appSecret: APP_SECRET, verifyToken: 'verify-me', webhookUrl: `${receiver.url}/cloud` },
        gupshup: { webhooks: { [GUPSHUP.sender]: `${receiver.url}/gupshup?token=x` } },
        numbers: [CLOUD, GUPSHUP],
        templates: TEMPLATES,
        statusDelays: { enqueued: 5, sent: 10, delivered: 40, lost: 10 },
        readAfterMs: 30,
        moderationMs: 20,
        webhookRetry: { firstMs: 20, longestMs: 100 },
        ...options,
      });
    },

    /** A request to the Cloud API with the number's token. */
    cloud: (body: object, headers: Record<string, string> = { authorization: `Bearer ${CLOUD.token}` }) =>
      fetch(`${sandbox.url}/v26.0/${CLOUD.sender}/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'manual',
      }),

    /** A form to Gupshup with the app's key: a template's, or a free-form message's. */
    gupshup: (path: 'template/msg' | 'msg', form: Record<string, string>) =>
      fetch(`${sandbox.url}/wa/api/v1/${path}`, {
        method: 'POST',
        headers: { apikey: GUPSHUP.token },
        body: new URLSearchParams({
          channel: 'whatsapp',
          source: GUPSHUP.sender,
          'src.name': GUPSHUP.appName,
          ...form,
        }),
        redirect: 'manual',
      }),

    async close(): Promise<void> {
      await sandbox?.stop();
      await receiver?.stop();
    },
  };
}

export const { set: setSandboxScene, open: openSandboxScene } = sceneOf(makeSandboxScene);

const bodyOf = (params: readonly string[]) => ({
  type: 'body',
  parameters: params.map((text) => ({ type: 'text', text })),
});
const MAP_BUTTON = { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'm' }] };

/** A template for the Cloud API; by default `visit_reminder` with its values. */
export const cloudBody = (
  to: string,
  { name = 'visit_reminder', language = 'ru', components, ...extra }: Record<string, unknown> = {},
) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'template',
  template: {
    name,
    language: { code: language },
    components: components ?? (name === 'visit_reminder' ? [bodyOf(['Айгуль', 'завтра']), MAP_BUTTON] : []),
  },
  ...extra,
});

/** The same for Gupshup. */
export const gupshupForm = (to: string, id = GUPSHUP_PLAIN, params: readonly string[] = []) => ({
  destination: to.replace('+', ''),
  template: JSON.stringify({ id, params }),
});
