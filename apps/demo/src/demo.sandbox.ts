import type { Settings } from '@app/config/settings.config';
import { startSandbox, type RunningSandbox } from '../../sandbox/src/sandbox.server';
import type { SandboxNumber } from '../../sandbox/src/sandbox.options';
import type { DemoSecrets } from './demo.secrets';
import { BOTS } from './seed/demo.accounts';
import { tokenOf } from './seed/demo.numbers';
import { TEMPLATES } from './seed/demo.templates';

/** A customer has a message before it shows as read. */
const READ_AFTER_MS = 1_500;

/** Starts the stand-ins for the providers and their customers' phones, with the demo's numbers and templates. */
export async function startDemoSandbox(
  secrets: DemoSecrets,
  cloud: { appSecret: string; verifyToken: string },
): Promise<RunningSandbox> {
  const numbers = BOTS.flatMap(({ name, channels }) =>
    channels.map((number): SandboxNumber => ({ ...number, name, token: tokenOf(secrets, number) })),
  );
  const templates = new Map(
    TEMPLATES.map((template) => [`${template.owner} ${template.providerId}`, template]),
  );
  return startSandbox({ cloud, numbers, templates: [...templates.values()], readAfterMs: READ_AFTER_MS });
}

/** Where the server takes webhooks. */
export const webhookUrls = (baseUrl: string, { messengers }: Settings) => ({
  cloud: `${baseUrl}/webhooks/whatsapp`,
  gupshup: (botId: string): string =>
    `${baseUrl}/webhooks/gupshup/${botId}?token=${encodeURIComponent(messengers.gupshup.webhookToken)}`,
});

/** Lets the sandbox tell the server what happens. */
export function connectSandbox(sandbox: RunningSandbox, baseUrl: string, settings: Settings): void {
  const urls = webhookUrls(baseUrl, settings);
  const gupshup = BOTS.flatMap(({ id, channels }) =>
    channels.filter(({ channel }) => channel === 'waba').map(({ sender }) => [sender, urls.gupshup(id)]),
  );
  sandbox.setWebhooks({ cloud: urls.cloud, gupshup: Object.fromEntries(gupshup) as Record<string, string> });
}
