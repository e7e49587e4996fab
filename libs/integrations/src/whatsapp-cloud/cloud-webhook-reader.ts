import { WebhookReader, type WebhookItem } from '@app/domain/webhooks/provider-events';
import { readBody } from '../webhooks/body-reading';
import { CLOUD } from './webhook/cloud-dialect';
import { takeEntries } from './webhook/cloud-envelope';

/** Reads webhooks of Meta's Cloud API. */
export class CloudWebhookReader extends WebhookReader {
  read(body: Buffer): WebhookItem[] {
    return readBody(body, (root, items) => takeEntries(root, items, CLOUD));
  }
}
