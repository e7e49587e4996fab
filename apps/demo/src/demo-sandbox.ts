import type { Settings } from '@app/config/settings-config';
import { webhookUrl } from '@app/domain/bots/webhook-addresses';
import { startSandbox, type RunningSandbox } from '../../sandbox/src/sandbox-server';
import type { SandboxMemory, SandboxNumber } from '../../sandbox/src/sandbox-options';
import type { DemoSecrets } from './data-folder';
import { freePort } from './embedded-postgres/loopback-port';
import { BOTS } from './seed/demo-accounts';
import { tokenOf } from './seed/demo-numbers';
import { TEMPLATES } from './seed/demo-templates';

const NAME = 'Harbour Coffee, second shop';

/**
 * Numbers of the sandbox without a bot, so that readers can connect one (docs/running/connecting-numbers.md). Their
 * credentials are no secrets: they open the sandbox of a demo and nothing else.
 */
const SPARE_NUMBERS: SandboxNumber[] = [
  {
    channel: 'waba_coexistence',
    sender: '106540352242999',
    displayPhone: '+77015550198',
    businessId: '102290129340398',
    token: 'EAAG-the-token-of-the-system-user',
    name: NAME,
  },
  {
    channel: 'waba',
    sender: '77015550199',
    displayPhone: '+77015550199',
    appId: 'a1a1a1a1-0000-4000-8000-000000000009',
    appName: 'HarbourSecondShop',
    token: 'sk_the-api-key-of-gupshup',
    name: NAME,
  },
  {
    channel: 'waba',
    sender: '77015550177',
    displayPhone: '+77015550177',
    appId: 'a1a1a1a1-0000-4000-8000-000000000001',
    appName: 'HarbourService',
    token: 'sk_0123456789abcdef0123456789abcdef',
    name: 'Harbour Coffee, service',
  },
];

/** A customer needs some time before a message counts as read. */
const READ_AFTER_MS = 1_500;

/** The speed of a fast model. */
const WORD_DELAY_MS = 15;

/** Far enough from the demo's port that a second demo or process does not take it. */
const PORTS_FROM_DEMO = 100;
const PORT_MAX = 65_535;

/** The seeded templates that moderation leaves pending, so that there is always one. */
const WAITING = new Set(TEMPLATES.filter(({ status }) => status === 'pending').map((one) => one.providerId));

/**
 * Starts the stand-ins for the providers and their customers' phones, with the demo's numbers.
 * @param demoPort the demo's port, or 0 for any
 */
export async function startDemoSandbox(
  secrets: DemoSecrets,
  cloud: { appSecret: string; verifyToken: string },
  demoPort: number,
): Promise<RunningSandbox> {
  const ofBots = BOTS.flatMap(({ name, channels }) =>
    channels.map((number): SandboxNumber => ({ ...number, name, token: tokenOf(secrets, number) })),
  );
  const numbers = [...ofBots, ...SPARE_NUMBERS];
  return startSandbox({
    cloud,
    numbers,
    port: await sandboxPort(demoPort),
    readAfterMs: READ_AFTER_MS,
    wordDelayMs: WORD_DELAY_MS,
  });
}

/** The sandbox's usual port; 0 (any port) when it is taken, or when the demo has no fixed port. */
export async function sandboxPort(demoPort: number): Promise<number> {
  const wanted = demoPort + PORTS_FROM_DEMO;
  if (demoPort === 0 || wanted > PORT_MAX) return 0;
  return (await freePort(wanted)) ?? 0;
}

/** Where the server receives webhooks. */
export const webhookUrls = (baseUrl: string, { messengers }: Settings) => ({
  cloud: `${baseUrl}/webhooks/whatsapp`,
  gupshup: (botId: string): string =>
    webhookUrl({ publicUrl: baseUrl, gupshupToken: messengers.gupshup.webhookToken }, 'waba', botId),
});

/**
 * Connects the sandbox to the server's webhooks. Templates that were pending when the demo stopped are decided now,
 * because before this there is no receiver for the decision.
 */
export function connectSandbox(
  sandbox: RunningSandbox,
  baseUrl: string,
  settings: Settings,
  { templates }: SandboxMemory,
): void {
  const urls = webhookUrls(baseUrl, settings);
  const gupshup = BOTS.flatMap(({ id, channels }) =>
    channels.filter(({ channel }) => channel === 'waba').map(({ sender }) => [sender, urls.gupshup(id)]),
  );
  sandbox.setWebhooks({ cloud: urls.cloud, gupshup: Object.fromEntries(gupshup) as Record<string, string> });
  for (const { status, providerId } of templates)
    if (status === 'pending' && !WAITING.has(providerId)) sandbox.moderate(providerId);
}
