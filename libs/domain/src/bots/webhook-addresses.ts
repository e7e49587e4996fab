import { createHmac } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';

/** The parts of webhook addresses, and which provider uses which. */
export abstract class WebhookAddresses {
  /** The service's public address, without a trailing slash. */
  abstract readonly publicUrl: string;
  /** The installation's secret, of which every bot's token is made. No address shows it. */
  abstract readonly gupshupToken: string;
}

/**
 * Gupshup signs nothing. This word in the address of a bot proves that Gupshup calls. It is the bot's own, because
 * admins of an account see it: with it nobody can call for a bot of another account.
 */
export const gupshupTokenOf = (secret: string, botId: string): string =>
  createHmac('sha256', secret).update(botId).digest('hex');

/** The address to enter at the provider. The Cloud API has one address for all numbers of an app. */
export function webhookUrl(
  { publicUrl, gupshupToken }: WebhookAddresses,
  channel: Channel,
  botId: string,
): string {
  if (channel === 'waba_coexistence') return `${publicUrl}/webhooks/whatsapp`;
  return `${publicUrl}/webhooks/gupshup/${botId}?token=${gupshupTokenOf(gupshupToken, botId)}`;
}
