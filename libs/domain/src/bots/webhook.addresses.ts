import type { Channel } from '@app/contracts/message.words';

/** The parts of webhook addresses, and which provider uses which. */
export abstract class WebhookAddresses {
  /** The service's public address, without a trailing slash. */
  abstract readonly publicUrl: string;
  /** Gupshup signs nothing. This word in the address proves that Gupshup calls. */
  abstract readonly gupshupToken: string;
}

/** The address to enter at the provider. The Cloud API has one address for all numbers of an app. */
export function webhookUrl(
  { publicUrl, gupshupToken }: WebhookAddresses,
  channel: Channel,
  botId: string,
): string {
  if (channel === 'waba_coexistence') return `${publicUrl}/webhooks/whatsapp`;
  return `${publicUrl}/webhooks/gupshup/${botId}?token=${encodeURIComponent(gupshupToken)}`;
}
