import type { Channel } from '@app/contracts/message.words';

/** What the addresses of webhooks are made of, and which provider uses which. */
export abstract class WebhookAddresses {
  /** Where the service is reached from outside, without a trailing slash. */
  abstract readonly publicUrl: string;
  /** Gupshup signs nothing: this word in the address proves that it is Gupshup. */
  abstract readonly gupshupToken: string;
}

/** The address that is entered at the provider; Cloud API's is one for all numbers of its app. */
export function webhookUrl(
  { publicUrl, gupshupToken }: WebhookAddresses,
  channel: Channel,
  botId: string,
): string {
  if (channel === 'waba_coexistence') return `${publicUrl}/webhooks/whatsapp`;
  return `${publicUrl}/webhooks/gupshup/${botId}?token=${encodeURIComponent(gupshupToken)}`;
}
