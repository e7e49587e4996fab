import { WebhookReaders, type WebhookReader } from '@app/domain/webhooks/provider-events';
import { GupshupWebhookReader } from '../gupshup/gupshup-webhook-reader';
import { CloudWebhookReader } from '../whatsapp-cloud/cloud-webhook-reader';

/** Readers hold no state, so all requests share one of each. */
export class ProviderWebhookReaders extends WebhookReaders {
  private readonly readers = { cloud: new CloudWebhookReader(), gupshup: new GupshupWebhookReader() };

  of(provider: 'cloud' | 'gupshup'): WebhookReader {
    return this.readers[provider];
  }
}
