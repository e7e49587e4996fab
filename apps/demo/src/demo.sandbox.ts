import type { Settings } from '@app/config/settings.config';
import { startSandbox, type RunningSandbox } from '../../sandbox/src/sandbox.server';
import type { SandboxMemory, SandboxNumber } from '../../sandbox/src/sandbox.options';
import type { DemoSecrets } from './demo.secrets';
import { freePort } from './embedded-postgres/loopback.port';
import { BOTS } from './seed/demo.accounts';
import { tokenOf } from './seed/demo.numbers';
import { SPARE_NUMBERS } from './seed/spare.numbers';
import { TEMPLATES } from './seed/demo.templates';

/** A customer has a message before it shows as read. */
const READ_AFTER_MS = 1_500;

/** As fast as a model that is quick. */
const WORD_DELAY_MS = 15;

/** Further from the demo's port than a second demo or a second process would be put beside it. */
const PORTS_FROM_DEMO = 100;
const PORT_MAX = 65_535;

/** The seeded templates that moderation never decides about, so that there is always one that waits. */
const WAITING = new Set(TEMPLATES.filter(({ status }) => status === 'pending').map((one) => one.providerId));

/**
 * Starts the stand-ins for the providers and their customers' phones, with the demo's numbers.
 * @param demoPort where the demo listens, or 0 for any port
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

/** The port that is the sandbox's at each start, or 0 for any: when that one is taken, or the demo has none itself. */
export async function sandboxPort(demoPort: number): Promise<number> {
  const wanted = demoPort + PORTS_FROM_DEMO;
  if (demoPort === 0 || wanted > PORT_MAX) return 0;
  return (await freePort(wanted)) ?? 0;
}

/** Where the server takes webhooks. */
export const webhookUrls = (baseUrl: string, { messengers }: Settings) => ({
  cloud: `${baseUrl}/webhooks/whatsapp`,
  gupshup: (botId: string): string =>
    `${baseUrl}/webhooks/gupshup/${botId}?token=${encodeURIComponent(messengers.gupshup.webhookToken)}`,
});

/**
 * Connects the sandbox to the server's webhooks. Templates that waited for moderation when the demo stopped are decided
 * now: before, there was no receiver to tell.
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
