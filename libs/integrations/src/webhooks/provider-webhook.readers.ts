import { WebhookReaders, type WebhookReader } from '@app/domain/webhooks/provider.events';
import { GupshupWebhookReader } from '../gupshup/gupshup-webhook.reader';
import { CloudWebhookReader } from '../whatsapp-cloud/cloud-webhook.reader';

/** Readers hold no state: one of each serves everybody. */
export class ProviderWebhookReaders extends WebhookReaders {
  private readonly readers = { cloud: new CloudWebhookReader(), gupshup: new GupshupWebhookReader() };

  of(provider: 'cloud' | 'gupshup'): WebhookReader {
    return this.readers[provider];
  }
}
